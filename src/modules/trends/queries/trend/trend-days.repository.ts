import { type TeamScope } from '../../../../platform/database';
import { Prisma } from '../../../../platform/database/generated/client';
import { pointConditions, type PointRange } from './trend-points.repository';

const { sql } = Prisma;

/** A day of a line: percentiles over all its runs. */
export interface TrendDay {
  line: number;
  /** Empty where branches are not told apart. */
  branch: string;
  /** YYYY-MM-DD, in UTC. */
  day: string;
  runs: number;
  min: number;
  p50: number;
  p95: number;
  max: number;
}

export interface DayRequest extends PointRange {
  /** Of each of `seriesMetricIds`, the number of its line. */
  lines: readonly number[];
  byBranch: boolean;
  /** One day more than that may be given, which tells that there are more. */
  limit: number;
}

/** Values that percentiles are made from, for one answer. */
const MOST_VALUES = 200_000;

/**
 * Days of lines, in order, from the daily values of their series; a range means whole days. Undefined when a line has so many
 * values to merge that it takes too long.
 */
export async function listDays(scope: TeamScope, request: DayRequest): Promise<TrendDay[] | undefined> {
  const days = await scope.$queryRaw<(TrendDay & { isMerged: boolean })[]>(storedDays(scope.teamId, request));
  const merged = days.filter(({ isMerged }) => isMerged);
  if (merged.reduce((sum, { runs }) => sum + runs, 0) > MOST_VALUES) return undefined;
  if (merged.length === 0 || days.length > request.limit) return days;
  const keyOf = ({ line, branch, day }: Pick<TrendDay, 'line' | 'branch' | 'day'>) =>
    JSON.stringify([line, branch, day]);
  const exact = new Map(
    (await mergeDays(scope, request, merged)).map((one) => [keyOf(one), { p50: one.p50, p95: one.p95 }]),
  );
  return days.map((day) => ({ ...day, ...exact.get(keyOf(day)) }));
}

/** Daily values; of a line of several series all but the percentiles are right. */
export function storedDays(teamId: string, request: DayRequest): Prisma.Sql {
  return sql`SELECT l.line, ${branchOf(request)} AS branch, to_char(d.day, 'YYYY-MM-DD') AS day, sum(d.runs)::integer AS runs,
      min(d.min) AS min, min(d.p50) AS p50, min(d.p95) AS p95, max(d.max) AS max, count(*) > 1 AS "isMerged"
    FROM ${linesOf(request)} JOIN point_days d ON d.series_metric_id = l.id
    WHERE ${dayConditions(teamId, request)}
    GROUP BY 1, 2, d.day ORDER BY 1, 2, d.day LIMIT ${request.limit + 1}::integer`;
}

/** The percentiles of these days over the values of all their series. */
async function mergeDays(
  { teamId, $queryRaw }: TeamScope,
  request: DayRequest,
  days: readonly Pick<TrendDay, 'day'>[],
): Promise<Pick<TrendDay, 'line' | 'branch' | 'day' | 'p50' | 'p95'>[]> {
  const wanted = [...new Set(days.map(({ day }) => day))];
  return $queryRaw`
    SELECT l.line, ${branchOf(request)} AS branch, to_char(d.day, 'YYYY-MM-DD') AS day,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY v.value) AS p50, percentile_cont(0.95) WITHIN GROUP (ORDER BY v.value) AS p95
    FROM ${linesOf(request)} JOIN point_days d ON d.series_metric_id = l.id
    CROSS JOIN LATERAL unnest(d.values) AS v(value) CROSS JOIN LATERAL generate_series(1, d.stride)
    WHERE ${dayConditions(teamId, request)} AND d.day = ANY(${wanted}::date[])
    GROUP BY 1, 2, d.day`;
}

/** As `listDays`, from the points themselves: daily values do not know of tags. */
export async function listDaysOfPoints(
  { teamId, $queryRaw }: TeamScope,
  request: DayRequest,
): Promise<TrendDay[] | undefined> {
  const days = await $queryRaw<(TrendDay & { total: number })[]>`
    SELECT l.line, ${request.byBranch ? sql`p.branch` : sql`''`} AS branch, to_char(p.day, 'YYYY-MM-DD') AS day,
      count(*)::integer AS runs, min(p.value) AS min, percentile_cont(0.5) WITHIN GROUP (ORDER BY p.value) AS p50,
      percentile_cont(0.95) WITHIN GROUP (ORDER BY p.value) AS p95, max(p.value) AS max,
      (sum(count(*)) OVER ())::integer AS total
    FROM (
      SELECT p.series_metric_id, p.branch, p.value, (p.at AT TIME ZONE 'UTC')::date AS day FROM points p
      WHERE ${pointConditions(teamId, wholeDays(request))} LIMIT ${MOST_VALUES + 1}::integer) p
    JOIN ${linesOf(request)} ON l.id = p.series_metric_id
    GROUP BY 1, 2, p.day ORDER BY 1, 2, p.day LIMIT ${request.limit + 1}::integer`;
  return days.some(({ total }) => total > MOST_VALUES) ? undefined : days;
}

const branchOf = ({ byBranch }: DayRequest) => (byBranch ? sql`d.branch` : sql`''`);

const linesOf = ({ seriesMetricIds, lines }: DayRequest) =>
  sql`unnest(${[...seriesMetricIds]}::bigint[], ${[...lines]}::integer[]) AS l(id, line)`;

function dayConditions(teamId: string, request: DayRequest): Prisma.Sql {
  const { branch } = request;
  const { from, to } = wholeDays(request);
  const conditions = [
    sql`d.team_id = ${teamId}::uuid`,
    ...(branch === undefined ? [] : [sql`d.branch = ${branch}`]),
    ...(from ? [sql`d.day >= (${from}::timestamptz AT TIME ZONE 'UTC')::date`] : []),
    ...(to ? [sql`d.day < (${to}::timestamptz AT TIME ZONE 'UTC')::date`] : []),
  ];
  return Prisma.join(conditions, ' AND ');
}

const dayMs = 86_400_000;

/** The days that a range has part in, whole. */
function wholeDays({ from, to, ...rest }: DayRequest): DayRequest {
  return {
    ...rest,
    ...(from ? { from: new Date(Math.floor(from.getTime() / dayMs) * dayMs) } : {}),
    ...(to ? { to: new Date(Math.ceil(to.getTime() / dayMs) * dayMs) } : {}),
  };
}
