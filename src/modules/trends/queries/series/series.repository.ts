import { Injectable } from '@nestjs/common';
import { Database, type TeamScope } from '../../../../platform/database';
import { Prisma } from '../../../../platform/database/generated/client';
import { type RunLimits } from '../../../teams';
import { listMarks } from '../marks.repository';
import { seriesConditions, type SeriesFilter } from '../series-filter.repository';

const { sql } = Prisma;
const MOST_BRANCHES = 200;

export interface StoredSeries {
  id: string;
  model: string;
  cluster: string;
  workload: string;
  comparability: string;
  runs: number;
  openRegressions: number;
  lastRunAt: Date;
  createdAt: Date;
  /** Of `lastRunAt`, µs since 1970: Date has not all of it. */
  micros: number;
}

export interface StoredSeriesMetric {
  metricId: string;
  count: number;
  firstAt: Date;
  lastAt: Date;
  latest: number;
}

/** After which series a page starts, in the order of their last runs. */
export interface SeriesPlace {
  micros: number;
  id: string;
}

export interface SeriesListRequest extends SeriesFilter {
  q?: string;
  limit: number;
  after: SeriesPlace | undefined;
}

/** Series, for people and programs to look at. */
@Injectable()
export class SeriesRepository {
  constructor(private readonly database: Database) {}

  /** At most `limit` series, those with the latest runs first; `limits` are those of the credential. */
  async list(
    teamId: string,
    { q, limit, after, ...filter }: SeriesListRequest,
    limits: RunLimits | undefined,
  ): Promise<StoredSeries[]> {
    const conditions = [
      ...seriesConditions(teamId, filter, limits),
      ...(q === undefined ? [] : [hasText(q)]),
      ...(after ? [sql`(s.last_run_at, s.id) < (${timeOf(after.micros)}, ${after.id}::uuid)`] : []),
    ];
    return this.database.forTeam(teamId, (scope) => findSeries(scope, conditions, limit));
  }

  /** A series with its metrics and what became of it; null when the team has none of this id within the limits. */
  async find(teamId: string, seriesId: string, limits: RunLimits | undefined) {
    return this.database.forTeam(teamId, async (scope) => {
      const [series] = await findSeries(scope, seriesConditions(teamId, { seriesId }, limits), 1);
      if (!series) return null;
      const range = { seriesIds: [seriesId] };
      return {
        series,
        metrics: await listMetrics(scope, seriesId),
        branches: await listBranches(scope, seriesId),
        ...(await listMarks(scope, range, { unresolvedOnly: true })),
      };
    });
  }
}

function findSeries({ teamId, $queryRaw }: TeamScope, conditions: Prisma.Sql[], limit: number) {
  return $queryRaw<StoredSeries[]>`
    SELECT s.id, s.model, s.cluster, s.workload, s.comparability, s.last_run_at AS "lastRunAt", s.created_at AS "createdAt",
      (extract(epoch FROM s.last_run_at) * 1000000)::double precision AS micros,
      (SELECT count(*)::integer FROM runs r WHERE r.team_id = ${teamId}::uuid AND r.series_id = s.id) AS runs,
      (SELECT count(*)::integer FROM regressions g
       WHERE g.team_id = ${teamId}::uuid AND g.series_id = s.id AND g.state <> 'resolved') AS "openRegressions"
    FROM series s WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY s.last_run_at DESC, s.id DESC LIMIT ${limit}::integer`;
}

function listMetrics({ teamId, $queryRaw }: TeamScope, seriesId: string): Promise<StoredSeriesMetric[]> {
  return $queryRaw<StoredSeriesMetric[]>`
    SELECT m.metric_id AS "metricId", n.count, n."firstAt", latest.at AS "lastAt", latest.value AS latest
    FROM series_metrics m
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS count, min(p.at) AS "firstAt" FROM points p
      WHERE p.team_id = ${teamId}::uuid AND p.series_metric_id = m.id) n
    CROSS JOIN LATERAL (
      SELECT p.at, p.value FROM points p WHERE p.team_id = ${teamId}::uuid AND p.series_metric_id = m.id
      ORDER BY p.at DESC, p.run_id DESC LIMIT 1) latest
    WHERE m.team_id = ${teamId}::uuid AND m.series_id = ${seriesId}::uuid`;
}

async function listBranches({ teamId, $queryRaw }: TeamScope, seriesId: string): Promise<string[]> {
  const rows = await $queryRaw<{ branch: string }[]>`
    SELECT DISTINCT coalesce(branch, '') AS branch FROM runs
    WHERE team_id = ${teamId}::uuid AND series_id = ${seriesId}::uuid ORDER BY 1 LIMIT ${MOST_BRANCHES}`;
  return rows.map(({ branch }) => branch);
}

function hasText(text: string): Prisma.Sql {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`concat_ws(' ', s.model, s.cluster, s.workload, s.comparability) ILIKE ${pattern}`;
}

function timeOf(micros: number): Prisma.Sql {
  return sql`timestamptz 'epoch' + ${micros}::double precision * interval '1 microsecond'`;
}
