import { z } from 'zod';

const amount = z.number().nonnegative();
const count = z.number().int().nonnegative();

/** Why one side is believed; `about` says what the sides differ in. */
export const disagreementSchema = z.object({
  about: z.enum(['flop', 'bytes', 'duration']),
  measured: amount,
  /** By the shapes of the operator; for durations the mean in the trace. */
  modelled: amount,
  believed: z.enum(['measured', 'trace']),
  /**
   * `counted`: the hardware counts what shapes can only tell. `more-than-least`: shapes give the least that must move.
   * `from-cache`: what another kernel left in the cache was not moved again. `profiled-alone`: Nsight Compute empties
   * caches, sets clocks and runs kernels one by one, so its times are not those of the training.
   */
  reason: z.enum(['counted', 'more-than-least', 'from-cache', 'profiled-alone']),
});

/** One kernel with one size of launch, as Nsight Compute measured it; figures are means over its launches. */
export const measuredKernelSchema = z.object({
  source: z.literal('measured'),
  name: z.string(),
  gridSize: z.string(),
  blockSize: z.string(),
  launches: count,
  durationNs: amount.nullable(),
  /** Null when the export does not count all of its arithmetic. */
  flop: amount.nullable(),
  /** Read from and written to the device's memory. */
  memoryBytes: amount.nullable(),
  flopKind: z.enum(['matrix', 'vector']).nullable(),
  /** Of the matrix operands; null for vector arithmetic and where it is not counted. */
  dtype: z.string().nullable(),
  flopPerSec: amount.nullable(),
  bytesPerSec: amount.nullable(),
  intensityFlopPerByte: amount.nullable(),
  /** Parts of the peaks at the profiler's clocks, as it says itself; they need no catalogue. */
  memoryRatio: amount.nullable(),
  computeRatio: amount.nullable(),
  occupancyRatio: amount.nullable(),
  roof: z.enum(['compute', 'memory']).nullable(),
  /** Time at the roof, and its part of `durationNs`: never clipped. */
  leastNs: amount.nullable(),
  efficiencyRatio: amount.nullable(),
  /** The same kernel in the counted steps of the traces; null when it is not there, or there is no trace. */
  inTrace: z.object({ count, totalNs: amount }).nullable(),
  /** The operator that ran it there with the same work; null when none is certain. */
  modelled: z
    .object({
      op: z.string(),
      inputDims: z.string(),
      flop: amount,
      leastBytes: amount,
      /** Mean duration of the kernel there. */
      durationNs: amount,
    })
    .nullable(),
  disagreements: z.array(disagreementSchema),
});

/** Measured points of the roofline, beside the modelled ones in `roofline`. */
export const measuredKernelsSchema = z.object({
  gpu: z.object({
    name: z.string().nullable(),
    specId: z.string().nullable(),
    reason: z.string().nullable(),
  }),
  /** By time in the trace, then by their own, longest first. */
  kernels: z.array(measuredKernelSchema),
  /** Kernels beyond those. */
  kernelsLeftOut: count,
});

export type MeasuredKernel = z.infer<typeof measuredKernelSchema>;
export type MeasuredKernels = z.infer<typeof measuredKernelsSchema>;
export type Disagreement = z.infer<typeof disagreementSchema>;
