import { hostEvidence } from '../evidence/host-evidence';
import { hostOperationsDuring } from '../attribution/host-operations';
import { pinnedCopyShare } from '../attribution/copy-memory';
import { type RunFacts } from '../attribution/run-facts';
import { type Fix } from '../report-schema';
import { defineRule, evidence, figure, fix, MIN_SHARE, NO_MEAN_STEP } from './define-rule';

/** The device waits for its input: the loader is late, or the copy that feeds it is. */
export const inputPipeline = defineRule({
  id: 'input-pipeline-starvation',
  bottleneck: 'input-pipeline',
  diagnose(facts) {
    const { step, deviceRanks } = facts;
    if (!step) return NO_MEAN_STEP;
    const copyNs = step.exposedHostToDeviceNs;
    const costNs = step.idle.inputWaitNs + copyNs;
    const share = costNs / step.wallNs;
    if (share < MIN_SHARE)
      return {
        outcome: 'absent',
        reason: `input wait and exposed copies take ${percent(share)} of the step`,
      };
    const operations = hostOperationsDuring(deviceRanks, (r) => r.device?.idle.inputWait);
    // Worker processes are where a late batch is made; without them the training loop makes it itself.
    const host = hostEvidence(facts.evidence.hostProfile, ['loader-worker', 'main']);
    return {
      outcome: 'finding',
      diagnosis: {
        costNs,
        stepNs: step.wallNs,
        // Without a wait for the loader, what is copied may be weights as well as input.
        confidence: share >= 2 * MIN_SHARE && step.idle.inputWaitNs > 0 ? 'high' : 'medium',
        evidence: {
          ...evidence(
            [
              figure('input-wait', step.idle.inputWaitNs, 'ns'),
              figure('exposed-host-to-device-copy', copyNs, 'ns'),
              figure('share-of-step', share, 'ratio'),
            ],
            operations,
            facts,
          ),
          ...(host && { host }),
        },
        fixes: fixes(
          facts,
          copyNs > step.idle.inputWaitNs,
          operations.some((o) => /SingleProcess/.test(o.name)),
        ),
      },
    };
  },
});

/** Share of the copied time from which copies are called pinned. */
const MOSTLY = 0.9;

/** The copy first when it costs more than the loader; loader arguments with what the run said about itself. */
function fixes({ metadata, deviceRanks }: RunFacts, copyDominates: boolean, singleProcess: boolean): Fix[] {
  const loader = metadata.find((m) => m.loader)?.loader ?? null;
  // What the trace shows goes before what the run says.
  const told = typeof loader?.num_workers === 'number' ? loader.num_workers : null;
  const workers = singleProcess ? 0 : told;
  const pinned = typeof loader?.pin_memory === 'boolean' ? loader.pin_memory : null;
  // Copies that the trace shows to be pinned run as fast as the bus does.
  const isPinned = (pinnedCopyShare(deviceRanks) ?? 0) >= MOSTLY;
  const pinning = isPinned ? fix('send-less') : fix('pin-memory', { pinMemoryNow: pinned });
  const loading = [
    fix('loader-workers', { workersNow: workers, workersToTry: Math.max(8, (workers ?? 0) * 2) }),
    fix('tokenise-ahead'),
    fix('loader-prefetch', { prefetchFactorToTry: 4 }),
    fix('storage-format'),
  ];
  return copyDominates ? [pinning, ...loading] : [...loading.slice(0, 1), pinning, ...loading.slice(1)];
}

function percent(ratio: number): string {
  return `${(100 * ratio).toFixed(1)} %`;
}
