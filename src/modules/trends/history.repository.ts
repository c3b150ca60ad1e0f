import { median } from '../../analysis';
import { type TeamScope } from '../../platform/database';
import { type BadInterval } from './series-levels';

/** One run of one metric of a series. */
export interface HistoryPoint {
  metricId: string;
  at: Date;
  runId: string;
  value: number;
  commit: string | null;
}

/** What a run of a series is read against. */
export interface SeriesPosition {
  seriesId: string;
  branch: string;
  /** Only runs up to then, and, of the same time, up to the run. */
  at: Date;
  runId: string;
}

/** Runs of each metric that are looked at: what a verdict stands on, and room for runs that are taken out. */
const RUNS_LOOKED_AT = 150;

/**
 * The latest points of every metric of a series and branch up to a run, that run among them, oldest first: what was known
 * when it ran, also when it was uploaded later than others.
 *
 * @param without times whose other runs do not count, however many they are.
 */
export async function listHistory(
  { teamId, $queryRaw }: TeamScope,
  { seriesId, branch, at, runId }: SeriesPosition,
  without: readonly BadInterval[] = [],
): Promise<HistoryPoint[]> {
  const [from, until] = [without.map((one) => one.from), without.map((one) => one.until)];
  return $queryRaw<HistoryPoint[]>`
    SELECT m.metric_id AS "metricId", p.at, p.run_id AS "runId", p.value, r.commit
    FROM series_metrics m
    CROSS JOIN LATERAL (
      SELECT q.at, q.run_id, q.value FROM points q
      WHERE q.team_id = ${teamId}::uuid AND q.series_metric_id = m.id AND q.branch = ${branch}
        AND (q.at, q.run_id) <= (${at}, ${runId}::uuid)
        -- A young branch of a series of many runs: the points before it are not looked through. Points have whole ms.
        AND q.at >= (
          SELECT date_trunc('milliseconds', min(coalesce(o.started_at, o.created_at))) FROM runs o
          WHERE o.team_id = ${teamId}::uuid AND o.series_id = ${seriesId}::uuid AND coalesce(o.branch, '') = ${branch})
        AND (q.run_id = ${runId}::uuid OR NOT EXISTS (
          SELECT 1 FROM unnest(${from}::timestamptz[], ${until}::timestamptz[]) AS bad("from", "until")
          WHERE q.at >= bad."from" AND (bad."until" IS NULL OR q.at < bad."until")))
      ORDER BY q.at DESC, q.run_id DESC LIMIT ${RUNS_LOOKED_AT}) p
    JOIN runs r ON r.id = p.run_id AND r.team_id = ${teamId}::uuid
    WHERE m.team_id = ${teamId}::uuid AND m.series_id = ${seriesId}::uuid
    ORDER BY m.metric_id, p.at, p.run_id`;
}

/**
 * Points by metric, in order. Runs of one instant have no order among them: they are one point, the median, that stands for its
 * first run.
 */
export function byMetric(points: readonly HistoryPoint[]): Map<string, HistoryPoint[]> {
  const instants = new Map<string, HistoryPoint[][]>();
  for (const point of points) {
    const known = instants.get(point.metricId) ?? [];
    instants.set(point.metricId, known);
    const last = known.at(-1);
    if (last?.[0].at.getTime() === point.at.getTime()) last.push(point);
    else known.push([point]);
  }
  const together = (runs: readonly HistoryPoint[]) => ({
    ...runs[0],
    value: median(runs.map(({ value }) => value)),
  });
  return new Map([...instants].map(([id, known]) => [id, known.map(together)]));
}
