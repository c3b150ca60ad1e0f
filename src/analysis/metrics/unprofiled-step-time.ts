import { unprofiledStepNs } from '../attribution/calibrated-step';
import { defineMetric } from './define-metric';

/** Median step measured without the profiler, from uploaded step times or metadata; the slowest rank's. */
export const unprofiledStepTime = defineMetric({
  id: 'unprofiled-step-time',
  unit: 'ns',
  direction: 'lower-is-better',
  compute: ({ ranks, stepTimes, metadata }) => {
    const known = ranks.map((r) => r.rank).concat(ranks.length === 0 ? [0] : []);
    const medians = known.flatMap((rank) => unprofiledStepNs({ stepTimes, metadata }, rank) ?? []);
    return medians.length > 0
      ? { value: Math.max(...medians), source: 'measured' }
      : {
          notMeasurable:
            'no step times without the profiler were uploaded; upload step_times.rank<N>.jsonl beside the traces',
        };
  },
});
