import { z } from 'zod';
import { PEAK_IDS } from '../gpu-specs/gpu-spec';

const ns = z.number().nonnegative();
const count = z.number().int().nonnegative();

/** What stands above an op: arithmetic, or the memory. */
const roofSchema = z.enum(['compute', 'memory']);

/** A peak that ops of this run are measured against. */
export const peakSchema = z.object({
  /** `matrix` peaks are those of tensor or matrix cores, where the format has them. */
  flopKind: z.enum(['matrix', 'vector']),
  dtype: z.string(),
  flopPerSec: z.number().positive(),
  /** Which figure of the specification it is. */
  peakId: z.enum(PEAK_IDS),
  source: z.string(),
  note: z.string().nullable(),
  /** Flop per byte from which arithmetic is the roof. */
  ridgeFlopPerByte: z.number().positive().nullable(),
});

export const rooflineGpuSchema = z.object({
  /** As the trace names it. */
  name: z.string().nullable(),
  /** Id in the catalogue; null when the GPU is not known, and `reason` then says why and what to do. */
  specId: z.string().nullable(),
  reason: z.string().nullable(),
  memoryBytesPerSec: z.number().positive().nullable(),
  memorySource: z.string().nullable(),
  peaks: z.array(peakSchema),
  /** True when ranks ran on different GPUs: each op is then measured against its own, and the figures here are the first rank's. */
  mixed: z.boolean(),
});

/** All calls of one op with the same inputs, in the counted steps of all ranks. */
export const opRooflineSchema = z.object({
  op: z.string(),
  family: z.string(),
  /** As in the trace, cut to a readable length. */
  inputDims: z.string(),
  inputTypes: z.string(),
  calls: count,
  /** Calls that repeat the forward pass (activation checkpointing). */
  recomputeCalls: count,
  /** Sum of its kernels' durations. */
  deviceNs: ns,
  /** Its part of the union of all compute kernels; time that kernels share goes to the first of them. */
  shareNs: ns,
  flop: z.number().nonnegative(),
  leastBytes: z.number().nonnegative(),
  /** Attained; null when its kernels took no time. */
  flopPerSec: z.number().nonnegative().nullable(),
  bytesPerSec: z.number().nonnegative().nullable(),
  /** Flop per least byte; null without bytes. */
  intensityFlopPerByte: z.number().nonnegative().nullable(),
  /** Format in use; null when only the size of elements is known. */
  dtype: z.string().nullable(),
  flopKind: z.enum(['matrix', 'vector']),
  ridgeFlopPerByte: z.number().positive().nullable(),
  /** Null when the GPU or its peak for the format is not known. */
  roof: roofSchema.nullable(),
  /** Time at the roof. */
  leastNs: ns.nullable(),
  /** `leastNs` over `deviceNs`: never clipped. */
  efficiencyRatio: z.number().nonnegative().nullable(),
  notes: z.array(z.enum(['flop-upper-bound', 'bytes-lower-bound', 'unaligned-dims'])),
});

/**
 * An op above 110 % of its roof: either it does less than its shapes say, or the peak is wrong. `flop-upper-bound`: the causal
 * flag or gradient mask is not visible. `fast-convolution`: Winograd or FFT multiply less than the direct convolution that is
 * counted. `inputs-in-cache`: so small that an earlier op may have left it in the cache. `expanded-inputs`: a broadcast view
 * counts in full, because its strides are not read.
 */
export const rooflineAnomalySchema = z.object({
  op: z.string(),
  inputDims: z.string(),
  roof: roofSchema,
  efficiencyRatio: z.number(),
  deviceNs: ns,
  likelyCause: z.enum([
    'flop-upper-bound',
    'fast-convolution',
    'inputs-in-cache',
    'expanded-inputs',
    'unknown',
  ]),
});

/**
 * Why a kernel has no cost. `graph-replay`: a CUDA graph launches many kernels at once, without ops. `compiled`: generated
 * (Triton) code. `outside-ops`: no operator around the launch. `no-shapes`: recorded without record_shapes.
 * `op-not-modelled`: no cost family knows the op. `inputs-not-modelled`: its inputs do not show enough. `part-of-another-op`:
 * glue of an op whose work another op inside it does.
 */
export const noModelReasonSchema = z.enum([
  'launch-not-recorded',
  'graph-replay',
  'compiled',
  'outside-ops',
  'no-shapes',
  'op-not-modelled',
  'inputs-not-modelled',
  'part-of-another-op',
]);

export const withoutModelSchema = z.object({
  reason: noModelReasonSchema,
  /** Innermost op around the launch, or null. */
  op: z.string().nullable(),
  kernels: count,
  shareNs: ns,
});

/**
 * Sums over the counted steps of all ranks. A step's work is what it launched, whenever that ran: `computeNs` is the union of
 * its compute kernels and the exact sum of the four parts after it.
 */
