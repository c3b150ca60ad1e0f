import { collapseRepeats } from '../../../../analysis';
import { gpuOfKey } from '../conditions';
import { type TrendDay } from './trend-days.repository';
import { type PointLane } from './trend-points.repository';
import { type CommitColumns, type DayColumns, type Split } from './trend-schemas';
import { type TrendSeries } from './trend-series.repository';

/** Series of one line of a chart, before branches are told apart. */
export interface LineOfSeries {
  /** Of what the lines are split by; null where it is not known, or they are split by branch or not at all. */
  value: string | null;
  series: TrendSeries[];
}

export interface TrendLine<Columns> {
  value: string | null;
  seriesIds: string[];
  columns: Columns;
}

/** Puts series into lines. */
export function linesOfSeries(series: readonly TrendSeries[], split: Split): LineOfSeries[] {
  const lines = new Map<string | null, LineOfSeries>();
  for (const one of series) {
    const value = valueOf(one, split);
    const line = lines.get(value);
    if (line) line.series.push(one);
    else lines.set(value, { value, series: [one] });
  }
  return [...lines.values()];
}

function valueOf({ id, model, cluster, comparability }: TrendSeries, split: Split): string | null {
  switch (split) {
    case 'series':
      return id;
    case 'model':
      return model;
    case 'cluster':
      return cluster;
    case 'gpu':
      return gpuOfKey(comparability);
    default:
      return null;
  }
}

/** Lines of runs: the lanes of each put together in the order of time. Lines without points are left out. */
export function runLines(
  lines: readonly LineOfSeries[],
  lanes: readonly PointLane[],
): TrendLine<LaneColumns>[] {
  const branches = [...new Set(lanes.map(({ branch }) => branch))].sort();
  return lines.flatMap(({ value, series }) =>
    branches.flatMap((branch) => {
      const keys = new Set(series.map(({ seriesMetricId }) => seriesMetricId));
      const own = lanes.filter((lane) => lane.branch === branch && keys.has(lane.seriesMetricId));
      if (own.length === 0) return [];
      const found = new Set(own.map(({ seriesMetricId }) => seriesMetricId));
      const seriesIds = series.filter(({ seriesMetricId }) => found.has(seriesMetricId)).map(({ id }) => id);
      return [{ value: value ?? (branch || null), seriesIds, columns: mergeLanes(own) }];
    }),
  );
}

type LaneColumns = Pick<PointLane, 'atMs' | 'value' | 'runId' | 'commit'>;

/** One lane is in order but for runs of one instant, which go by their ids where those are known. */
function mergeLanes(lanes: readonly PointLane[]): LaneColumns {
  const [first] = lanes;
  if (lanes.length === 1 && first.atMs.every((at, i) => at !== first.atMs[i - 1])) return first;
  const points = lanes.flatMap(({ atMs, value, runId, commit }) =>
    atMs.map((at, i) => ({ at, value: value[i], runId: runId?.[i] ?? '', commit: commit?.[i] ?? null })),
  );
  points.sort((a, b) => a.at - b.at || (a.runId < b.runId ? -1 : Number(a.runId > b.runId)));
  return {
    atMs: points.map(({ at }) => at),
    value: points.map(({ value }) => value),
    runId: first.runId && points.map(({ runId }) => runId),
    commit: first.commit && points.map(({ commit }) => commit),
  };
}

/** Takes runs of one commit that follow each other for one point. */
export function commitColumns({ atMs, value, runId, commit }: LaneColumns): CommitColumns {
  const points = collapseRepeats(value.map((one, i) => ({ value: one, commit: commit?.[i] ?? null })));
  return {
    atMs: points.map(({ firstIndex }) => atMs[firstIndex]),
    value: points.map((point) => point.value),
    commit: points.map((point) => point.commit),
    runs: points.map(({ runs }) => runs),
    firstRunId: points.map(({ firstIndex }) => runId?.[firstIndex] ?? ''),
  };
}

/** Lines of days. */
export function dayLines(lines: readonly LineOfSeries[], days: readonly TrendDay[]): TrendLine<DayColumns>[] {
  const byLine = new Map<string, TrendDay[]>();
  for (const day of days) {
    const key = JSON.stringify([day.line, day.branch]);
    const known = byLine.get(key);
    if (known) known.push(day);
    else byLine.set(key, [day]);
  }
  return [...byLine.values()].map((own) => {
    const { value, series } = lines[own[0].line];
    return {
      value: value ?? (own[0].branch || null),
      seriesIds: series.map(({ id }) => id),
      columns: {
        day: own.map(({ day }) => day),
        runs: own.map(({ runs }) => runs),
        min: own.map(({ min }) => min),
        p50: own.map(({ p50 }) => p50),
        p95: own.map(({ p95 }) => p95),
        max: own.map(({ max }) => max),
      },
    };
  });
}
