import { type RankAttribution, stepAt } from '../attribution/attribute-rank';
import { totalWithinNs } from '../timeline/intervals';
import { DeviceOpKind } from '../timeline/rank-timeline';

/** The compute kernels that are the work of a rank's counted steps. */
export interface StepWork {
  /** By device op: 1 when it is. */
  counts: Uint8Array;
  /**
   * By device op, its part of the union of these kernels, ns. Time that kernels share (on several streams, or on one with
   * programmatic launch) belongs to the one that began first, so the parts sum exactly to the union.
   */
  shareNs: Float64Array;
  /** Compute kernels within the time of the counted steps, whoever launched them: as in the step breakdown, ns. */
  windowNs: number;
}

/**
 * Finds the work of the counted steps: the kernels that they launched, whenever those ran. A device that lags a step behind
 * its host spends a step's time on the work of another. A kernel whose launch is not in the trace counts for the step in
 * which it starts, unless it was queued before the recording began: a queue runs those before all others.
 */
export function findStepWork({ timeline, device: parts, windows: { windows } }: RankAttribution): StepWork {
  const { device, host } = timeline;
  const work: StepWork = {
    counts: new Uint8Array(device.count),
    shareNs: new Float64Array(device.count),
    windowNs: 0,
  };
  if (!parts) return work;
  const { opIndices, isCollective, compute } = parts.activity;
  const kernels = opIndices.filter((i) => device.kind[i] === DeviceOpKind.kernel && isCollective[i] === 0);
  const isCounted = (timeNs: number): boolean => windows[stepAt(windows, timeNs)]?.excluded === null;

  const firstLaunched = kernels.find((i) => device.launchIndex[i] >= 0);
  const recordedFromNs = firstLaunched === undefined ? -Infinity : device.startNs[firstLaunched];
  let coveredUntilNs = -Infinity;
  for (const i of kernels) {
    const launch = device.launchIndex[i];
    const startNs = device.startNs[i];
    const belongs =
      launch >= 0 ? isCounted(host.startNs[launch]) : startNs >= recordedFromNs && isCounted(startNs);
    if (!belongs) continue;
    work.counts[i] = 1;
    work.shareNs[i] = Math.max(0, device.endNs[i] - Math.max(startNs, coveredUntilNs));
    coveredUntilNs = Math.max(coveredUntilNs, device.endNs[i]);
  }
  for (const { startNs, endNs, excluded } of windows) {
    if (excluded === null) work.windowNs += totalWithinNs(compute, startNs, endNs);
  }
  return work;
}
