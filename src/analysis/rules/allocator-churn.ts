import { cacheEmptiedBy } from '../evidence/snapshot-causes';
import { hostOperationsDuring } from '../attribution/host-operations';
import { type RunFacts } from '../attribution/run-facts';
import { type Figure } from '../units/figure';
import { cause, defineRule, evidence, figure, fix, MIN_SHARE, NO_MEAN_STEP } from './define-rule';
import { largest } from '../units/largest';

/** The device waits for its allocator: memory is taken from and given back to the driver inside the step. */
export const allocatorChurn = defineRule({
  id: 'allocator-churn',
  bottleneck: 'memory-pressure',
  diagnose(facts) {
    const { step, deviceRanks } = facts;
    if (!step) return NO_MEAN_STEP;
    const costNs = step.idle.allocatorNs;
    const share = costNs / step.wallNs;
    if (share < MIN_SHARE) {
      return {
        outcome: 'absent',
        reason: `allocator calls leave the device idle for ${(100 * share).toFixed(1)} % of the step`,
      };
    }
    const emptied = cacheEmptiedBy(facts.evidence.memory);
    return {
      outcome: 'finding',
      diagnosis: {
        costNs,
        stepNs: step.wallNs,
        confidence: 'high',
        evidence: evidence(
          [
            figure('allocator', costNs, 'ns'),
            figure('share-of-step', share, 'ratio'),
            ...allocatorFigures(facts),
          ],
          hostOperationsDuring(deviceRanks, (r) => r.device?.idle.allocator),
          facts,
        ),
        ...(emptied && { causes: [cause('cache-emptied', { ...emptied })] }),
        fixes: [
          fix('remove-empty-cache'),
          fix('expandable-segments'),
          fix('smaller-memory-not-smaller-batch'),
          fix('accumulate-last'),
        ],
      },
    };
  },
});

/** Of the process where they are worst. */
function allocatorFigures({ evidence: { memory } }: RunFacts): Figure[] {
  const devices = memory?.devices ?? [];
  const retries = largest(devices.map((d) => d.retryCount));
  const fragmentation = largest(devices.map((d) => d.fragmentationRatio));
  return [
    ...(retries === null ? [] : [figure('allocation-retries', retries, 'count')]),
    ...(fragmentation === null ? [] : [figure('fragmentation', fragmentation, 'ratio')]),
  ];
}
