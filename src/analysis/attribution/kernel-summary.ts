import {
  kernelClass,
  type KernelClass,
  isFp32CoreGemm,
  isTensorCoreKernel,
  MEMORY_BOUND_CLASSES,
} from '../timeline/kernel-class';
import { DeviceOpKind } from '../timeline/rank-timeline';
import { type RankAttribution, stepAt } from './attribute-rank';
import { memoize } from './device-activity';

/** Kernels of one name. Durations are sums and may overlap each other. */
export interface KernelTotal {
  name: string;
  class: KernelClass;
  count: number;
  totalNs: number;
}

/** The kernels that the counted steps of all ranks launched. */
export interface KernelSummary {
  /** Counted steps over all ranks, the denominator of "per step". */
  stepCount: number;
  /** By total time, longest first. */
  byName: KernelTotal[];
  count: number;
  totalNs: number;
  /** Kernels shorter than `SHORT_KERNEL_NS`. */
  shortCount: number;
  /** Collectives are left out of the following shares of compute. */
  computeNs: number;
  memoryBoundNs: number;
  fp32CoreGemmNs: number;
  tensorCoreNs: number;
}

/** Below this, launching a kernel takes about as long as running it (field rule of thumb, used by peers as well). */
export const SHORT_KERNEL_NS = 10_000;

/** Sums kernels by name and class over the counted steps. */
export function summarizeKernels(ranks: readonly RankAttribution[]): KernelSummary {
  const totals = new Map<string, KernelTotal>();
  const summary: KernelSummary = {
    stepCount: 0,
    byName: [],
    count: 0,
    totalNs: 0,
    shortCount: 0,
    computeNs: 0,
    memoryBoundNs: 0,
    fp32CoreGemmNs: 0,
    tensorCoreNs: 0,
  };
  for (const { timeline, windows, device } of ranks) {
    if (!device) continue;
    const counted = windows.windows.filter((w) => w.excluded === null);
    summary.stepCount += counted.length;
    const { device: ops, strings } = timeline;
    const totalOf = memoize((nameId) => {
      const name = strings.get(nameId);
      const known = totals.get(name);
      if (known) return known;
      const total: KernelTotal = { name, class: kernelClass(name), count: 0, totalNs: 0 };
      totals.set(name, total);
      return total;
    });
    for (const i of device.activity.opIndices) {
      // Counts go to the step that launched a kernel; without a launch in the file, to the one it ran in.
      const launch = ops.launchIndex[i];
      const atNs = launch >= 0 ? timeline.host.startNs[launch] : ops.startNs[i];
      if (stepAt(counted, atNs) < 0) continue;
      const total = totalOf(ops.nameId[i]);
      const durationNs = ops.endNs[i] - ops.startNs[i];
      if (device.activity.isCollective[i] === 1) total.class = 'collective';
      total.count++;
      total.totalNs += durationNs;
      if (ops.kind[i] !== DeviceOpKind.kernel) continue;
      summary.count++;
      summary.totalNs += durationNs;
      if (durationNs < SHORT_KERNEL_NS) summary.shortCount++;
    }
  }
  summary.byName = [...totals.values()].sort((a, b) => b.totalNs - a.totalNs || (a.name < b.name ? -1 : 1));
  for (const { name, class: kind, totalNs } of summary.byName) {
    if (kind === 'collective' || /^Mem(cpy|set) /.test(name)) continue;
    summary.computeNs += totalNs;
    if (MEMORY_BOUND_CLASSES.has(kind)) summary.memoryBoundNs += totalNs;
    if (isFp32CoreGemm(name)) summary.fp32CoreGemmNs += totalNs;
    if (isTensorCoreKernel(name)) summary.tensorCoreNs += totalNs;
  }
  return summary;
}
