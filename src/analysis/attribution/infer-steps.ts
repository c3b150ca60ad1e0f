import { HostEventKind, type RankTimeline } from '../timeline/rank-timeline';
import { type DeviceActivity, memoize } from './device-activity';

/** A step found by repetition: [startNs, endNs). */
export interface InferredStep {
  startNs: number;
  endNs: number;
}

/** Fewer repetitions prove nothing. */
const MIN_STEPS = 2;
/** Share of the trace that the repetitions must cover to be its steps, and not a part of them. */
const MIN_COVERAGE = 0.6;
/** How far the distance between two repetitions, in operations, may be from the median one. */
const MAX_PERIOD_DEVIATION = 0.05;

/** The framework's range, or one that people set themselves, such as an NVTX range `optimizer step`. */
const OPTIMIZER_STEP = /^Optimizer\.step#|^optim(i[sz]er)?([ _.-](step|update))?$/i;

/**
 * Finds steps by repetition where a trace has no step markers. In order: the ends of optimizer steps; a range of the
 * user or of a framework that recurs and covers most of the trace; a kernel that recurs at a regular distance, the
 * longest such distance being the step (shorter ones are layers). Empty when nothing recurs.
 */
export function inferSteps(timeline: RankTimeline, activity: DeviceActivity | null): InferredStep[] {
  const byOptimizer = between(optimizerEnds(timeline));
  if (byOptimizer.length >= MIN_STEPS) return byOptimizer;
  const byRange = recurringRange(timeline);
  if (byRange.length >= MIN_STEPS) return byRange;
  return activity ? between(recurringKernel(timeline, activity)) : [];
}

/** The times between sorted boundaries; equal ones bound nothing. */
function between(boundariesNs: readonly number[]): InferredStep[] {
  return boundariesNs
    .slice(1)
    .map((endNs, i) => ({ startNs: boundariesNs[i], endNs }))
    .filter(({ startNs, endNs }) => endNs > startNs);
}

/**
 * Ends of the optimizer that runs least often: of several in one step, each ends the same step. Ranges that overlap (on
 * several threads, or nested) end in any order, so the ends are sorted.
 */
function optimizerEnds({ host, strings }: RankTimeline): number[] {
  const isOptimizer = memoize((nameId) => OPTIMIZER_STEP.test(strings.get(nameId)));
  const byName = new Map<number, number[]>();
  for (let i = 0; i < host.count; i++) {
    if (host.kind[i] !== HostEventKind.annotation || !isOptimizer(host.nameId[i])) continue;
    const ends = byName.get(host.nameId[i]);
    if (ends) ends.push(host.endNs[i]);
    else byName.set(host.nameId[i], [host.endNs[i]]);
  }
  const sorted = [...byName.values()].map((ends) => [...new Set(ends)].sort((a, b) => a - b));
  const [rarest] = sorted.sort((a, b) => a.length - b.length || b[0] - a[0]);
  return rarest ?? [];
}

/** The range that recurs (numbers in its name aside) without overlapping itself and covers most of the trace. */
function recurringRange({ host, strings }: RankTimeline): InferredStep[] {
  const stem = memoize((nameId) => strings.get(nameId).replace(/\d+/g, '#'));
  const ranges = new Map<string, InferredStep[]>();
  const nested = new Set<string>();
  let startNs = Infinity;
  let endNs = -Infinity;
  for (let i = 0; i < host.count; i++) {
    startNs = Math.min(startNs, host.startNs[i]);
    endNs = Math.max(endNs, host.endNs[i]);
    if (host.kind[i] !== HostEventKind.annotation) continue;
    const key = `${host.threadIndex[i]} ${stem(host.nameId[i])}`;
    const list = ranges.get(key) ?? [];
    ranges.set(key, list);
    if (list.length > 0 && host.startNs[i] < list[list.length - 1].endNs) nested.add(key);
    list.push({ startNs: host.startNs[i], endNs: host.endNs[i] });
  }
  let best: InferredStep[] = [];
  let bestNs = MIN_COVERAGE * (endNs - startNs);
  for (const [key, list] of ranges) {
    if (nested.has(key) || list.length < MIN_STEPS) continue;
    const coveredNs = list.reduce((sum, r) => sum + r.endNs - r.startNs, 0);
    if (coveredNs > bestNs) [best, bestNs] = [list, coveredNs];
  }
  return best
    .map((range, i) => ({ startNs: range.startNs, endNs: best.at(i + 1)?.startNs ?? range.endNs }))
    .filter(({ startNs, endNs }) => endNs > startNs);
}

/** Starts of the kernel that recurs at the longest regular distance, in operations of the device. */
function recurringKernel({ device }: RankTimeline, { opIndices }: DeviceActivity): number[] {
  const positions = new Map<number, number[]>();
  for (let position = 0; position < opIndices.length; position++) {
    const nameId = device.nameId[opIndices[position]];
    const list = positions.get(nameId);
    if (list) list.push(position);
    else positions.set(nameId, [position]);
  }
  let best: number[] = [];
  let bestPeriod = 1;
  for (const list of positions.values()) {
    if (list.length <= MIN_STEPS) continue;
    const period = (list[list.length - 1] - list[0]) / (list.length - 1);
    if (period <= bestPeriod || period * list.length < MIN_COVERAGE * opIndices.length) continue;
    const regular = list
      .slice(1)
      .every((position, i) => Math.abs(position - list[i] - period) <= MAX_PERIOD_DEVIATION * period);
    if (regular) [best, bestPeriod] = [list, period];
  }
  return best.map((position) => device.startNs[opIndices[position]]);
}
