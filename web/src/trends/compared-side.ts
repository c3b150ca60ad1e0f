import { weightedMedian } from './baseline-levels';
import { pointsIn, type TrendPlot } from './trend-plot';
import { type TimeRange, type TrendQuery } from './trend-question';

/** More ids than that make an address that not everything takes; then the runs are named by what they have in common. */
const MOST_IDS = 20;

/** Runs that were chosen. */
export interface Side {
  range: TimeRange;
  runs: number;
  median: number;
  /** Null where they are not known. */
  runIds: readonly string[] | null;
  seriesIds: readonly string[];
}

/** The runs of a range. */
export function sideOf(plot: TrendPlot, range: TimeRange): Side {
  const points = pointsIn(plot, range).map(({ point }) => point);
  const ids = points.flatMap(({ runId, runs }) => (runId !== null && runs === 1 ? [runId] : []));
  return {
    range,
    runs: points.reduce((sum, { runs }) => sum + runs, 0),
    median: weightedMedian(points),
    runIds: ids.length === points.length ? ids : null,
    seriesIds: plot.lines.flatMap(({ seriesIds }) => seriesIds),
  };
}

/** One side of a comparison, as it stands in an address: ids of runs, or conditions. */
export function comparedSide(query: TrendQuery, { range, runIds, seriesIds }: Side): string {
  if (runIds !== null && runIds.length <= MOST_IDS) return runIds.join(',');
  const { model, cluster, workload, branch, tag } = query;
  const seriesId = query.seriesId ?? (seriesIds.length === 1 ? seriesIds[0] : undefined);
  // The end of the range is in it, and for the API the first time that is not.
  const [from, to] = [range.fromMs, range.toMs + 1].map((ms) => new Date(ms).toISOString());
  const conditions = Object.entries({ seriesId, model, cluster, workload, branch, tag, from, to });
  const told = conditions.filter((one): one is [string, string] => one[1] !== undefined);
  return new URLSearchParams(told).toString();
}
