import { NS_PER_S } from '../units/time';
import { type CostedOp } from './attributed-work';
import { type DeviceRoofs, type OpRoof, peakFor } from './device-roofs';
import { convolution } from './op-costs/convolution';
import { type OpRoofline, type RooflineAnomaly } from './roofline-schema';

/** Calls of one op with the same inputs and format, over the counted steps of all ranks. */
export interface OpGroup {
  first: CostedOp;
  roofs: DeviceRoofs;
  roof: OpRoof['roof'] | null;
  calls: number;
  recomputeCalls: number;
  deviceNs: number;
  shareNs: number;
  leastNs: number;
}

/** Sorts ops into groups. */
export class OpGroups {
  private readonly groups = new Map<string, OpGroup>();

  /** The group of `op`, made when it is the first of its kind; its time and calls are the caller's to add. */
  of(op: CostedOp, roofs: DeviceRoofs, roof: OpRoof | null): OpGroup {
    const { call, cost } = op;
    const key = `${call.name}\n${call.inputDims}\n${call.inputTypes}\n${cost.dtype ?? ''} ${cost.flop} ${cost.leastBytes}`;
    let group = this.groups.get(key);
    if (!group) {
      const zero = { calls: 0, recomputeCalls: 0, deviceNs: 0, shareNs: 0, leastNs: 0 };
      group = { first: op, roofs, roof: roof?.roof ?? null, ...zero };
      this.groups.set(key, group);
    }
    return group;
  }

  /** Groups that took device time, longest first. */
  list(): OpGroup[] {
    return [...this.groups.values()]
      .filter((g) => g.calls > 0 || g.shareNs > 0)
      .sort((a, b) => b.deviceNs - a.deviceNs || (a.first.call.name < b.first.call.name ? -1 : 1));
  }
}

/** Longest text of dimensions and types in a report. */
const MAX_TEXT_CHARS = 240;

/** What a report says of a group. */
export function describeGroup(group: OpGroup): OpRoofline {
  const { call, cost } = group.first;
  const flop = cost.flop * group.calls;
  const leastBytes = cost.leastBytes * group.calls;
  const perSec = (amount: number): number | null =>
    group.deviceNs > 0 ? (amount / group.deviceNs) * NS_PER_S : null;
  const peak = group.roofs.spec && peakFor(group.roofs.spec, cost);
  return {
    op: call.name,
    family: call.family.id,
    inputDims: call.inputDims.slice(0, MAX_TEXT_CHARS),
    inputTypes: call.inputTypes.slice(0, MAX_TEXT_CHARS),
    calls: group.calls,
    recomputeCalls: group.recomputeCalls,
    deviceNs: group.deviceNs,
    shareNs: group.shareNs,
    flop,
    leastBytes,
    flopPerSec: perSec(flop),
    bytesPerSec: perSec(leastBytes),
    intensityFlopPerByte: leastBytes > 0 ? flop / leastBytes : null,
    dtype: cost.dtype,
    flopKind: cost.flopKind,
    ridgeFlopPerByte: peak?.ridgeFlopPerByte ?? null,
    roof: group.roof,
    leastNs: group.roof === null ? null : group.leastNs,
    efficiencyRatio: efficiencyOf(group),
    notes: [...cost.notes],
  };
}

function efficiencyOf({ roof, leastNs, deviceNs }: OpGroup): number | null {
  return roof === null || deviceNs === 0 ? null : leastNs / deviceNs;
}

/** Timers and peaks are no more exact than this; peers use the same. */
const ANOMALOUS_EFFICIENCY = 1.1;
/** Last-level caches of the GPUs in use are smaller (H200 50 MB, B200 126 MB, MI300X 256 MB). */
const MAX_CACHE_BYTES = 256 * 2 ** 20;

/** Groups that are faster than their roof allows, longest first. */
export function findAnomalies(groups: readonly OpGroup[]): RooflineAnomaly[] {
  return groups.flatMap((group) => {
    const efficiencyRatio = efficiencyOf(group);
    if (group.roof === null || efficiencyRatio === null || efficiencyRatio <= ANOMALOUS_EFFICIENCY) return [];
    const { call } = group.first;
    const inputDims = call.inputDims.slice(0, MAX_TEXT_CHARS);
    const { roof, deviceNs } = group;
    return [{ op: call.name, inputDims, roof, efficiencyRatio, deviceNs, likelyCause: likelyCause(group) }];
  });
}

function likelyCause({ first: { call, cost }, roof }: OpGroup): RooflineAnomaly['likelyCause'] {
  if (roof === 'memory') return cost.leastBytes <= MAX_CACHE_BYTES ? 'inputs-in-cache' : 'expanded-inputs';
  if (call.family === convolution) return 'fast-convolution';
  return cost.notes.includes('flop-upper-bound') ? 'flop-upper-bound' : 'unknown';
}
