import { type TimeRange } from './trend-question';
import { type TrendLine, type TrendPoint } from './trend-lines';

/** More lines than that cannot be told apart. */
export const MOST_LINES = 8;
/** A pointer is on a point from so near, pixels. */
const NEAR_PX = 24;

/** A commit on the axis: runs of it that follow each other, of whichever line. */
interface Slot {
  commit: string | null;
  fromMs: number;
  toMs: number;
}

export interface PlottedPoint {
  point: TrendPoint;
  line: number;
  /** Place on the axis: a time, or the number of a commit. */
  x: number;
}

/** Where points stand: over time, or one commit beside the other. */
export interface TrendPlot {
  lines: readonly TrendLine[];
  /** In the order of the axis. */
  points: readonly PlottedPoint[];
  /** Null where the axis is time. */
  slots: readonly Slot[] | null;
}

export function plotOf(lines: readonly TrendLine[], byCommit: boolean): TrendPlot {
  const shown = lines.slice(0, MOST_LINES);
  const points = shown
    .flatMap((line, i) => line.points.map((point): PlottedPoint => ({ point, line: i, x: point.atMs })))
    .sort((a, b) => a.x - b.x);
  if (!byCommit) return { lines: shown, points, slots: null };
  const slots: Slot[] = [];
  for (const plotted of points) {
    const { commit = null, atMs } = plotted.point;
    const last = slots.at(-1);
    if (last?.commit === commit) last.toMs = atMs;
    else slots.push({ commit, fromMs: atMs, toMs: atMs });
    plotted.x = slots.length - 1;
  }
  return { lines: shown, points, slots };
}

/** The place of a time on the axis: its own, or the first commit that ran then or later. */
export function placeOf({ slots }: TrendPlot, atMs: number): number {
  if (!slots) return atMs;
  const i = slots.findIndex(({ toMs }) => toMs >= atMs);
  return i < 0 ? slots.length - 1 : i;
}

/** The time between two places of the axis, in either order. */
export function rangeBetween({ slots }: TrendPlot, a: number, b: number): TimeRange {
  const [from, to] = a < b ? [a, b] : [b, a];
  if (!slots) return { fromMs: from, toMs: to };
  const at = (i: number) => slots[Math.min(slots.length - 1, Math.max(0, Math.round(i)))];
  return { fromMs: at(from).fromMs, toMs: at(to).toMs };
}

/** Points of the lines in a time. */
export function pointsIn({ points }: TrendPlot, { fromMs, toMs }: TimeRange): PlottedPoint[] {
  return points.filter(({ point: { atMs } }) => atMs >= fromMs && atMs <= toMs);
}

/** How places of the axes and pixels of the chart belong together. */
export interface Projection {
  toPx: (x: number, value: number) => readonly [number, number];
  toX: (px: number) => number;
}

/** Index of the point under the pointer; undefined where there is none near. */
export function pointNear(
  { points }: TrendPlot,
  { toPx, toX }: Projection,
  px: number,
  py: number,
): number | undefined {
  const least = toX(px - NEAR_PX);
  let best: { i: number; distance: number } | undefined;
  for (let i = firstFrom(points, least); i < points.length; i++) {
    const [x, y] = toPx(points[i].x, points[i].point.value);
    if (x > px + NEAR_PX) break;
    const distance = Math.hypot(x - px, y - py);
    if (distance <= NEAR_PX && (!best || distance < best.distance)) best = { i, distance };
  }
  return best?.i;
}

/** Index of the first point from this place on. */
function firstFrom(points: readonly PlottedPoint[], x: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle].x < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
