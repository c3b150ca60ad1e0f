import { type SeriesIdentity } from '../../../../analysis';
import { type TeamScope } from '../../../../platform/database';
import { Prisma } from '../../../../platform/database/generated/client';
import { type RunLimits } from '../../../teams';
import { limitConditions } from '../series-filter.repository';
import { type ComparedFilter } from './compare-schemas';

const { sql } = Prisma;

/** A run of one side of a comparison. */
export interface ComparedRun {
  id: string;
  /** Null without a report. */
  analysisId: string | null;
  at: Date;
  branch: string;
  /** Null until it is in a series. */
  seriesId: string | null;
  identity: SeriesIdentity;
}

type Row = Omit<ComparedRun, 'identity'> & SeriesIdentity;

/** The named runs within the limits, in order of time; ids that the team has not are left out. */
export async function findNamed(
  scope: TeamScope,
  runIds: readonly string[],
  limits: RunLimits | undefined,
): Promise<ComparedRun[]> {
  const conditions = [sql`r.id = ANY(${[...runIds]}::uuid[])`];
  return readRuns(scope, conditions, limits, runIds.length);
}

/** The latest runs with a report that match, in order of time; at most one more than the filter's limit. */
export async function findMatching(
  scope: TeamScope,
  { seriesId, model, cluster, workload, branch, commit, tag, from, to, limit }: ComparedFilter,
  limits: RunLimits | undefined,
): Promise<ComparedRun[]> {
  const { teamId } = scope;
  const is = (column: Prisma.Sql, value: string | undefined) =>
    value === undefined ? [] : [sql`${column} = ${value}`];
  const conditions = [
    sql`r.latest_analysis_id IS NOT NULL`,
    ...(seriesId === undefined ? [] : [sql`r.series_id = ${seriesId}::uuid`]),
    ...is(sql`r.model`, model),
    ...is(sql`r.cluster`, cluster),
    ...is(sql`r.workload`, workload),
    ...is(sql`r.branch`, branch),
    ...is(sql`r.commit`, commit),
    ...(tag === undefined
      ? []
      : [
          sql`EXISTS (SELECT 1 FROM run_tags t WHERE t.team_id = ${teamId}::uuid AND t.run_id = r.id AND t.tag = ${tag})`,
        ]),
    ...(from ? [sql`coalesce(r.started_at, r.created_at) >= ${from}::timestamptz`] : []),
    ...(to ? [sql`coalesce(r.started_at, r.created_at) < ${to}::timestamptz`] : []),
  ];
  return readRuns(scope, conditions, limits, limit + 1);
}

async function readRuns(
  { teamId, $queryRaw }: TeamScope,
  conditions: Prisma.Sql[],
  limits: RunLimits | undefined,
  limit: number,
): Promise<ComparedRun[]> {
  const all = [
    sql`r.team_id = ${teamId}::uuid`,
    ...conditions,
    ...limitConditions(sql`r.model`, sql`r.cluster`, limits),
  ];
  const rows = await $queryRaw<Row[]>`
    SELECT r.id, r.latest_analysis_id AS "analysisId", coalesce(r.started_at, r.created_at) AS at, coalesce(r.branch, '') AS branch,
      r.series_id AS "seriesId", r.model, r.cluster, coalesce(r.workload, '') AS workload,
      coalesce(s.comparability, '') AS comparability
    FROM runs r LEFT JOIN series s ON s.id = r.series_id AND s.team_id = ${teamId}::uuid
    WHERE ${Prisma.join(all, ' AND ')}
    ORDER BY coalesce(r.started_at, r.created_at) DESC, r.id DESC LIMIT ${limit}::integer`;
  return rows.reverse().map(({ model, cluster, workload, comparability, ...run }) => {
    return { ...run, identity: { model, cluster, workload, comparability } };
  });
}

/** The values of these reports by metric id, and by the id of the report. */
export async function listValues(
  { teamId, metricValue }: TeamScope,
  analysisIds: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const rows = await metricValue.findMany({
    where: { teamId, analysisId: { in: [...analysisIds] }, value: { not: null } },
    select: { analysisId: true, metricId: true, value: true },
  });
  const values = new Map<string, Map<string, number>>();
  for (const { analysisId, metricId, value } of rows) {
    if (value === null) continue;
    const ofMetric = values.get(metricId) ?? new Map<string, number>();
    values.set(metricId, ofMetric.set(analysisId, value));
  }
  return values;
}
