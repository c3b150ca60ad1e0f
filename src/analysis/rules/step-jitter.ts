import { measuredSteps } from '../attribution/calibrated-step';
import { median } from '../attribution/cross-rank';
import { defineRule, evidence, figure, fix } from './define-rule';

/** Fewer steps say nothing about a distribution. */
const MIN_STEPS = 8;
/** Share of the time lost to spikes, 1 − median/mean, from which it is a problem of its own. */
const MIN_LOST_SHARE = 0.15;
/** A step this many times the median is a spike. */
const SPIKE_FACTOR = 1.5;

/** Most steps are fast and a few are slow: the mean is well above the median. */
export const stepJitter = defineRule({
  id: 'step-jitter',
  bottleneck: 'step-jitter',
  diagnose({ stepTimes }) {
    // Means over several steps hide what varies from one to the next.
    const series = stepTimes
      .filter((times) => times.stepsAveraged.every((steps) => steps === 1))
      .map(measuredSteps)
      .filter((v) => v.length >= MIN_STEPS);
    if (series.length === 0) {
      return {
        outcome: 'not-measurable',
        reason: `needs at least ${MIN_STEPS} step times measured without the profiler; upload step_times.rank<N>.jsonl`,
      };
    }
    const [worst] = series
      .map((values) => ({
        values,
        meanNs: values.reduce((a, b) => a + b, 0) / values.length,
        medianNs: median(values),
      }))
      .sort((a, b) => b.meanNs - b.medianNs - (a.meanNs - a.medianNs));
    const lostShare = 1 - worst.medianNs / worst.meanNs;
    if (lostShare < MIN_LOST_SHARE)
      return {
        outcome: 'absent',
        reason: `the mean step is ${(100 * lostShare).toFixed(1)} % above the median`,
      };
    const spikes = worst.values.filter((v) => v > SPIKE_FACTOR * worst.medianNs).length;
    return {
      outcome: 'finding',
      diagnosis: {
        costNs: worst.meanNs - worst.medianNs,
        stepNs: worst.meanNs,
        confidence: spikes >= 2 ? 'high' : 'low',
        evidence: evidence([
          figure('unprofiled-mean-step', worst.meanNs, 'ns'),
          figure('unprofiled-median-step', worst.medianNs, 'ns'),
          figure('time-lost-to-spikes', lostShare, 'ratio'),
          figure('spikes', spikes, 'count'),
          figure('steps', worst.values.length, 'count'),
        ]),
        fixes: [
          fix('spread-periodic-work', {
            everySteps: spikes > 0 ? Math.round(worst.values.length / spikes) : null,
          }),
          fix('asynchronous-checkpoint'),
          fix('garbage-collection'),
          fix('local-storage'),
        ],
      },
    };
  },
});
