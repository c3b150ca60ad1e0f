import { type OptionsInUse } from '../advice/options-in-use';
import { type RunFacts } from '../attribution/run-facts';
import { matchGpu } from '../gpu-specs/match-gpu';
import { peakFlopPerSec } from '../gpu-specs/peaks';
import { type Fix, type Operation } from '../report-schema';
import { isFp32CoreGemm, MEMORY_BOUND_CLASSES } from '../timeline/kernel-class';
import { defineRule, evidence, figure, fix, NO_MEAN_STEP } from './define-rule';

/** The device must be the limit before its kernels are blamed. */
const MIN_BUSY_SHARE = 0.8;
/** Shares of kernel time from which a cause is worth naming: well above what a tuned transformer shows (corpus: 32–45 % under the memory roof). */
const MIN_MEMORY_BOUND_SHARE = 0.55;
const MIN_FP32_GEMM_SHARE = 0.15;
/** Saved when the peaks of the GPU are not known: half the bytes alone. */
const FP32_GEMM_SAVED_UNKNOWN = 0.5;
/** Fusing a chain of memory-bound operators saves about every second pass over the data. */
const FUSION_SAVED = 0.5;
/** First NVIDIA compute capability whose matrix units take 32-bit input (Ampere, TF32). */
const TF32_COMPUTE_MAJOR = 8;
const MAX_OPERATIONS = 6;

/** The device is busy with work that does little arithmetic per byte, or does it on the slow cores. */
export const arithmeticIntensity = defineRule({
  id: 'low-arithmetic-intensity',
  bottleneck: 'arithmetic-intensity',
  diagnose(facts, options) {
    const { step, kernels, deviceRanks } = facts;
    if (!step || kernels.computeNs === 0) return NO_MEAN_STEP;
    const busyShare = step.computeNs / step.wallNs;
    if (busyShare < MIN_BUSY_SHARE) {
      return {
        outcome: 'absent',
        reason: `compute runs for ${(100 * busyShare).toFixed(0)} % of the step: the device is not the limit`,
      };
    }
    const memoryBoundShare = kernels.memoryBoundNs / kernels.computeNs;
    const hasTf32 = deviceRanks.some((r) =>
      r.timeline.metadata.devices.some((d) => (d.computeMajor ?? 0) >= TF32_COMPUTE_MAJOR),
    );
    const fp32GemmShare = hasTf32 ? kernels.fp32CoreGemmNs / kernels.computeNs : 0;
    const fp32 = fp32GemmShare >= MIN_FP32_GEMM_SHARE;
    const memoryBound = memoryBoundShare >= MIN_MEMORY_BOUND_SHARE;
    if (!fp32 && !memoryBound) {
      return {
        outcome: 'absent',
        reason: `memory-bound kernels take ${(100 * memoryBoundShare).toFixed(0)} % and 32-bit matrix kernels ${(100 * fp32GemmShare).toFixed(0)} % of kernel time`,
      };
    }
    const savedShare =
      (fp32 ? fp32GemmShare * fp32GemmSaved(facts) : 0) +
      (memoryBound || fp32 ? memoryBoundShare * FUSION_SAVED : 0);
    return {
      outcome: 'finding',
      diagnosis: {
        costNs: step.computeNs * savedShare,
        // Fusion and flash attention may take memory-bound kernels away altogether, 16-bit formats all but the rest of a GEMM.
        ownComputeNs: step.computeNs * (memoryBoundShare + (fp32 ? fp32GemmShare : 0)),
        stepNs: step.wallNs,
        confidence: 'medium',
        evidence: evidence(
          [
            figure('memory-bound-share', memoryBoundShare, 'ratio', 'modelled'),
            figure('fp32-gemm-share', fp32GemmShare, 'ratio', 'modelled'),
            figure('tensor-core-ratio', kernels.tensorCoreNs / kernels.computeNs, 'ratio', 'modelled'),
            figure('compute-share-of-step', busyShare, 'ratio'),
          ],
          kernels.byName
            .filter((k) => MEMORY_BOUND_CLASSES.has(k.class) || isFp32CoreGemm(k.name))
            .slice(0, MAX_OPERATIONS)
            .map((k): Operation => ({
              name: k.name,
              kind: k.class,
              count: k.count,
              totalNs: k.totalNs,
              rank: null,
            })),
          facts,
        ),
        fixes: fixes(options, fp32, hasFp8(facts)),
      },
    };
  },
});

/** Share of a 32-bit GEMM that the GPU's matrix units save in TF32 or bf16, by its dense peaks. */
function fp32GemmSaved({ deviceRanks }: RunFacts): number {
  const device = deviceRanks[0]?.timeline.metadata.devices.at(0);
  const spec = device ? matchGpu(device)?.spec : undefined;
  const slow = spec && peakFlopPerSec(spec, 'fp32')?.flopPerSec;
  const fast = spec && (peakFlopPerSec(spec, 'bf16') ?? peakFlopPerSec(spec, 'tf32'))?.flopPerSec;
  return slow && fast ? Math.max(0, 1 - slow / fast) : FP32_GEMM_SAVED_UNKNOWN;
}

/** First NVIDIA compute capability with FP8 matrix units: Ada 8.9. */
function hasFp8({ deviceRanks }: RunFacts): boolean {
  return deviceRanks.some((r) =>
    r.timeline.metadata.devices.some(
      (d) => (d.computeMajor ?? 0) > 8 || (d.computeMajor === 8 && d.computeMinor === 9),
    ),
  );
}

/** Half the bytes first, then fewer passes over them, then more work per byte. */
function fixes(options: OptionsInUse, fp32: boolean, fp8: boolean): Fix[] {
  return [
    ...(fp32 ? [fix('bf16-autocast'), fix('allow-tf32')] : []),
    ...(options.isOn('flash-attention') ? [] : [fix('flash-attention')]),
    ...(options.isOn('compile') ? [fix('max-autotune')] : [fix('compile-fusion')]),
    ...(options.isOn('fused-optimizer')
      ? []
      : [fix('fused-optimizer', { formNow: options.form('fused-optimizer') })]),
    fix('larger-matrices'),
    ...(fp8 && !fp32 ? [fix('fp8')] : []),
    fix('grouped-query-attention'),
    fix('effective-work'),
  ];
}
