import { difference, intersection, type Intervals, totalWithinNs, unionOf } from '../timeline/intervals';
import { type Collective } from '../timeline/rank-timeline';
import { stepAt, type RankAttribution } from './attribute-rank';

/** One collective on one rank. */
export interface CollectiveOnRank {
  rank: number;
  /** On the rank's own clock. */
  startNs: number;
  endNs: number;
}

/** One collective, matched over all ranks of its group. */
export interface MatchedCollective {
  name: string;
  args: Collective | null;
  /** Shortest duration over the ranks: from the arrival of the last rank on, all transfer. */
  transferNs: number;
  onRanks: CollectiveOnRank[];
}

export interface ClockOffset {
  rank: number;
  /** Add to the rank's absolute times to get those of the first rank. */
  offsetNs: number;
  /** Median absolute deviation of the collective ends after the correction. */
  residualNs: number;
}

export interface CrossRank {
  matchedBy: 'sequence' | 'order';
  collectives: MatchedCollective[];
  /** Collectives seen on some rank and not matched. */
  unmatched: number;
  clockOffsets: ClockOffset[];
  /** Per rank: exposed time inside collectives before the last rank came, and after. */
  exposedWait: Map<number, Intervals>;
  exposedTransfer: Map<number, Intervals>;
}

/**
 * Matches collectives over ranks by process group and sequence number, or, where the trace carries none, by their order
 * of launch within the profiled steps, and splits each rank's time in them into waiting and transfer.
 * All ranks of the run must be given.
 */
export function matchCollectives(ranks: readonly RankAttribution[]): CrossRank {
  const perRank = ranks.map(listCollectives);
  const bySequence = perRank.every((list) => list.length > 0 && list.every((c) => c.args?.sequence != null));
  const keyed = new Map<string, { listed: ListedCollective; rank: number }[]>();
  perRank.forEach((list, r) => {
    const ordinals = new Map<string, number>();
    for (const listed of list) {
      const group = listed.args?.processGroup ?? '';
      const ordinal = ordinals.get(group) ?? 0;
      ordinals.set(group, ordinal + 1);
      const key = `${group}\u0000${bySequence ? listed.args?.sequence : ordinal}`;
      const entries = keyed.get(key);
      if (entries) entries.push({ listed, rank: r });
      else keyed.set(key, [{ listed, rank: r }]);
    }
  });

  const collectives: MatchedCollective[] = [];
  let unmatched = 0;
  for (const entries of keyed.values()) {
    const [first] = entries;
    const expected = first.listed.args?.groupSize ?? ranks.length;
    const same = entries.every((e) => sameOperation(e.listed, first.listed));
    if (entries.length !== Math.min(expected, ranks.length) || entries.length < 2 || !same) {
      unmatched += entries.length;
      continue;
    }
    collectives.push({
      name: first.listed.args?.name ?? first.listed.name,
      args: first.listed.args,
      transferNs: Math.min(...entries.map((e) => e.listed.endNs - e.listed.startNs)),
      onRanks: entries.map((e) => ({
        rank: ranks[e.rank].rank,
        startNs: e.listed.startNs,
        endNs: e.listed.endNs,
      })),
    });
  }
  return {
    matchedBy: bySequence ? 'sequence' : 'order',
    collectives,
    unmatched,
    clockOffsets: estimateClockOffsets(ranks, collectives),
    ...splitExposed(ranks, collectives),
  };
}

interface ListedCollective {
  name: string;
  args: Collective | null;
  startNs: number;
  endNs: number;
}

/** Collective kernels that the profiled steps launched, in order of launch. Ranks profile the same steps. */
function listCollectives({ timeline, windows, device }: RankAttribution): ListedCollective[] {
  if (!device) return [];
  const { device: ops, host, collectives, strings } = timeline;
  const listed: { launchNs: number; op: number }[] = [];
  for (const op of device.activity.opIndices) {
    const launch = ops.launchIndex[op];
    if (device.activity.isCollective[op] === 0 || launch < 0) continue;
    if (stepAt(windows.windows, host.startNs[launch]) >= 0)
      listed.push({ launchNs: host.startNs[launch], op });
  }
  listed.sort((a, b) => a.launchNs - b.launchNs || a.op - b.op);
  return listed.map(({ op }) => ({
    name: strings.get(ops.nameId[op]),
    args: ops.collectiveIndex[op] >= 0 ? collectives[ops.collectiveIndex[op]] : null,
    startNs: ops.startNs[op],
    endNs: ops.endNs[op],
  }));
}

function sameOperation(a: ListedCollective, b: ListedCollective): boolean {
  return a.args && b.args
    ? a.args.name === b.args.name && a.args.groupSize === b.args.groupSize && a.args.dtype === b.args.dtype
    : a.name === b.name;
}

/** Everybody leaves a collective at the same moment, so ends tell the clocks apart; starts do not. */
function estimateClockOffsets(
  ranks: readonly RankAttribution[],
  collectives: readonly MatchedCollective[],
): ClockOffset[] {
  const [reference, ...others] = ranks;
  // Origins are absolute and near each other, so their difference fits a double.
  const originDifferenceNs = new Map(
    others.map(({ rank, timeline }) => [rank, Number(reference.timeline.originNs - timeline.originNs)]),
  );
  const differences = new Map<number, number[]>(others.map(({ rank }) => [rank, []]));
  for (const { onRanks } of collectives) {
    const there = onRanks.find((c) => c.rank === reference.rank);
    if (!there) continue;
    for (const { rank, endNs } of onRanks) {
      differences.get(rank)?.push(there.endNs + (originDifferenceNs.get(rank) ?? 0) - endNs);
    }
  }
  return others.map(({ rank }) => {
    const ofRank = differences.get(rank) ?? [];
    const offsetNs = median(ofRank);
    return { rank, offsetNs, residualNs: median(ofRank.map((d) => Math.abs(d - offsetNs))) };
  });
}

function splitExposed(
  ranks: readonly RankAttribution[],
  collectives: readonly MatchedCollective[],
): Pick<CrossRank, 'exposedWait' | 'exposedTransfer'> {
  const parts = new Map(ranks.map(({ rank }) => [rank, { waits: [] as Range[], transfers: [] as Range[] }]));
  for (const { onRanks, transferNs } of collectives) {
    for (const { rank, startNs, endNs } of onRanks) {
      parts.get(rank)?.waits.push([startNs, endNs - transferNs]);
      parts.get(rank)?.transfers.push([endNs - transferNs, endNs]);
    }
  }
  const exposedWait = new Map<number, Intervals>();
  const exposedTransfer = new Map<number, Intervals>();
  for (const { rank, device } of ranks) {
    const part = parts.get(rank);
    if (!device || !part) continue;
    const exposed = device.activity.exposedCommunication;
    const transfer = unionOf(part.transfers);
    exposedTransfer.set(rank, intersection(exposed, transfer));
    exposedWait.set(rank, intersection(exposed, difference(unionOf(part.waits), transfer)));
  }
  return { exposedWait, exposedTransfer };
}

type Range = [startNs: number, endNs: number];

/** Median; 0 for nothing. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : Math.round((sorted[middle - 1] + sorted[middle]) / 2);
}

/** Mean length of `intervals` in the counted steps of a rank, ns per step. */
export function meanPerStepNs({ windows }: RankAttribution, intervals: Intervals | undefined): number {
  const counted = windows.windows.filter((w) => w.excluded === null);
  if (!intervals || counted.length === 0) return 0;
  return Math.round(
    counted.reduce((sum, w) => sum + totalWithinNs(intervals, w.startNs, w.endNs), 0) / counted.length,
  );
}
