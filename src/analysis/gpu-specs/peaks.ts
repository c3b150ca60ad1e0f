import { type DtypeId } from './dtype';
import { type GpuSpec, type PeakId } from './gpu-spec';

/** The arithmetic roof for a number format. */
export interface PeakChoice {
  /** Dense; for `int8` operations per second. */
  flopPerSec: number;
  peakId: PeakId;
  source: string;
  /** Set when the GPU has no unit for the format itself and another one does the work. */
  note: string | null;
}

const AS_FP32 = 'the GPU has no TF32 unit; libraries then compute in FP32';

/** Peaks that may serve a format, best first. FP32 never counts as TF32: whether TF32 is on, the run has to say. */
const CANDIDATES: Partial<Record<DtypeId, readonly (readonly [PeakId, string | null])[]>> = {
  fp64: [
    ['fp64Tensor', null],
    ['fp64', null],
  ],
  fp32: [
    ['fp32Tensor', null],
    ['fp32', null],
  ],
  tf32: [
    ['tf32', null],
    ['fp32Tensor', AS_FP32],
    ['fp32', AS_FP32],
  ],
  bf16: [['bf16', null]],
  fp16: [['fp16', null]],
  fp8: [['fp8', null]],
  fp4: [['fp4', null]],
  int8: [['int8', null]],
};

/**
 * Dense peak of `spec` for matrix products in `dtype`, or null when the GPU has no unit for it (bf16 on V100), its figure is
 * not published, or the format is none that matrix units take (int64, bool).
 */
export function peakFlopPerSec(spec: GpuSpec, dtype: DtypeId): PeakChoice | null {
  for (const [peakId, note] of CANDIDATES[dtype] ?? []) {
    const figure = spec.peaks[peakId];
    if (figure.value !== null) return { flopPerSec: figure.value, peakId, source: figure.source, note };
  }
  return null;
}

/**
 * Flop per byte above which arithmetic and not memory is the roof: peak flop/s over memory bandwidth (Williams, Waterman and
 * Patterson, "Roofline", 2009). Null when either is not known.
 */
export function ridgePoint(spec: GpuSpec, dtype: DtypeId): number | null {
  const peak = peakFlopPerSec(spec, dtype);
  const bandwidth = spec.memoryBandwidthBytesPerSec.value;
  return peak === null || bandwidth === null ? null : peak.flopPerSec / bandwidth;
}
