import { hostOperationsDuring } from '../attribution/host-operations';
import { findStraggler, meanLatenessNs } from '../attribution/straggler';
import { defineRule, evidence, figure, fix, NO_MEAN_STEP } from './define-rule';

/** One rank comes late to the collectives and all others wait for it. */
export const straggler = defineRule({
  id: 'straggler',
  bottleneck: 'straggler',
  diagnose(facts) {
    const { step, deviceRanks, crossRank, crossRankReason } = facts;
    if (!step) return NO_MEAN_STEP;
    if (!deviceRanks.some((r) => (r.device?.activity.communication.count ?? 0) > 0)) {
      return { outcome: 'absent', reason: 'the trace has no collectives' };
    }
    if (!crossRank) {
      return {
        outcome: 'not-measurable',
        reason: `${crossRankReason ?? 'collectives were not matched'}; upload the trace of every rank`,
      };
    }
    const late = findStraggler(facts);
    if (!late) return { outcome: 'absent', reason: 'no rank is clearly waited for by the others' };
    const lateRank = deviceRanks.filter((r) => r.rank === late.rank);
    return {
      outcome: 'finding',
      diagnosis: {
        costNs: late.costNs,
        stepNs: step.wallNs,
        confidence: 'high',
        evidence: evidence(
          [
            figure('wait-of-others', late.costNs, 'ns'),
            figure('lateness', meanLatenessNs(facts).get(late.rank) ?? 0, 'ns'),
            figure('wait-of-late-rank', late.ownWaitNs, 'ns'),
            figure('share-of-step', late.costNs / step.wallNs, 'ratio'),
          ],
          hostOperationsDuring(lateRank, (r) => r.device?.idle.hostOther),
          facts,
          [late.rank],
        ),
        fixes: [
          fix('fix-late-rank', { rank: late.rank }),
          fix('balance-input', { rank: late.rank }),
          fix('check-node', { rank: late.rank }),
        ],
      },
    };
  },
});
