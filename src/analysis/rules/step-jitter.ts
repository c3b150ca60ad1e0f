import { type StepDistribution } from '../evidence/step-distribution-schema';
import { defineRule, evidence, figure, fix } from './define-rule';

/** Fewer steps say nothing about a distribution. */
const MIN_STEPS = 8;
/** Share of the time lost to spikes, 1 − median/mean, from which it is a problem of its own. */
const MIN_LOST_SHARE = 0.15;

/** Most steps are fast and a few are slow: the mean is well above the median. */
export const stepJitter = defineRule({
  id: 'step-jitter',
  bottleneck: 'step-jitter',
  diagnose({ evidence: { stepDistributions } }) {
    // Means over several steps hide what varies from one to the next.
    const series = stepDistributions.filter((one) => one.isOfSingleSteps && one.stepCount >= MIN_STEPS);
    if (series.length === 0) {
      return {
        outcome: 'not-measurable',
        reason: `needs at least ${MIN_STEPS} step times measured without the profiler; upload step_times.rank<N>.jsonl`,
      };
    }
    const lostNs = ({ meanNs, medianNs }: StepDistribution) => meanNs - medianNs;
    const [worst] = [...series].sort((a, b) => lostNs(b) - lostNs(a));
    const { meanNs, medianNs, lostRatio, spikes, stepCount } = worst;
    if (lostRatio < MIN_LOST_SHARE)
      return {
        outcome: 'absent',
        reason: `the mean step is ${(100 * lostRatio).toFixed(1)} % above the median`,
      };
    const count = spikes?.count ?? 0;
    const period = spikes?.periodSteps ?? null;
    return {
      outcome: 'finding',
      diagnosis: {
        costNs: lostNs(worst),
        stepNs: meanNs,
        confidence: count >= 2 ? 'high' : 'low',
        evidence: evidence([
          figure('unprofiled-mean-step', meanNs, 'ns'),
          figure('unprofiled-median-step', medianNs, 'ns'),
          figure('time-lost-to-spikes', lostRatio, 'ratio'),
          figure('spikes', count, 'count'),
          figure('steps', stepCount, 'count'),
          ...(spikes ? [figure('time-of-a-spike', spikes.meanExtraNs, 'ns')] : []),
          ...(period === null ? [] : [figure('steps-between-spikes', period, 'count')]),
        ]),
        fixes: [
          fix('spread-periodic-work', {
            everySteps: period ?? (count > 0 ? Math.round(stepCount / count) : null),
            isRegular: period !== null,
          }),
          fix('asynchronous-checkpoint'),
          fix('garbage-collection'),
          fix('local-storage'),
        ],
      },
    };
  },
});
