import { type RankAttribution } from '../attribution/attribute-rank';
import { totalWithinNs, unionOf } from '../timeline/intervals';
import { DeviceOpKind } from '../timeline/rank-timeline';

/** Time of compute kernels within the counted steps, by device op, ns. */
export interface KernelShares {
  /** All of it. */
  withinNs: Float64Array;
  /**
   * Its part of the union of compute kernels. Time that kernels share (on several streams, or on one with programmatic launch)
   * belongs to the one that began first, so the parts sum exactly to the union.
   */
  shareNs: Float64Array;
}

/** Measures each compute kernel of a rank's device. */
export function computeKernelShares({ timeline, device: parts, windows }: RankAttribution): KernelShares {
  const { device } = timeline;
  const withinNs = new Float64Array(device.count);
  const shareNs = new Float64Array(device.count);
  if (!parts) return { withinNs, shareNs };
  const counted = unionOf(
    windows.windows.filter((w) => w.excluded === null).map((w) => [w.startNs, w.endNs]),
  );
  let coveredUntilNs = -Infinity;
  for (const i of parts.activity.opIndices) {
    if (device.kind[i] !== DeviceOpKind.kernel || parts.activity.isCollective[i] === 1) continue;
    const endNs = device.endNs[i];
    withinNs[i] = totalWithinNs(counted, device.startNs[i], endNs);
    if (endNs <= coveredUntilNs) continue;
    shareNs[i] = totalWithinNs(counted, Math.max(device.startNs[i], coveredUntilNs), endNs);
    coveredUntilNs = endNs;
  }
  return { withinNs, shareNs };
}
