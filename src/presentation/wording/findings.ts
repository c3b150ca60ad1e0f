import { type Finding } from '../../analysis';
import { formatFigure, formatNs, formatRatio } from '../quantity';
import { figureValue, type FindingWording } from './finding-wording';

const ns = (finding: Finding, id: string): string =>
  formatFigure({ value: figureValue(finding, id), unit: 'ns' });
const ratio = (finding: Finding, id: string): string =>
  formatFigure({ value: figureValue(finding, id), unit: 'ratio' });
const share = (finding: Finding): string =>
  formatRatio(finding.costNs / Math.max(1, finding.costNs + finding.expectedStepNs));

/** How long spikes are, and how often they come where they come evenly. */
function evenly(finding: Finding): string {
  const period = figureValue(finding, 'steps-between-spikes');
  const each = figureValue(finding, 'time-of-a-spike');
  return [
    ...(period === null ? [] : [`, one every ${period} steps`]),
    ...(each === null ? [] : [`, ${formatNs(each)} longer each`]),
  ].join('');
}

/** Words by rule id. One entry adds one; a test checks that every rule has its words. */
export const FINDING_WORDING: Readonly<Record<string, FindingWording>> = {
  'input-pipeline-starvation': {
    title: 'The device waits for its input',
    explain: (f) =>
      `${ns(f, 'input-wait')} of each step the device is empty while the host is in the data loader, and copies to the device that nothing covers take ${ns(f, 'exposed-host-to-device-copy')}: together ${share(f)} of the step.`,
    verify:
      'Run a few steps with a loader that returns the same batch again and again: the step must fall to about the expected time.',
  },
  'host-cpu-bound': {
    title: 'The device waits for user code on the host',
    explain: (f) =>
      `${ns(f, 'host-other')} of each step (${share(f)}) the device is empty while the training loop runs code between framework operators. Work that is hidden behind the device is not counted.`,
    verify:
      'Comment the host work out (or use its cached result) for a few steps: the step must fall to about the expected time.',
  },
  'allocator-churn': {
    title: 'The device waits for its memory allocator',
    explain: (f) =>
      `${ns(f, 'allocator')} of each step (${share(f)}) the device is empty while memory is taken from or given back to the driver.`,
    verify:
      'After the change, a trace shows no cudaMalloc or cudaFree inside the steps, and num_alloc_retries stays at zero.',
  },
  recompute: {
    title: 'Activations are computed twice',
    explain: (f) =>
      `${ns(f, 'recompute')} of each step (${share(f)}) the device repeats forward operators inside the backward pass (activation checkpointing). Peak memory is ${ratio(f, 'peak-memory-share')} of the device's.`,
    verify:
      'Without checkpointing a trace shows no forward operators inside backward nodes, and the step falls by about the repeated time.',
  },
  'exposed-communication': {
    title: 'Communication is not hidden behind compute',
    explain: (f) =>
      figureValue(f, 'exposed-transfer') === null
        ? `${ns(f, 'exposed-communication')} of each step (${share(f)}) collectives run with no compute beside them. From one rank alone, waiting for a late rank and slow transfer cannot be told apart: upload the trace of every rank.`
        : `${ns(f, 'exposed-transfer')} of each step is exposed transfer (every rank has arrived and the link is at work), ${ns(f, 'exposed-wait')} is waiting for the last rank.`,
    verify:
      'Compare the bus bandwidth of the collectives before and after; with the fix, exposed communication falls and the step with it.',
  },
  straggler: {
    title: 'All ranks wait for a late one',
    explain: (f) =>
      `The other ranks wait ${ns(f, 'wait-of-others')} a step (${share(f)}) inside collectives for rank ${f.evidence.ranks.join(', ')}, which comes ${ns(f, 'lateness')} late to a collective on average and itself waits only ${ns(f, 'wait-of-late-rank')}. It is not the transfer that takes the time.`,
    verify: 'With the late rank fixed, the collectives take their transfer time on every rank.',
  },
  'launch-overhead': {
    title: 'Kernels are launched too late to keep the device busy',
    explain: (f) =>
      `${ns(f, 'launch-gap')} of each step the device is empty because the next kernel was not launched yet, and ${ns(f, 'sync-wait')} because the host waited for the device first: ${share(f)} of the step. ${formatFigure({ value: figureValue(f, 'kernel-launches'), unit: 'count' })} kernels a step, ${ns(f, 'mean-kernel')} long on average, ${ratio(f, 'short-kernel-ratio')} of them under 10 µs.`,
    verify: 'After the change a trace shows fewer launches per step and no gaps between kernels.',
  },
  'low-arithmetic-intensity': {
    title: 'The device is busy with work that its fast units cannot help',
    explain: (f) =>
      `The device computes for ${ratio(f, 'compute-share-of-step')} of the step, but ${ratio(f, 'memory-bound-share')} of the kernel time is in memory-bound kernels, ${ratio(f, 'fp32-gemm-share')} in 32-bit matrix kernels on the ordinary cores, and ${ratio(f, 'tensor-core-ratio')} in kernels that use matrix units.`,
    verify: 'After the change the share of matrix-unit kernels rises and the step falls.',
  },
  'out-of-memory': {
    title: 'The device ran out of memory',
    explain: (f) =>
      `Failed allocations: ${formatFigure({ value: figureValue(f, 'failed-allocations'), unit: 'count' })}${figureValue(f, 'device-memory') === null ? '' : `, on a device of ${formatFigure({ value: figureValue(f, 'device-memory'), unit: 'bytes' })}`}. What it costs in time is not measurable from the message.`,
    verify:
      'The job runs through, and torch.cuda.memory_stats() shows num_ooms and num_alloc_retries at zero.',
  },
  'step-jitter': {
    title: 'Some steps take much longer than the others',
    explain: (f) =>
      `The mean step is ${ns(f, 'unprofiled-mean-step')}, the median ${ns(f, 'unprofiled-median-step')}: ${formatFigure({ value: figureValue(f, 'spikes'), unit: 'count' })} of ${formatFigure({ value: figureValue(f, 'steps'), unit: 'count' })} steps are spikes${evenly(f)}, and ${ratio(f, 'time-lost-to-spikes')} of the time is lost to them.`,
    verify: 'After the change, the mean of the step times comes down to their median.',
  },
};

