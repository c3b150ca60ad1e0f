import { dominantActivity, hostEvidence } from '../evidence/host-evidence';
import { hostOperationsDuring } from '../attribution/host-operations';
import { type Fix } from '../report-schema';
import { type HostActivityKind } from '../timeline/function-activity';
import { defineRule, evidence, figure, fix, MIN_SHARE, NO_MEAN_STEP } from './define-rule';

/** What helps against an activity that takes most of the host's time. */
const FIX_FOR: Partial<Record<HostActivityKind, Fix>> = {
  tokenisation: fix('tokenise-ahead'),
  'image-decoding': fix('augment-on-device'),
  'audio-decoding': fix('tokenise-ahead'),
  collate: fix('preallocate-in-collate'),
  logging: fix('log-less-often'),
  checkpointing: fix('asynchronous-checkpoint'),
  'garbage-collection': fix('garbage-collection'),
  'data-loading': fix('prefetch-next-batch'),
};

/** The device waits while the main thread runs user code between operators. Host work hidden behind the device costs nothing. */
export const hostCpu = defineRule({
  id: 'host-cpu-bound',
  bottleneck: 'host-cpu',
  diagnose(facts) {
    const { step, deviceRanks } = facts;
    if (!step) return NO_MEAN_STEP;
    const costNs = step.idle.hostOtherNs;
    const share = costNs / step.wallNs;
    if (share < MIN_SHARE)
      return {
        outcome: 'absent',
        reason: `user code leaves the device idle for ${(100 * share).toFixed(1)} % of the step`,
      };
    const operations = hostOperationsDuring(deviceRanks, (r) => r.device?.idle.hostOther);
    const host = hostEvidence(facts.evidence.hostProfile, ['main']);
    const named =
      host !== undefined || operations.some((o) => o.kind === 'python frame' || o.kind === 'annotation');
    const fixes = [
      fix('move-host-work-off-the-loop', { hostWorkMsPerStep: Math.round(costNs / 1e4) / 100 }),
      fix('tokenise-ahead'),
      fix('prefetch-next-batch'),
      fix('preallocate-in-collate'),
      fix('augment-on-device'),
      fix('host-threads', {
        ompNumThreads:
          facts.metadata.find((m) => m.environment.OMP_NUM_THREADS)?.environment.OMP_NUM_THREADS ?? null,
      }),
      ...(named ? [] : [fix('record-with-stack')]),
    ];
    return {
      outcome: 'finding',
      diagnosis: {
        costNs,
        stepNs: step.wallNs,
        confidence: named ? 'high' : 'medium',
        evidence: {
          ...evidence(
            [figure('host-other', costNs, 'ns'), figure('share-of-step', share, 'ratio')],
            operations,
            facts,
          ),
          ...(host && { host }),
        },
        fixes: withFirst(FIX_FOR[dominantActivity(host) ?? 'user-code'], fixes),
      },
    };
  },
});

/** The fixes with that of the dominant activity before all others. */
function withFirst(first: Fix | undefined, fixes: Fix[]): Fix[] {
  return first ? [first, ...fixes.filter((f) => f.id !== first.id)] : fixes;
}
