import { type RunFacts } from '../attribution/run-facts';
import { type KernelMeasurements } from '../formats/ncu-csv/kernel-measurements';
import { type GpuOverride } from '../gpu-specs/override';
import { type DeviceRoofs, findDeviceRoofs, roofsOfGpu } from './device-roofs';
import { canonicalKernelName } from './kernel-name';
import { groupLaunches } from './launch-groups';
import { measuredPoint, type MeasuredPoint } from './measured-point';
import { type Disagreement, type MeasuredKernel, type MeasuredKernels } from './measured-schema';
import { type KernelOp, type TraceKernel, traceKernels } from './trace-kernels';

/** Bounds of a report's lists and texts. */
const MAX_KERNELS = 40;
const MAX_TEXT_CHARS = 240;

/**
 * Measured points of the roofline, each beside what the trace and the shapes of its operator say of the same kernel. Null
 * without measurements.
 */
export function measureKernels(
  measurements: readonly KernelMeasurements[],
  facts: RunFacts,
  override: GpuOverride | null,
): MeasuredKernels | null {
  if (measurements.length === 0) return null;
  const { name, spec, reason } = gpuOf(measurements, facts, override);
  const points = groupLaunches(measurements).map((group) => measuredPoint(group, spec));
  const inTrace = traceKernels(facts, new Set(points.map((p) => canonicalKernelName(p.name))));
  const kernels = points.map((point) => beside(point, inTrace.get(canonicalKernelName(point.name)) ?? null));
  kernels.sort(
    (a, b) =>
      (b.inTrace?.totalNs ?? 0) - (a.inTrace?.totalNs ?? 0) || (b.durationNs ?? 0) - (a.durationNs ?? 0),
  );
  return {
    gpu: { name, specId: spec?.id ?? null, reason },
    kernels: kernels.slice(0, MAX_KERNELS),
    kernelsLeftOut: Math.max(0, kernels.length - MAX_KERNELS),
  };
}

/** The GPU that the export names, else the run's. */
function gpuOf(
  measurements: readonly KernelMeasurements[],
  { deviceRanks, metadata }: RunFacts,
  override: GpuOverride | null,
): DeviceRoofs {
  const named = measurements.map((m) => m.gpuName).find((name) => name !== null) ?? null;
  if (named === null && deviceRanks.length > 0) return findDeviceRoofs(deviceRanks[0], override);
  return roofsOfGpu(named ?? metadata.map((m) => m.gpu).find((name) => name !== null) ?? null, override);
}

function beside(point: MeasuredPoint, kernel: TraceKernel | null): MeasuredKernel {
  const op = kernel && sameWork(point, kernel.ops);
  const modelled = op && {
    op: op.op,
    inputDims: op.inputDims.slice(0, MAX_TEXT_CHARS),
    flop: op.flop,
    leastBytes: op.leastBytes,
    durationNs: op.totalNs / op.calls,
  };
  return {
    ...point,
    name: point.name.slice(0, MAX_TEXT_CHARS),
    inTrace: kernel && { count: kernel.count, totalNs: kernel.totalNs },
    modelled,
    disagreements: op && modelled ? compare(point, op, modelled.durationNs) : [],
  };
}

/** Shapes decide which of the operators that ran a kernel it was measured for. */
const SAME_FLOP = 1.02;
const SAME_DURATION = 1.5;

/**
 * The operator with exactly this arithmetic; else the only one that the kernel and its grid served, if it took about as long
 * and its shapes do not say otherwise. What was measured at another shape is not compared.
 */
function sameWork(
  { flopKind, flop, gridSize, durationNs }: MeasuredPoint,
  ops: readonly KernelOp[],
): KernelOp | null {
  const blocks = blocksOf(gridSize);
  const sized = ops.filter((op) => blocks === null || op.gridBlocks === 0 || op.gridBlocks === blocks);
  const duration = (op: KernelOp): number => factor(op.totalNs / op.calls, durationNs ?? NaN);
  const counted = flopKind === 'matrix' && flop !== null;
  const exact = counted ? sized.filter((op) => op.isMatrix && factor(op.flop, flop) <= SAME_FLOP) : [];
  if (exact.length > 0) return nearest(exact, duration);
  const [only, other] = sized;
  if (!only || other || (counted && only.isCertain)) return null;
  return duration(only) <= SAME_DURATION ? only : null;
}

function nearest(ops: readonly KernelOp[], distance: (op: KernelOp) => number): KernelOp {
  return ops.reduce((best, op) => (distance(op) < distance(best) ? op : best));
}

/** By how much the larger one is larger. */
function factor(a: number, b: number): number {
  return Math.max(a, b) / Math.min(a, b);
}

/** `(2, 66, 1)` are 132 blocks. */
function blocksOf(gridSize: string): number | null {
  const dims = gridSize.match(/\d{1,10}/g)?.map(Number);
  return dims && dims.length === 3 ? dims[0] * dims[1] * dims[2] : null;
}

/** Differences below these are no disagreement: of counts, of bytes against their least, of times. */
const NOTABLE = { flop: 1.1, bytes: 1.25, duration: 1.25 } as const;

function compare(point: MeasuredPoint, op: KernelOp, traceNs: number): Disagreement[] {
  const differs = (about: Disagreement['about'], measured: number | null, modelled: number): boolean =>
    measured !== null && modelled > 0 && factor(measured, modelled) > NOTABLE[about];
  const found: Disagreement[] = [];
  const { flop, memoryBytes, durationNs } = point;
  // What counts as one operation of an elementwise function is a convention; of a product it is not.
  if (op.isMatrix && flop !== null && differs('flop', flop, op.flop))
    found.push({ about: 'flop', measured: flop, modelled: op.flop, believed: 'measured', reason: 'counted' });
  if (memoryBytes !== null && differs('bytes', memoryBytes, op.leastBytes))
    found.push({
      about: 'bytes',
      measured: memoryBytes,
      modelled: op.leastBytes,
      believed: 'measured',
      reason: memoryBytes > op.leastBytes ? 'more-than-least' : 'from-cache',
    });
  if (durationNs !== null && differs('duration', durationNs, traceNs))
    found.push({
      about: 'duration',
      measured: durationNs,
      modelled: traceNs,
      believed: 'trace',
      reason: 'profiled-alone',
    });
  return found;
}
