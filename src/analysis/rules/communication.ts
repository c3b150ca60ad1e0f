import { metadataNumber } from '../advice/run-metadata-fields';
import { type OptionsInUse } from '../advice/options-in-use';
import { communicationOperations, findStraggler } from '../attribution/straggler';
import { type RunFacts } from '../attribution/run-facts';
import { type Cause, type Fix } from '../report-schema';
import {
  cause,
  defineRule,
  evidence,
  figure,
  fix,
  MIN_SHARE,
  NO_MEAN_STEP,
  type RuleAnswer,
} from './define-rule';

/** Collectives that no compute covers cost the step time; waiting for a late rank inside them is the straggler's doing. */
export const communication = defineRule({
  id: 'exposed-communication',
  bottleneck: 'communication',
  diagnose(facts, options) {
    const { step, deviceRanks, crossRank } = facts;
    if (!step) return NO_MEAN_STEP;
    if (!deviceRanks.some((r) => (r.device?.activity.communication.count ?? 0) > 0)) {
      return { outcome: 'absent', reason: 'the trace has no collectives' };
    }
    if (!crossRank) return fromOneRank(facts, options, step.exposedTransferNs, step.wallNs);

    const { exposedTransferNs, exposedWaitNs } = step;
    const costNs = findStraggler(facts) ? exposedTransferNs : exposedTransferNs + exposedWaitNs;
    return answer(facts, options, costNs, step.wallNs, 'high', [
      figure('exposed-transfer', exposedTransferNs, 'ns'),
      figure('exposed-wait', exposedWaitNs, 'ns'),
    ]);
  },
});

/** With one rank only, exposed time is measured and its split into waiting and transfer is not. */
function fromOneRank(facts: RunFacts, options: OptionsInUse, costNs: number, stepNs: number): RuleAnswer {
  const notSplit = {
    id: 'exposed-transfer',
    value: null,
    unit: 'ns',
    source: 'notMeasurable',
    reason: facts.crossRankReason ?? '',
  } as const;
  return answer(facts, options, costNs, stepNs, 'low', [
    figure('exposed-communication', costNs, 'ns'),
    notSplit,
  ]);
}

function answer(
  facts: RunFacts,
  options: OptionsInUse,
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
      causes: causes(facts),
      fixes: fixes(facts, options),
    },
  };
}

/** Why the link is slow, as the logs of the library say: the path taken, then each faster one that was not. */
function causes({ evidence: { network } }: RunFacts): Cause[] {
  const slow = network?.slowTransport;
  if (!slow) return [];
  const { reasons, ...transport } = slow;
  return [
    cause('slow-transport', { library: network.library, ...transport }),
    ...reasons.map((reason) => cause('faster-path-not-taken', { ...reason })),
  ];
}

const TRANSPORT_SWITCHES = ['NCCL_P2P_DISABLE', 'NCCL_SHM_DISABLE', 'NCCL_IB_DISABLE'];
/** The default of DistributedDataParallel, MB. */
const USUAL_BUCKET_MB = 25;

/** A disabled transport first, then less to send, then fewer messages, then how they are sent. */
function fixes(facts: RunFacts, options: OptionsInUse): Fix[] {
  const environment = {
    ...facts.metadata.find((m) => Object.keys(m.environment).length > 0)?.environment,
    ...facts.evidence.network?.environment,
  };
  const { network } = facts.evidence;
  const isLogged = network !== null && network.logCount > 0;
  // A log that shows the fastest path says more than a switch.
  const disabled =
    isLogged && network.slowTransport === null
      ? []
      : TRANSPORT_SWITCHES.filter((name) => Number(environment[name]) > 0);
  const bucketMb = metadataNumber(facts, 'bucket_cap_mb');
  const bucket = fix('bucket-size', { bucketCapMbNow: bucketMb, bucketCapMbToTry: 100 });
  const hasSmallBuckets = bucketMb !== null && bucketMb < USUAL_BUCKET_MB;
  const sharded = options.isOn('sharding');
  return [
    ...(disabled.length > 0
      ? [
          fix('enable-fast-transport', {
            setNow: disabled.map((name) => `${name}=${environment[name]}`).join(' '),
          }),
        ]
      : []),
    ...(hasSmallBuckets ? [bucket] : []),
    ...(isLogged ? [] : [fix('check-link', { socketInterface: environment.NCCL_SOCKET_IFNAME ?? null })]),
    ...(sharded ? [fix('less-sharding', { formNow: options.form('sharding') })] : []),
    fix('gradient-accumulation'),
    ...(sharded ? [] : [...(hasSmallBuckets ? [] : [bucket]), fix('static-graph')]),
    fix('larger-batch-per-rank'),
    fix('nccl-tuning'),
  ];
}
