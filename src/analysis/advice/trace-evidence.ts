import { meanPerStepNs } from '../attribution/cross-rank';
import { type RankAttribution, stepAt } from '../attribution/attribute-rank';
import { memoize } from '../attribution/device-activity';
import { type KernelTotal } from '../attribution/kernel-summary';
import { type RunFacts } from '../attribution/run-facts';
import {
  firstEndingAfter,
  intersection,
  type Intervals,
  IntervalsBuilder,
  NO_INTERVALS,
  totalNs,
  unionOf,
} from '../timeline/intervals';
import { DeviceOpKind, HostEventKind } from '../timeline/rank-timeline';

/** Host events of one name and kind in the counted steps of all ranks. */
export interface HostName {
  name: string;
  /** `HostEventKind`. */
  kind: number;
  count: number;
}

/** What the traces of a run show by name. Built once per run. */
export interface TraceEvidence {
  facts: RunFacts;
  hostNames: HostName[];
  /** True when operators, runtime calls, Python frames or kernels were recorded at all; without them nothing is "off". */
  recorded: { operators: boolean; runtime: boolean; python: boolean; kernels: boolean };
}

export function gatherEvidence(facts: RunFacts): TraceEvidence {
  const totals = new Map<string, HostName>();
  for (const attribution of facts.ranks) countHostNames(attribution, totals);
  const hostNames = [...totals.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const has = (kind: number): boolean => hostNames.some((h) => h.kind === kind);
  return {
    facts,
    hostNames,
    recorded: {
      operators: has(HostEventKind.op),
      runtime: has(HostEventKind.runtime),
      python: has(HostEventKind.python),
      kernels: facts.kernels.count > 0,
    },
  };
}

/** In the counted steps, or in the whole trace where there are none. */
function countHostNames({ timeline, windows }: RankAttribution, totals: Map<string, HostName>): void {
  const { host, strings } = timeline;
  const counted = windows.windows.filter((w) => w.excluded === null);
  const counts = new Map<number, number>();
  const kinds = Object.keys(HostEventKind).length;
  for (let i = 0; i < host.count; i++) {
    if (counted.length > 0 && stepAt(counted, host.startNs[i]) < 0) continue;
    const key = host.nameId[i] * kinds + host.kind[i];
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [key, count] of counts) {
    const kind = key % kinds;
    const name = strings.get((key - kind) / kinds);
    const known = totals.get(`${kind} ${name}`);
    if (known) known.count += count;
    else totals.set(`${kind} ${name}`, { name, kind, count });
  }
}

/** The most frequent host event whose name matches, with the count of all that do; null when there is none. */
export function findHost(
  { hostNames }: TraceEvidence,
  pattern: RegExp,
  kinds?: readonly number[],
): HostName | null {
  const found = hostNames.filter((h) => (!kinds || kinds.includes(h.kind)) && pattern.test(h.name));
  return found.length > 0 ? { ...found[0], count: found.reduce((sum, h) => sum + h.count, 0) } : null;
}

/** Copies and fills stand among the kernels of a summary. */
const MEMORY_OPERATION = /^Mem(cpy|set) /;

/** The longest-running kernel that matches, with count and time of all that do; null when there is none. */
export function findKernels(
  { facts }: TraceEvidence,
  matches: (kernel: KernelTotal) => boolean,
): { name: string; count: number; perStepNs: number } | null {
  const found = facts.kernels.byName.filter((k) => !MEMORY_OPERATION.test(k.name) && matches(k));
  if (found.length === 0) return null;
  const totalNs = found.reduce((sum, k) => sum + k.totalNs, 0);
  return {
    name: found[0].name,
    count: found.reduce((sum, k) => sum + k.count, 0),
    perStepNs: Math.round(totalNs / Math.max(1, facts.kernels.stepCount)),
  };
}

/**
 * Compute time on the device that host events of the given names launched in the counted steps, whenever it ran: the host
 * may be steps ahead. Ns per counted step, mean over ranks; recording does not slow the device, so it holds without the
 * profiler as well.
 */
export function deviceNsUnder(
  { facts }: TraceEvidence,
  matches: (name: string, kind: number) => boolean,
): number {
  const perRank = facts.deviceRanks.flatMap((rank) => {
    const counted = rank.windows.windows.filter((w) => w.excluded === null);
    return counted.length > 0 ? [totalNs(launchedUnder(rank, counted, matches)) / counted.length] : [];
  });
  return perRank.length > 0 ? Math.round(perRank.reduce((a, b) => a + b, 0) / perRank.length) : 0;
}

function launchedUnder(
  { timeline, device: attributed }: RankAttribution,
  counted: RankAttribution['windows']['windows'],
  matches: (name: string, kind: number) => boolean,
): Intervals {
  if (!attributed) return NO_INTERVALS;
  const { device, host, strings } = timeline;
  const regions = new Map<number, IntervalsBuilder>();
  const kinds = Object.keys(HostEventKind).length;
  const isWanted = memoize((key) => matches(strings.get((key - (key % kinds)) / kinds), key % kinds));
  for (let i = 0; i < host.count; i++) {
    if (!isWanted(host.nameId[i] * kinds + host.kind[i])) continue;
    const thread = host.threadIndex[i];
    let builder = regions.get(thread);
    if (!builder) regions.set(thread, (builder = new IntervalsBuilder(256)));
    builder.add(host.startNs[i], host.endNs[i]);
  }
  const built = new Map([...regions].map(([thread, builder]) => [thread, builder.build()]));
  const kernels: [number, number][] = [];
  for (const i of attributed.activity.opIndices) {
    const launch = device.launchIndex[i];
    if (launch < 0 || device.kind[i] !== DeviceOpKind.kernel) continue;
    const region = built.get(host.threadIndex[launch]);
    const launchNs = host.startNs[launch];
    if (region && covers(region, launchNs) && stepAt(counted, launchNs) >= 0)
      kernels.push([device.startNs[i], device.endNs[i]]);
  }
  return intersection(unionOf(kernels), attributed.activity.compute);
}

/**
 * Time that the device waits for launches while the host is inside events of the given names: the traced time, taken down
 * as far as all launch gaps of the run are without the profiler. Ns per counted step, mean over ranks.
 */
export function launchGapNsUnder(
  { facts }: TraceEvidence,
  matches: (name: string, kind: number) => boolean,
): number {
  const perRank = facts.deviceRanks.flatMap((rank) => {
    const gaps = rank.device?.idle.launchGap;
    const calibrated = facts.stepByRank.get(rank.rank);
    if (!gaps || !calibrated) return [];
    const tracedNs = meanPerStepNs(rank, gaps);
    if (tracedNs === 0) return [0];
    const underNs = meanPerStepNs(rank, intersection(gaps, hostTimes(rank, matches)));
    return [underNs * (calibrated.idle.launchGapNs / tracedNs)];
  });
  return perRank.length > 0 ? Math.round(perRank.reduce((a, b) => a + b, 0) / perRank.length) : 0;
}

function hostTimes(
  { timeline }: RankAttribution,
  matches: (name: string, kind: number) => boolean,
): Intervals {
  const { host, strings } = timeline;
  const kinds = Object.keys(HostEventKind).length;
  const isWanted = memoize((key) => matches(strings.get((key - (key % kinds)) / kinds), key % kinds));
  const times = new IntervalsBuilder(64);
  for (let i = 0; i < host.count; i++) {
    if (isWanted(host.nameId[i] * kinds + host.kind[i])) times.add(host.startNs[i], host.endNs[i]);
  }
  return times.build();
}

function covers(region: Intervals, timeNs: number): boolean {
  const i = firstEndingAfter(region, timeNs);
  return i < region.count && region.startNs[i] <= timeNs;
}
