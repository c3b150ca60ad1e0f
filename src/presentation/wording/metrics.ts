/** The words for one metric. */
export interface MetricWording {
  name: string;
  description: string;
  /** One of the few that describe a run in a list. */
  headline?: true;
}

/** Words by metric id. One entry adds one; a test checks that every metric has its words. */
export const METRIC_WORDING: Readonly<Record<string, MetricWording>> = {
  'step-time': { name: 'Step time', description: 'Mean traced step, over steps and ranks.', headline: true },
  'unprofiled-step-time': {
    name: 'Step time without the profiler',
    description: 'Median step measured without the profiler; of the slowest rank.',
    headline: true,
  },
  'unprofiled-mean-step-time': {
    name: 'Mean step time without the profiler',
    description:
      'Mean step measured without the profiler, spikes included: what the training pays; of the slowest rank.',
  },
  'gpu-busy-ratio': {
    name: 'GPU busy',
    description: 'Share of the mean step with a kernel on the device, as GPU-Util: a symptom, not a cause.',
    headline: true,
  },
  'compute-time': { name: 'Compute', description: 'Time of the mean step with a compute kernel running.' },
  'exposed-communication': {
    name: 'Exposed communication',
    description: 'Time of the mean step in collectives that no compute covers.',
    headline: true,
  },
  'exposed-memcpy': {
    name: 'Exposed copies',
    description: 'Time of the mean step in copies that neither compute nor communication covers.',
  },
  'device-idle': {
    name: 'Device idle',
    description: 'Time of the mean step with nothing on the device.',
    headline: true,
  },
  'input-wait': {
    name: 'Waiting for input',
    description: 'Device idle while the host waits for its input.',
  },
  'sync-wait': {
    name: 'Waiting after a synchronisation',
    description: 'Device idle because the host waited for it and then had to refill its queue.',
  },
  'launch-gap': {
    name: 'Launch gaps',
    description: 'Device idle because the host, busy in the framework, launched the next kernel late.',
  },
  'host-other': {
    name: 'User code on the host',
    description: 'Device idle while the host runs user code between operators.',
  },
  'unexplained-idle': {
    name: 'Unexplained idle',
    description: 'Device idle for which the trace shows no cause.',
  },
  'dependency-wait': {
    name: 'Waiting for another stream',
    description: 'Device idle though the next operation was launched in time.',
  },
  'allocator-wait': {
    name: 'Waiting for the allocator',
    description: 'Device idle while the host takes memory from the driver or gives it back.',
  },
  'kernel-launches': { name: 'Kernels per step', description: 'Kernels of one rank in a step.' },
  'short-kernel-ratio': {
    name: 'Short kernels',
    description: 'Share of the kernels, by count, that are shorter than 10 µs.',
  },
  'tensor-core-ratio': {
    name: 'Matrix units at work',
    description: 'Share of kernel time in kernels whose names show matrix units; a lower bound.',
  },
  mfu: {
    name: 'MFU',
    description:
      'Model flop utilisation: what the model must compute over what the device can, at its dtype.',
    headline: true,
  },
  hfu: {
    name: 'HFU',
    description: 'Hardware flop utilisation: like MFU, with what is computed a second time.',
  },
  'compute-roof-ratio': {
    name: 'Bound by arithmetic',
    description: 'Share of compute time in operators whose roof is arithmetic.',
  },
  'memory-roof-ratio': {
    name: 'Bound by memory',
    description: 'Share of compute time in operators whose roof is the memory.',
  },
  'roof-efficiency': {
    name: 'Roof efficiency',
    description: 'Time that the modelled operators would take at their roofs over the time that they take.',
  },
};
