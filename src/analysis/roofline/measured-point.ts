import { type DtypeId, parseDtype } from '../gpu-specs/dtype';
import { type GpuSpec } from '../gpu-specs/gpu-spec';
import { isFp32CoreGemm, isTensorCoreKernel, kernelClass } from '../timeline/kernel-class';
import { NS_PER_S } from '../units/time';
import { peakFor } from './device-roofs';
import { type LaunchGroup } from './launch-groups';
import { type MeasuredKernel } from './measured-schema';

/** Arithmetic of a kernel, as far as it was counted. */
interface Arithmetic {
  /** NaN when a part of it was not counted. */
  flop: number;
  matrixFlop: number;
  vectorFlop: number;
  dtype: DtypeId | null;
  flopKind: 'matrix' | 'vector' | null;
  /** Matrix operands with zeros by convention: the dense peak is no roof for them. */
  sparse: boolean;
}

/** What is known of a measured kernel by itself, without a trace. */
export type MeasuredPoint = Omit<MeasuredKernel, 'inTrace' | 'modelled' | 'disagreements'>;

/** Where a measured kernel stands in the roofline of `spec`. */
export function measuredPoint(group: LaunchGroup, spec: GpuSpec | null): MeasuredPoint {
  const { durationNs, memoryBytes } = group;
  const arithmetic = arithmeticOf(group);
  const { flop, flopKind, dtype } = arithmetic;
  const perSec = (amount: number): number | null => known((amount / durationNs) * NS_PER_S);
  const roof = spec && roofOf(spec, arithmetic, memoryBytes);
  return {
    source: 'measured',
    name: group.name,
    gridSize: group.gridSize,
    blockSize: group.blockSize,
    launches: group.launches,
    durationNs: known(durationNs),
    flop: known(flop),
    memoryBytes: known(memoryBytes),
    flopKind,
    dtype,
    flopPerSec: perSec(flop),
    bytesPerSec: perSec(memoryBytes),
    intensityFlopPerByte: memoryBytes > 0 ? known(flop / memoryBytes) : null,
    memoryRatio: known(group.memoryRatio),
    computeRatio: known(group.computeRatio),
    occupancyRatio: known(group.occupancyRatio),
    roof: roof?.roof ?? null,
    leastNs: roof?.leastNs ?? null,
    efficiencyRatio: roof ? known(roof.leastNs / durationNs) : null,
  };
}

function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function arithmeticOf({ name, matrix, vectorFlop }: LaunchGroup): Arithmetic {
  const operations = matrix ?? (usesMatrixUnits(name) ? null : []);
  const matrixFlop = operations ? operations.reduce((sum, m) => sum + m.flop, 0) : NaN;
  const [first] = [...(operations ?? [])].sort((a, b) => b.flop - a.flop);
  const isMatrix = first !== undefined && !(vectorFlop > matrixFlop);
  return {
    flop: matrixFlop + vectorFlop,
    matrixFlop,
    vectorFlop,
    dtype: isMatrix ? (parseDtype(first.operands)?.id ?? null) : null,
    flopKind: Number.isNaN(matrixFlop) ? null : isMatrix ? 'matrix' : 'vector',
    sparse: operations?.some((m) => m.sparse) ?? false,
  };
}

/** By its name, where the export does not count matrix operations. */
function usesMatrixUnits(name: string): boolean {
  if (isTensorCoreKernel(name)) return true;
  return ['gemm', 'attention', 'convolution'].includes(kernelClass(name)) && !isFp32CoreGemm(name);
}

/** The least time that memory, matrix units or vector units need; null when one that may decide is not known. */
function roofOf(
  spec: GpuSpec,
  { flop, matrixFlop, vectorFlop, dtype, sparse }: Arithmetic,
  memoryBytes: number,
): { roof: 'compute' | 'memory'; leastNs: number } | null {
  const bandwidth = spec.memoryBandwidthBytesPerSec.value;
  if (bandwidth === null || Number.isNaN(memoryBytes) || Number.isNaN(flop) || sparse) return null;
  const memoryNs = (memoryBytes / bandwidth) * NS_PER_S;
  const computeNs = Math.max(
    timeAtPeak(matrixFlop, peakFor(spec, { flopKind: 'matrix', dtype })),
    timeAtPeak(vectorFlop, peakFor(spec, { flopKind: 'vector', dtype: null })),
  );
  if (Number.isNaN(computeNs)) return null;
  return computeNs >= memoryNs
    ? { roof: 'compute', leastNs: computeNs }
    : { roof: 'memory', leastNs: memoryNs };
}

function timeAtPeak(flop: number, peak: { flopPerSec: number } | null): number {
  if (flop === 0) return 0;
  return peak ? (flop / peak.flopPerSec) * NS_PER_S : NaN;
}
