import { unprofiledMeanStepNs } from '../attribution/calibrated-step';
import { defineMetric } from './define-metric';

/** Mean step measured without the profiler, spikes included: what the training pays; the slowest rank's. */
export const unprofiledMeanStepTime = defineMetric({
  id: 'unprofiled-mean-step-time',
  unit: 'ns',
  direction: 'lower-is-better',
  compute: ({ ranks, stepTimes, metadata }) => {
    const known = ranks.map((r) => r.rank).concat(ranks.length === 0 ? [0] : []);
    const means = known.flatMap((rank) => unprofiledMeanStepNs({ stepTimes, metadata }, rank) ?? []);
    return means.length > 0
      ? { value: Math.max(...means), source: 'measured' }
      : {
          notMeasurable:
            'no step times without the profiler were uploaded; upload step_times.rank<N>.jsonl beside the traces',
        };
  },
});
