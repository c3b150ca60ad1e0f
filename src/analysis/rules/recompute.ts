import { peakMemoryBytes } from '../advice/run-metadata-fields';
import { defineRule, evidence, figure, fix, MIN_SHARE, NO_MEAN_STEP } from './define-rule';

/** Activations are computed a second time in the backward pass to save memory. */
export const recompute = defineRule({
  id: 'recompute',
  bottleneck: 'memory-pressure',
  diagnose(facts) {
    const { step } = facts;
    if (!step) return NO_MEAN_STEP;
    const costNs = step.recomputeNs;
    const share = costNs / step.wallNs;
    if (share < MIN_SHARE) {
      return {
        outcome: 'absent',
        reason: `repeated forward operators take ${(100 * share).toFixed(1)} % of the step`,
      };
    }
    const capacityBytes = facts.deviceRanks[0]?.timeline.metadata.devices.at(0)?.totalMemoryBytes ?? null;
    const peakBytes = peakMemoryBytes(facts);
    const usedShare = capacityBytes && peakBytes ? peakBytes / capacityBytes : null;
    return {
      outcome: 'finding',
      diagnosis: {
        costNs,
        ownComputeNs: costNs,
        stepNs: step.wallNs,
        confidence: 'high',
        evidence: evidence(
          [
            figure('recompute', costNs, 'ns'),
            figure('share-of-step', share, 'ratio'),
            usedShare === null
              ? {
                  id: 'peak-memory-share',
                  value: null,
                  unit: 'ratio',
                  source: 'notMeasurable',
                  reason: 'no peak memory in the metadata; upload meta.rank<N>.json with peak_mem',
                }
              : figure('peak-memory-share', usedShare, 'ratio'),
          ],
          [],
          facts,
        ),
        fixes: [
          fix('switch-checkpointing-off', { peakMemoryShare: usedShare }),
          fix('checkpoint-cheap-layers'),
          fix('raise-the-batch', { peakMemoryShare: usedShare }),
          fix('smaller-memory-not-smaller-batch'),
          fix('accumulate-last'),
        ],
      },
    };
  },
});
