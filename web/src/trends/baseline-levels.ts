import { type TrendLine } from './trend-lines';
import { type TrendMark } from './trend-marks';

/** What runs of a line are judged by, from one accepted change of its level to the next. */
export interface BaselineLevel {
  fromMs: number;
  toMs: number;
  median: number;
  /** Changes within the band are below the noise floor. */
  low: number;
  high: number;
}

/** Fewer points are no level. */
const LEAST_POINTS = 3;

/**
 * The levels of a line of one series: medians of its runs without those of regressions. None where runs of several branches
 * are in one line, whose levels differ.
 */
export function baselineLevels(
  { seriesIds, points, value }: TrendLine,
  marks: readonly TrendMark[],
  { noiseFloorRatio, isByBranch }: { noiseFloorRatio: number; isByBranch: boolean },
): BaselineLevel[] {
  if (seriesIds.length !== 1 || points.length === 0) return [];
  const own = marks.filter(
    (mark) => mark.seriesId === seriesIds[0] && (!isByBranch || (mark.branch ?? null) === value),
  );
  if (new Set(own.map(({ branch }) => branch)).size > 1) return [];
  const isBaseline = ({ kind }: TrendMark) => kind === 'improved' || kind === 'accepted';
  const starts = own.filter(isBaseline).map(({ atMs }) => atMs);
  const bounds = [-Infinity, ...new Set(starts.sort((a, b) => a - b)), Infinity];
  const lastMs = points[points.length - 1].atMs;
  return bounds.slice(0, -1).flatMap((startMs, i) => {
    const within = points.filter(({ atMs }) => atMs >= startMs && atMs < bounds[i + 1]);
    const good = within.filter(({ atMs }) => !own.some((mark) => isBad(mark, atMs)));
    if (good.length < LEAST_POINTS) return [];
    const median = weightedMedian(good);
    const margin = Math.abs(median) * noiseFloorRatio;
    const [fromMs, toMs] = [within[0].atMs, Math.min(bounds[i + 1], lastMs)];
    return [{ fromMs, toMs, median, low: median - margin, high: median + margin }];
  });
}

/** Whether a run of that time is of a regression. One that is resolved and never was good again was accepted, or none. */
function isBad({ kind, regression }: TrendMark, atMs: number): boolean {
  if (kind !== 'regressed' || regression === null) return false;
  const { firstBadAt, goodAgainAt, state } = regression;
  const untilMs =
    goodAgainAt !== null ? Date.parse(goodAgainAt) : state === 'resolved' ? -Infinity : Infinity;
  return atMs >= Date.parse(firstBadAt) && atMs < untilMs;
}

/** The median over all runs, as far as points of several runs tell it. */
export function weightedMedian(points: readonly { value: number; runs: number }[]): number {
  const sorted = [...points].sort((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { runs }) => sum + runs, 0) / 2;
  let seen = 0;
  for (const [i, { value, runs }] of sorted.entries()) {
    seen += runs;
    if (seen === half && i + 1 < sorted.length) return (value + sorted[i + 1].value) / 2;
    if (seen >= half) return value;
  }
  return NaN;
}