/** What is known of a run in which no rule names a bottleneck. */
export interface NoBottleneckFacts {
  /** Whether any rank has a timeline; `insteadOf` names what there is in its place. */
  hasTimeline: boolean;
  insteadOf: 'operator-totals' | 'kernel-counters' | null;
  stepNs: number | null;
  busyRatio: number | null;
  truncated: boolean;
  /** Time at the roofs over time taken, of what is modelled; null when it is not. */
  roofEfficiency: number | null;
  /** Kernel class that takes most of the kernel time, and its share. */
  topClass: { name: string; ratio: number } | null;
}

/** What can be said without a timeline, and what not. */
const WITHOUT_TIMELINE = {
  'operator-totals':
    'the table of the profiler says which operators take the time, and neither where the device waits nor for what.',
  'kernel-counters':
    'counters of single kernels say how well each uses the device, and nothing of the time between them.',
  nothing: 'no trace of a profiler was uploaded, so there is no timeline of a step.',
} as const;

/** How the verdict reads when no rule names a bottleneck. */
export function noBottleneckSummary({
  hasTimeline,
  insteadOf,
  stepNs,
  busyRatio,
  truncated,
  roofEfficiency,
  topClass,
}: NoBottleneckFacts): string {
  if (!hasTimeline)
    return `Not measurable: ${WITHOUT_TIMELINE[insteadOf ?? 'nothing']} Record some steps with torch.profiler (ProfilerActivity.CPU and ProfilerActivity.CUDA, profiler.step() once per training step) and upload the trace beside it.`;
  if (stepNs === null) {
    return truncated
      ? 'Not measurable: the trace ends before any step with device activity. Upload it after the profiler has closed the file.'
      : 'Not measurable: the traces hold no steps with device activity. Record with ProfilerActivity.CPU and ProfilerActivity.CUDA, and call profiler.step() once per training step.';
  }
  const busy = busyRatio === null ? '' : ` A kernel runs for ${formatRatio(busyRatio)} of it`;
  const roof =
    roofEfficiency === null ? '' : `, at ${formatRatio(roofEfficiency)} of what arithmetic and memory allow`;
  const holds =
    topClass === null
      ? ''
      : `; ${topClass.name} kernels take most of the time (${formatRatio(topClass.ratio)})`;
  const device = busy === '' ? '' : `${busy}${roof}${holds}.`;
  return `Nothing on the host, the loader or the network holds this run back: the step of ${formatNs(stepNs)} is the device's own.${device}`;
}
