import { type Operation } from '../report-schema';
import { type Intervals, overlapMeter } from '../timeline/intervals';
import { HostEventKind, type RankTimeline } from '../timeline/rank-timeline';
import { type RankAttribution } from './attribute-rank';

const DEFAULT_LIMIT = 5;

/**
 * Host events that ran during the given times of the counted steps, by the time they overlap them, longest first: what a
 * person finds in the trace above the idle device. Step markers are left out, and so are events that another listed
 * event of the same name encloses.
 */
export function hostOperationsDuring(
  ranks: readonly RankAttribution[],
  during: (rank: RankAttribution) => Intervals | undefined,
  limit = DEFAULT_LIMIT,
): Operation[] {
  const totals = new Map<string, Operation>();
  for (const attribution of ranks) {
    const intervals = during(attribution);
    if (intervals && intervals.count > 0) addOverlaps(totals, attribution, intervals);
  }
  return [...totals.values()]
    .sort((a, b) => b.totalNs - a.totalNs || (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

function addOverlaps(
  totals: Map<string, Operation>,
  { rank, timeline, windows }: RankAttribution,
  during: Intervals,
): void {
  const { host, strings } = timeline;
  const counted = windows.windows.filter((w) => w.excluded === null);
  if (counted.length === 0) return;
  const fromNs = counted[0].startNs;
  const toNs = counted[counted.length - 1].endNs;
  const overlap = overlapMeter(during);
  const lastEndByName = new Map<number, number>();
  for (let i = 0; i < host.count; i++) {
    const startNs = Math.max(host.startNs[i], fromNs);
    const endNs = Math.min(host.endNs[i], toNs);
    const nameId = host.nameId[i];
    if (startNs >= endNs || endNs <= (lastEndByName.get(nameId) ?? -Infinity)) continue;
    const overlapNs = overlap(startNs, endNs);
    if (overlapNs === 0) continue;
    const name = strings.get(nameId);
    if (/^ProfilerStep#?\d+$/.test(name)) continue;
    lastEndByName.set(nameId, endNs);
    let total = totals.get(`${rank} ${name}`);
    if (!total) {
      total = { name, kind: kindName(timeline, i), count: 0, totalNs: 0, rank };
      totals.set(`${rank} ${name}`, total);
    }
    total.count++;
    total.totalNs += overlapNs;
  }
}

const KIND_NAMES: Readonly<Record<number, string>> = {
  [HostEventKind.op]: 'operator',
  [HostEventKind.annotation]: 'annotation',
  [HostEventKind.runtime]: 'runtime call',
  [HostEventKind.python]: 'python frame',
  [HostEventKind.overhead]: 'profiler overhead',
};

function kindName({ host }: RankTimeline, i: number): string {
  return KIND_NAMES[host.kind[i]] ?? 'host event';
}
