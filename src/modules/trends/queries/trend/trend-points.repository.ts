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
  runId: string[];
  /** Only where asked for. */
  commit: (string | null)[] | null;
}

export interface PointRequest extends PointRange {
  byBranch: boolean;
  withCommits: boolean;
  /** One point more than that may be given, which tells that there are more. */
  limit: number;
}

interface PackedLane {
  seriesMetricId: bigint;
  branch: string;
  atMs: Uint8Array;
  value: Uint8Array;
  runIds: string;
  commit: (string | null)[] | null;
}

/** Points lane by lane, oldest first. */
export async function listPoints(scope: TeamScope, request: PointRequest): Promise<PointLane[]> {
  const lanes = await scope.$queryRaw<PackedLane[]>(packedPoints(scope.teamId, request));
  return lanes.map(({ runIds, atMs, value, ...lane }) => ({
    ...lane,
    atMs: unpack(atMs).map(Math.round),
    value: unpack(value),
    runId: runIds.split(','),
  }));
}

/**
 * One row a lane with its columns packed: ten thousand rows cost more on their way here than in Postgres. The rows come to the
 * aggregates in the order of lane and time, so that nothing is sorted twice.
 */
export function packedPoints(
  teamId: string,
  { byBranch, withCommits, limit, ...range }: PointRequest,
): Prisma.Sql {
  const runs = withCommits
    ? sql`JOIN runs r ON r.id = p.run_id AND r.team_id = ${teamId}::uuid`
    : Prisma.empty;
  const lane = byBranch ? sql`p.series_metric_id, p.branch` : sql`p.series_metric_id`;
  return sql`SELECT p.series_metric_id AS "seriesMetricId", ${byBranch ? sql`p.branch` : sql`''`} AS branch,
      string_agg(float8send(date_part('epoch', p.at) * 1000), ''::bytea) AS "atMs",
      string_agg(float8send(p.value), ''::bytea) AS value, string_agg(p.run_id::text, ',') AS "runIds",
      ${withCommits ? sql`array_agg(p.commit)` : sql`NULL::text[]`} AS commit
    FROM (
      SELECT p.series_metric_id, p.at, p.run_id, p.branch, p.value ${withCommits ? sql`, r.commit` : Prisma.empty}
      FROM points p ${runs} WHERE ${pointConditions(teamId, range)}
      ORDER BY ${lane}, p.at, p.run_id LIMIT ${limit + 1}::integer) p
    GROUP BY ${lane}`;
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

/** Numbers as float8send writes them, one after the other. */
function unpack(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 8 }, (_, i) => view.getFloat64(i * 8));
}
