import { type Trend } from './trend-queries';

/** A run, a commit or a day. */
export interface TrendPoint {
  atMs: number;
  /** Of a commit or a day its median. */
  value: number;
  runs: number;
  /** Of a commit that of its first run; null for days. */
  runId: string | null;
  /** Undefined where the answer does not tell commits; null where the run named none. */
  commit?: string | null;
  /** Of a day. */
  spread?: { min: number; p95: number; max: number };
}

export interface TrendLine {
  name: string;
  /** Of what the lines are split by. */
  value: string | null;
  seriesIds: readonly string[];
  points: readonly TrendPoint[];
}

/** The lines of an answer, those with most runs first, named by what tells them apart. */
export function linesOf(trend: Trend): TrendLine[] {
  const lines = trend.lines.map(({ value, seriesIds, ...columns }) => {
    const points = pointsOf(columns);
    return { value, seriesIds, points, runs: points.reduce((sum, { runs }) => sum + runs, 0) };
  });
  lines.sort((a, b) => b.runs - a.runs);
  const nameOf = trend.splitBy === 'series' ? namesOfSeries(trend.series) : null;
  return lines.map(({ runs: _, ...line }) => ({
    ...line,
    name: nameOf?.get(line.value ?? '') ?? line.value ?? (trend.splitBy === 'none' ? 'All runs' : 'Not told'),
  }));
}

function pointsOf({
  runs,
  commits,
  days,
}: Pick<Trend['lines'][number], 'runs' | 'commits' | 'days'>): TrendPoint[] {
  if (runs) {
    const { atMs, value, runId } = runs;
    return atMs.map((at, i) => ({ atMs: at, value: value[i], runs: 1, runId: runId?.[i] ?? null }));
  }
  if (commits) {
    const { atMs, value, commit, runs: counts, firstRunId } = commits;
    return atMs.map((at, i) => {
      return { atMs: at, value: value[i], runs: counts[i], runId: firstRunId[i], commit: commit[i] };
    });
  }
  if (!days) return [];
  const { day, p50, min, p95, max } = days;
  return day.map((one, i) => ({
    ...{ atMs: Date.parse(one), value: p50[i], runs: days.runs[i], runId: null },
    spread: { min: min[i], p95: p95[i], max: max[i] },
  }));
}

/** Names by id: of model, workload, cluster and conditions what is not the same for all. */
function namesOfSeries(series: Trend['series']): Map<string, string> {
  const parts = series.map(({ id, model, workload, cluster, comparability }) => ({
    id,
    parts: [model, workload ?? '', cluster, ...comparability.split(';').map((one) => one.replace('=', ' '))],
  }));
  const isOfAll = (part: string) => parts.every((one) => one.parts.includes(part));
  return new Map(
    parts.map((one) => {
      const own = one.parts.filter((part) => part !== '' && !isOfAll(part));
      const usual = one.parts.slice(0, 3).filter((part) => part !== '');
      return [one.id, (own.length > 0 ? own : usual).join(', ')];
    }),
  );
}
