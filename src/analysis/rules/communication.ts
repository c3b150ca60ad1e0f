import { communicationOperations, findStraggler } from '../attribution/straggler';
import { type RunFacts } from '../attribution/run-facts';
import { type Fix } from '../report-schema';
import { defineRule, evidence, figure, fix, MIN_SHARE, NO_MEAN_STEP, type RuleAnswer } from './define-rule';

/** Collectives that no compute covers cost the step time; waiting for a late rank inside them is the straggler's doing. */
export const communication = defineRule({
  id: 'exposed-communication',
  bottleneck: 'communication',
  diagnose(facts) {
    const { step, deviceRanks, crossRank } = facts;
    if (!step) return NO_MEAN_STEP;
    if (!deviceRanks.some((r) => (r.device?.activity.communication.count ?? 0) > 0)) {
      return { outcome: 'absent', reason: 'the trace has no collectives' };
    }
    if (!crossRank) return fromOneRank(facts, step.exposedTransferNs, step.wallNs);

    const { exposedTransferNs, exposedWaitNs } = step;
    const costNs = findStraggler(facts) ? exposedTransferNs : exposedTransferNs + exposedWaitNs;
    return answer(facts, costNs, step.wallNs, 'high', [
      figure('exposed-transfer', exposedTransferNs, 'ns'),
      figure('exposed-wait', exposedWaitNs, 'ns'),
    ]);
  },
});

/** With one rank only, exposed time is measured and its split into waiting and transfer is not. */
function fromOneRank(facts: RunFacts, costNs: number, stepNs: number): RuleAnswer {
  const notSplit = {
    id: 'exposed-transfer',
    value: null,
    unit: 'ns',
    source: 'notMeasurable',
    reason: facts.crossRankReason ?? '',
  } as const;
  return answer(facts, costNs, stepNs, 'low', [figure('exposed-communication', costNs, 'ns'), notSplit]);
}

function answer(
  facts: RunFacts,
  costNs: number,
  stepNs: number,
  confidence: 'high' | 'low',
  figures: Parameters<typeof evidence>[0],
): RuleAnswer {
  const share = costNs / stepNs;
  if (share < MIN_SHARE)
    return {
      outcome: 'absent',
      reason: `exposed communication takes ${(100 * share).toFixed(1)} % of the step`,
    };
  return {
    outcome: 'finding',
    diagnosis: {
      costNs,
      stepNs,
      confidence,
      evidence: evidence(
        [...figures, figure('share-of-step', share, 'ratio')],
        communicationOperations(facts),
        facts,
      ),
      fixes: fixes(facts),
    },
  };
}

function fixes(facts: RunFacts): Fix[] {
  const environment = facts.metadata.find((m) => Object.keys(m.environment).length > 0)?.environment ?? {};
  const disabled = ['NCCL_P2P_DISABLE', 'NCCL_SHM_DISABLE', 'NCCL_IB_DISABLE'].filter(
    (name) => environment[name] === '1',
  );
  return [
    ...(disabled.length > 0
      ? [fix('enable-fast-transport', { disabledBy: disabled.map((name) => `${name}=1`).join(' ') })]
      : []),
    fix('check-link', { socketInterface: environment.NCCL_SOCKET_IFNAME ?? null }),
    fix('gradient-accumulation'),
    fix('bucket-size', { bucketCapMbToTry: 100 }),
    fix('static-graph'),
  ];
}