export const rooflineTotalsSchema = z.object({
  /** Compute kernels within the steps' time, whoever launched them: `computeNs` of the step breakdown. */
  windowComputeNs: ns,
  computeNs: ns,
  computeRoofNs: ns,
  memoryRoofNs: ns,
  /** Ops whose cost is known while the GPU, or its peak for the format, is not. */
  withoutPeakNs: ns,
  withoutModelNs: ns,
  /** Part of `computeNs` in kernels on tensor or matrix cores, by name. */
  tensorCoreNs: ns,
  /** Of the ops with a roof: sum of their kernels' durations, and time at the roofs. Of all ops: what they did. */
  modelledNs: ns,
  modelledLeastNs: ns.nullable(),
  matrixFlop: z.number().nonnegative(),
  vectorFlop: z.number().nonnegative(),
  leastBytes: z.number().nonnegative(),
});

/** Flop of the model in one step of one rank: what has to be computed, whatever is computed again. */
export const modelFlopSchema = z.object({
  /** Sum over op shapes, without recompute; or 6 × parameters × tokens, with 12·L·h·s·tokens where layers are known. */
  from: z.enum(['op-shapes', 'parameters-and-tokens']),
  flopPerStep: z.number().nonnegative(),
  /** Part of it in attention over query-key pairs; null when it is not counted apart or not at all. */
  attentionFlopPerStep: z.number().nonnegative().nullable(),
  /** Share of the time of matrix kernels whose flop is counted; null for parameters and tokens. */
  coverageRatio: z.number().nullable(),
  parameters: z.number().nullable(),
  parametersFrom: z.enum(['metadata', 'declared', 'gradients']).nullable(),
  /** True when some op counts more than it does, for want of its causal flag. */
  upperBound: z.boolean(),
});

const utilizationFigureSchema = z.object({
  value: z.number().nonnegative().nullable(),
  source: z.enum(['modelled', 'notMeasurable']),
  reason: z.string().nullable(),
});

/** Model and hardware flop utilisation of one rank's device, mean over counted steps. */
export const utilizationSchema = z.object({
  mfu: utilizationFigureSchema,
  /** With recompute, and with what fused attention computes again in the backward pass. */
  hfu: utilizationFigureSchema,
  /** Which of `estimates` MFU uses. */
  numerator: z.enum(['op-shapes', 'parameters-and-tokens']).nullable(),
  estimates: z.array(modelFlopSchema),
  /** Flop that were computed per step, as op shapes tell; null when they tell too little. */
  hardwareFlopPerStep: z.number().nonnegative().nullable(),
  /** Dense peak of the format in which most matrix time was spent. */
  denominator: z
    .object({
      dtype: z.string(),
      dtypeFrom: z.enum(['op-shapes', 'metadata', 'declared']),
      flopPerSec: z.number(),
      source: z.string(),
    })
    .nullable(),
  /** Of one rank, as the run's metadata say. */
  tokensPerStep: z.number().nullable(),
  tokensPerSec: z.number().nullable(),
  stepNs: ns.nullable(),
  /**
   * Compute time within the counted steps over that of their work: above 1 when the device was still working off earlier steps.
   * Both figures are multiplied by it. Always 1 with a step time measured without the profiler.
   */
  workRatio: z.number().nonnegative(),
  /** `unprofiled`: measured without the profiler. `trace`: the traced step, which is longer. */
  stepFrom: z.enum(['unprofiled', 'trace']).nullable(),
});

/** Roofline of a run (Williams, Waterman and Patterson, 2009) over the counted steps of all ranks with a device. */
export const rooflineSchema = z.object({
  gpu: rooflineGpuSchema,
  /** Counted steps over all ranks: the denominator of "per step". */
  stepCount: count,
  totals: rooflineTotalsSchema,
  /**
   * Device time of a step if every op with a cost ran at its roof and all others as long as they did; null when no peak is
   * known. Idle time and communication come on top.
   */
  leastStepComputeNs: ns.nullable(),
  /** By device time, longest first. */
  ops: z.array(opRooflineSchema),
  /** Groups beyond those in `ops`, and their time. */
  opsLeftOut: z.object({ groups: count, deviceNs: ns }),
  withoutModel: z.array(withoutModelSchema),
  anomalies: z.array(rooflineAnomalySchema),
  utilization: utilizationSchema,
});

export type RooflineReport = z.infer<typeof rooflineSchema>;
export type OpRoofline = z.infer<typeof opRooflineSchema>;
export type RooflineAnomaly = z.infer<typeof rooflineAnomalySchema>;
export type RooflineTotals = z.infer<typeof rooflineTotalsSchema>;
export type RooflineGpu = z.infer<typeof rooflineGpuSchema>;
export type ModelFlop = z.infer<typeof modelFlopSchema>;
export type Utilization = z.infer<typeof utilizationSchema>;
export type Peak = z.infer<typeof peakSchema>;
export type Roof = z.infer<typeof roofSchema>;
export type NoModelReason = z.infer<typeof noModelReasonSchema>;
