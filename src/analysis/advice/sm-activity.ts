import { type RankAttribution, stepAt } from '../attribution/attribute-rank';
import { type RunFacts } from '../attribution/run-facts';
import { DeviceOpKind } from '../timeline/rank-timeline';

/** Kernel time without a grid above this share makes the figure unusable (AMD traces give none). */
const MAX_UNKNOWN_SHARE = 0.05;

export type SmActivity = { ratio: number } | { reason: string };

/**
 * Mean share of multiprocessors that have a block to run while any kernel runs, 0 to 1: `min(1, Σ blocks/SMs)` over the
 * kernels of the moment, in the counted steps of all ranks. An upper bound: blocks may end early, and several may share an
 * SM.
 */
export function smActivity({ deviceRanks }: RunFacts): SmActivity {
  if (deviceRanks.length === 0) return { reason: 'the trace has no device activity' };
  let weightedNs = 0;
  let kernelNs = 0;
  for (const rank of deviceRanks) {
    const smCount = smCountOf(rank);
    if (smCount === null) return { reason: 'the trace does not say how many multiprocessors the device has' };
    const ofRank = busyTimes(rank, smCount);
    if (ofRank === null) return { reason: 'kernels carry no launch grid in this trace' };
    weightedNs += ofRank.weightedNs;
    kernelNs += ofRank.kernelNs;
  }
  return kernelNs > 0
    ? { ratio: weightedNs / kernelNs }
    : { reason: 'the trace has no kernels in its counted steps' };
}

function smCountOf({ timeline, device }: RankAttribution): number | null {
  const { devices } = timeline.metadata;
  const used = devices.find((d) => d.id === device?.activity.deviceId) ?? devices.at(0);
  return used?.smCount ? used.smCount : null;
}

interface BusyTimes {
  /** Time with a kernel. */
  kernelNs: number;
  /** The same, each moment weighted by the share of busy multiprocessors. */
  weightedNs: number;
}

/** Of the kernels that start in the counted steps of a rank; null when too much of their time has no grid. */
function busyTimes({ timeline, windows, device }: RankAttribution, smCount: number): BusyTimes | null {
  if (!device) return { kernelNs: 0, weightedNs: 0 };
  const { device: ops } = timeline;
  const counted = windows.windows.filter((w) => w.excluded === null);
  const edges: { timeNs: number; share: number; kernels: number }[] = [];
  let knownNs = 0;
  let unknownNs = 0;
  for (const i of device.activity.opIndices) {
    if (ops.kind[i] !== DeviceOpKind.kernel || stepAt(counted, ops.startNs[i]) < 0) continue;
    const durationNs = ops.endNs[i] - ops.startNs[i];
    const blocks = ops.gridBlocks[i];
    if (!(blocks > 0)) {
      unknownNs += durationNs;
      continue;
    }
    knownNs += durationNs;
    const share = Math.min(1, blocks / smCount);
    edges.push(
      { timeNs: ops.startNs[i], share, kernels: 1 },
      { timeNs: ops.endNs[i], share: -share, kernels: -1 },
    );
  }
  if (unknownNs > MAX_UNKNOWN_SHARE * (knownNs + unknownNs)) return null;
  edges.sort((a, b) => a.timeNs - b.timeNs);
  const times = { kernelNs: 0, weightedNs: 0 };
  let activeShare = 0;
  let activeKernels = 0;
  let lastNs = 0;
  for (const { timeNs, share, kernels } of edges) {
    if (activeKernels > 0) {
      times.kernelNs += timeNs - lastNs;
      times.weightedNs += Math.min(1, Math.max(0, activeShare)) * (timeNs - lastNs);
    }
    activeShare += share;
    activeKernels += kernels;
    lastNs = timeNs;
  }
  return times;
}
