import { type OptionsInUse } from '../advice/options-in-use';
import { hostOperationsDuring } from '../attribution/host-operations';
import { type Fix } from '../report-schema';
import { defineRule, evidence, figure, fix, MIN_SHARE, NO_MEAN_STEP } from './define-rule';

/** Mean kernel time below which a bigger batch, or fewer and larger kernels, is worth naming first. */
const SHORT_KERNELS_SHARE = 0.5;

/** The device waits between kernels because the host launches them late, or had to wait for the device itself. */
export const launchOverhead = defineRule({
  id: 'launch-overhead',
  bottleneck: 'launch-overhead',
  diagnose(facts, options) {
    const { step, kernels, deviceRanks } = facts;
    if (!step) return NO_MEAN_STEP;
    const { launchGapNs, syncWaitNs } = step.idle;
    const costNs = launchGapNs + syncWaitNs;
    const share = costNs / step.wallNs;
    if (share < MIN_SHARE)
      return {
        outcome: 'absent',
        reason: `late launches leave the device idle for ${(100 * share).toFixed(1)} % of the step`,
      };
    const launches = kernels.count / Math.max(1, kernels.stepCount);
    const shortShare = kernels.count > 0 ? kernels.shortCount / kernels.count : 0;
    return {
      outcome: 'finding',
      diagnosis: {
        costNs,
        stepNs: step.wallNs,
        // Recording slows launches, so a small share may be the profiler's own.
        confidence: share >= 0.2 ? 'high' : 'medium',
        evidence: evidence(
          [
            figure('launch-gap', launchGapNs, 'ns'),
            figure('sync-wait', syncWaitNs, 'ns'),
            figure('share-of-step', share, 'ratio'),
            figure('kernel-launches', launches, 'count'),
            figure('short-kernel-ratio', shortShare, 'ratio'),
            figure('mean-kernel', kernels.count > 0 ? kernels.totalNs / kernels.count : 0, 'ns'),
          ],
          hostOperationsDuring(deviceRanks, (r) =>
            syncWaitNs > launchGapNs ? r.device?.idle.syncWait : r.device?.idle.launchGap,
          ),
          facts,
        ),
        fixes: fixes(options, launches, shortShare, syncWaitNs > launchGapNs),
      },
    };
  },
});

/** Largest effect first; what the run does already is left out. */
function fixes(options: OptionsInUse, launches: number, shortShare: number, syncFirst: boolean): Fix[] {
  const sync = fix('remove-host-syncs');
  const launchesPerStep = Math.round(launches);
  const fewer = [
    ...(options.isOn('compile') ? [] : [fix('compile-reduce-overhead', { launchesPerStep })]),
    ...(options.isOn('cuda-graphs')
      ? [fix('graph-the-rest', { launchesPerStep })]
      : [fix('cuda-graphs', { launchesPerStep })]),
    ...(options.isOn('fused-optimizer')
      ? []
      : [fix('fused-optimizer', { formNow: options.form('fused-optimizer') })]),
    ...(options.isOn('flash-attention') ? [] : [fix('flash-attention')]),
    ...(shortShare >= SHORT_KERNELS_SHARE
      ? [fix('larger-batch', { shortKernelShare: Math.round(100 * shortShare) / 100 })]
      : []),
  ];
  const last = options.isOn('device-max-connections') ? [] : [fix('one-connection')];
  return [...(syncFirst ? [sync, ...fewer] : [...fewer, sync]), ...last];
}
