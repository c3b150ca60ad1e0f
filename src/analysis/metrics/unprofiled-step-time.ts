import { median } from '../attribution/cross-rank';
import { defineMetric } from './define-metric';

/** Median step measured without the profiler, from uploaded step times; the slowest rank's. */
export const unprofiledStepTime = defineMetric({
  id: 'unprofiled-step-time',
  unit: 'ns',
  direction: 'lower-is-better',
  compute: ({ stepTimes }) => {
    const medians = stepTimes.map((s) => median(s.hostNs.filter((v) => v > 0))).filter((v) => v > 0);
    return medians.length > 0
      ? { value: Math.max(...medians), source: 'measured' }
      : {
          notMeasurable:
            'no step times without the profiler were uploaded; upload step_times.rank<N>.jsonl beside the traces',
        };
  },
});
