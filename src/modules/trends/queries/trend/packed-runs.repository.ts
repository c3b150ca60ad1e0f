import { type TeamScope } from '../../../../platform/database';
import { Prisma } from '../../../../platform/database/generated/client';

const { sql } = Prisma;
const dayMs = 86_400_000;
/** With more gaps than that few runs are packed, and all of them are read from the points at once. */
const MOST_GAPS = 100;

/** Runs of one branch and metric of a series. */
export interface PackedRange {
  seriesId: string;
  seriesMetricId: bigint;
  branch: string;
  from?: Date;
  to?: Date;
  withRunIds: boolean;
  /** More than that may be given, which tells that there are more. */
  limit: number;
}

/** Runs that follow each other, as columns of JSON without their brackets. */
export interface RunFragment {
  runs: number;
  atMs: string;
  value: string;
  /** Null where not asked for. */
  runIds: string | null;
}

interface PackedDay extends RunFragment {
  /** Since 1970. */
  day: number;
}

/** From then and until before then, ms since 1970; null is no bound. */
interface Gap {
  fromMs: number | null;
  toMs: number | null;
}

/** Runs in the order of time: packed days, and the points of the time between them. Undefined where that is no gain. */
export async function listFragments(
  scope: TeamScope,
  range: PackedRange,
): Promise<RunFragment[] | undefined> {
  const days = await scope.$queryRaw<PackedDay[]>(packedDays(scope.teamId, range));
  const gaps = gapsBetween(
    days.map(({ day }) => day),
    range,
  );
  if (days.length === 0 || gaps.length > MOST_GAPS) return undefined;
  const loose = await scope.$queryRaw<(RunFragment & { gap: number })[]>(pointsOf(scope.teamId, range, gaps));
  const starting = [
    ...days.map(({ day, ...fragment }) => ({ startMs: day * dayMs, fragment })),
    ...loose.map(({ gap, ...fragment }) => ({ startMs: gaps[gap - 1].fromMs ?? -Infinity, fragment })),
  ];
  return starting.sort((a, b) => a.startMs - b.startMs).map(({ fragment }) => fragment);
}

/** Whole days of the range that are packed and not touched since; none when they alone are more than the limit. */
export function packedDays(teamId: string, range: PackedRange): Prisma.Sql {
  const { seriesId, seriesMetricId, branch, from, to, withRunIds, limit } = range;
  const firstDay = from && Math.ceil(from.getTime() / dayMs);
  const endDay = to && Math.floor(to.getTime() / dayMs);
  const epoch = sql`DATE '1970-01-01'`;
  return sql`
    WITH whole AS MATERIALIZED (
      SELECT d.day, d.runs FROM packed_days d
      WHERE d.team_id = ${teamId}::uuid AND d.series_metric_id = ${seriesMetricId}::bigint AND d.branch = ${branch}
        ${firstDay === undefined ? Prisma.empty : sql`AND d.day >= ${epoch} + ${firstDay}::integer`}
        ${endDay === undefined ? Prisma.empty : sql`AND d.day < ${epoch} + ${endDay}::integer`}
        AND NOT EXISTS (
          SELECT FROM touched_days t
          WHERE t.team_id = ${teamId}::uuid AND t.series_id = ${seriesId}::uuid AND t.branch = d.branch AND t.day = d.day))
    SELECT d.day - ${epoch} AS day, d.runs, d.at_ms AS "atMs", d.value,
      ${withRunIds ? sql`d.run_ids` : sql`NULL::text`} AS "runIds"
    FROM whole w JOIN packed_days d ON d.team_id = ${teamId}::uuid AND d.series_metric_id = ${seriesMetricId}::bigint
      AND d.branch = ${branch} AND d.day = w.day
    WHERE (SELECT sum(runs) FROM whole) <= ${limit}::integer
    ORDER BY d.day`;
}

/** The same columns of the runs in each gap, which are numbered from 1; gaps without runs are left out, and so is what is beyond the limit. */
function pointsOf(teamId: string, range: PackedRange, gaps: readonly Gap[]): Prisma.Sql {
  const { seriesMetricId, branch, withRunIds, limit } = range;
  const times = (bounds: (number | null)[], otherwise: string) =>
    bounds.map((ms) => (ms === null ? otherwise : new Date(ms).toISOString()));
  const froms = times(
    gaps.map(({ fromMs }) => fromMs),
    '-infinity',
  );
  const tos = times(
    gaps.map(({ toMs }) => toMs),
    'infinity',
  );
  const inOrder = sql`ORDER BY p.at, p.run_id`;
  return sql`
    SELECT p.gap::integer AS gap, count(*)::integer AS runs,
      string_agg(round(date_part('epoch', p.at) * 1000)::bigint::text, ',' ${inOrder}) AS "atMs",
      string_agg(p.value::text, ',' ${inOrder}) AS value,
      ${withRunIds ? sql`string_agg('"' || p.run_id || '"', ',' ${inOrder})` : sql`NULL::text`} AS "runIds"
    FROM (
      SELECT g.gap, p.at, p.value, p.run_id
      FROM unnest(${froms}::timestamptz[], ${tos}::timestamptz[]) WITH ORDINALITY AS g(from_at, to_at, gap)
      JOIN points p ON p.team_id = ${teamId}::uuid AND p.series_metric_id = ${seriesMetricId}::bigint AND p.branch = ${branch}
        AND p.at >= g.from_at AND p.at < g.to_at
      LIMIT ${limit + 1}::integer) p
    GROUP BY p.gap`;
}

/** The times of the range that are in none of the days, which are in order. */
function gapsBetween(days: readonly number[], { from, to }: Pick<PackedRange, 'from' | 'to'>): Gap[] {
  const gaps: Gap[] = [];
  let fromMs = from?.getTime() ?? null;
  for (const day of days) {
    if (fromMs === null || fromMs < day * dayMs) gaps.push({ fromMs, toMs: day * dayMs });
    fromMs = (day + 1) * dayMs;
  }
  const toMs = to?.getTime() ?? null;
  if (toMs === null || fromMs === null || fromMs < toMs) gaps.push({ fromMs, toMs });
  return gaps;
}
