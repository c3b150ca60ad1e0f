import { type TeamScope } from '../../../../platform/database';
import { Prisma } from '../../../../platform/database/generated/client';

const { sql } = Prisma;

/** Which points are wanted, of which series. */
export interface PointRange {
  /** At least one. */
  seriesMetricIds: readonly bigint[];
  branch?: string;
  tag?: string;
  from?: Date;
  to?: Date;
}

/** Points of one metric of a series, and of one branch where that was asked for; columns of one length, in order. */
export interface PointLane {
  seriesMetricId: bigint;
  /** Empty where branches were not told apart, or the runs named none. */
  branch: string;
  atMs: number[];
  value: number[];
  /** Only where asked for, as are the commits. */
  runId: string[] | null;
  commit: (string | null)[] | null;
}

export interface PointRequest extends PointRange {
  byBranch: boolean;
  withCommits: boolean;
  withRunIds: boolean;
  /** One point more than that may be given, which tells that there are more. */
  limit: number;
}

interface PackedLane {
  seriesMetricId: bigint;
  branch: string;
  at: Uint8Array;
  value: Uint8Array;
  runIds: string | null;
  commit: (string | null)[] | null;
}

/** Points lane by lane, oldest first. */
export async function listPoints(scope: TeamScope, request: PointRequest): Promise<PointLane[]> {
  const lanes = await scope.$queryRaw<PackedLane[]>(packedPoints(scope.teamId, request));
  return lanes.map(({ runIds, at, value, ...lane }) => ({
    ...lane,
    atMs: unpack(at, readTimeMs),
    value: unpack(value, (view, offset) => view.getFloat64(offset)),
    runId: runIds?.split(',') ?? null,
  }));
}

/**
 * One row a lane with its columns packed: ten thousand rows cost more on their way here than in Postgres. Points of one lane
 * come out of the index in the order of time and are not sorted; those of one instant come in any order.
 */
export function packedPoints(
  teamId: string,
  { byBranch, withCommits, withRunIds, limit, ...range }: PointRequest,
): Prisma.Sql {
  const runs = withCommits
    ? sql`JOIN runs r ON r.id = p.run_id AND r.team_id = ${teamId}::uuid`
    : Prisma.empty;
  const isOneLane = range.seriesMetricIds.length === 1 && !byBranch;
  const lane = byBranch ? sql`p.series_metric_id, p.branch` : sql`p.series_metric_id`;
  return sql`SELECT ${isOneLane ? sql`${range.seriesMetricIds[0]}::bigint` : sql`p.series_metric_id`} AS "seriesMetricId",
      ${byBranch ? sql`p.branch` : sql`''`} AS branch,
      string_agg(timestamptz_send(p.at), ''::bytea) AS at, string_agg(float8send(p.value), ''::bytea) AS value,
      ${withRunIds ? sql`string_agg(p.run_id::text, ',')` : sql`NULL::text`} AS "runIds",
      ${withCommits ? sql`array_agg(p.commit)` : sql`NULL::text[]`} AS commit
    FROM (
      SELECT p.series_metric_id, p.at, p.run_id, p.branch, p.value ${withCommits ? sql`, r.commit` : Prisma.empty}
      FROM points p ${runs} WHERE ${pointConditions(teamId, range)}
      ORDER BY ${isOneLane ? sql`p.at` : sql`${lane}, p.at`} LIMIT ${limit + 1}::integer) p
    ${isOneLane ? sql`HAVING count(*) > 0` : sql`GROUP BY ${lane}`}`;
}

/** The conditions of a range on `points p`, that of the team included. */
export function pointConditions(
  teamId: string,
  { seriesMetricIds, branch, tag, from, to }: PointRange,
): Prisma.Sql {
  const [id] = seriesMetricIds;
  const conditions = [
    sql`p.team_id = ${teamId}::uuid`,
    // Of one series the index gives the points in their order.
    seriesMetricIds.length === 1
      ? sql`p.series_metric_id = ${id}::bigint`
      : sql`p.series_metric_id = ANY(${[...seriesMetricIds]}::bigint[])`,
    ...(branch === undefined ? [] : [sql`p.branch = ${branch}`]),
    ...(from ? [sql`p.at >= ${from}::timestamptz`] : []),
    ...(to ? [sql`p.at < ${to}::timestamptz`] : []),
    ...(tag === undefined ? [] : [hasTag(teamId, tag)]),
  ];
  return Prisma.join(conditions, ' AND ');
}

function hasTag(teamId: string, tag: string): Prisma.Sql {
  return sql`EXISTS (
    SELECT 1 FROM run_tags t WHERE t.team_id = ${teamId}::uuid AND t.run_id = p.run_id AND t.tag = ${tag})`;
}

/** Postgres counts microseconds from here. */
const postgresEpochMs = Date.UTC(2000, 0, 1);

/** Values of eight bytes, one after the other, as Postgres sends them. Pushed: JSON writes an array without holes faster. */
function unpack(bytes: Uint8Array, read: (view: DataView, offset: number) => number): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values: number[] = [];
  for (let offset = 0; offset < view.byteLength; offset += 8) values.push(read(view, offset));
  return values;
}

const readTimeMs = (view: DataView, offset: number) =>
  Math.round(postgresEpochMs + (view.getInt32(offset) * 2 ** 32 + view.getUint32(offset + 4)) / 1000);
