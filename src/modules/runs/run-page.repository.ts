import { Injectable } from '@nestjs/common';
import { Database, type TeamScope } from '../../platform/database';
import { Prisma } from '../../platform/database/generated/client';
import { type RunLimits } from '../teams';
import { metricOfRun, runConditions } from './run-conditions.repository';
import { type RunListQuery } from './run-list-query';
import { type RunPlace } from './run-page';
import { type MetricSort } from './run-sort';
import { readSummaries, type StoredRunSummary } from './run-summaries.repository';

const { sql } = Prisma;

/** Asks for one page: `sort` and `limit` as in the query, after the place. */
export interface PageRequest extends Omit<RunListQuery, 'cursor'> {
  after: RunPlace | undefined;
}

interface Found {
  id: string;
  place: RunPlace;
}

/** Lists of runs, a page at a time; every order is total, so that pages neither repeat nor skip a run. */
@Injectable()
export class RunPageRepository {
  constructor(private readonly database: Database) {}

  /** At most `limit` runs, and the place of the last one when there are more; `limits` are those of the credential. */
  async list(
    teamId: string,
    request: PageRequest,
    limits: RunLimits | undefined,
  ): Promise<{ runs: StoredRunSummary[]; more: RunPlace | null }> {
    return this.database.forTeam(teamId, async (scope) => {
      // One more than asked for tells whether there is a next page.
      const found = await findPage(scope, { ...request, limit: request.limit + 1 }, limits);
      const page = found.slice(0, request.limit);
      const runs = await readSummaries(
        scope,
        page.map(({ id }) => id),
      );
      return { runs, more: found.length > page.length ? (page.at(-1)?.place ?? null) : null };
    });
  }
}

async function findPage(scope: TeamScope, request: PageRequest, limits: RunLimits | undefined) {
  const { sort, after, limit } = request;
  const where = runConditions(scope.teamId, request, limits);
  if (sort.by === 'createdAt') return byTime(scope, pageByTime(where, sort.descending, after, limit));
  const withValue =
    after && 'micros' in after
      ? []
      : await byValue(scope, pageByMetric(scope.teamId, where, sort, after, limit));
  if (withValue.length === limit) return withValue;
  const others = sql`${where} AND NOT EXISTS (${metricOfRun(scope.teamId, sort.metricId)})`;
  const place = after && 'micros' in after ? after : undefined;
  const rest = await byTime(scope, pageByTime(others, true, place, limit - withValue.length));
  return [...withValue, ...rest];
}

/** Ids by time of creation, then id. */
export function pageByTime(
  where: Prisma.Sql,
  descending: boolean,
  after: RunPlace | undefined,
  limit: number,
): Prisma.Sql {
  const direction = descending ? sql`DESC` : sql`ASC`;
  const beyond =
    after && 'micros' in after
      ? sql`AND (r.created_at, r.id) ${descending ? sql`<` : sql`>`}
          (timestamptz 'epoch' + ${after.micros}::double precision * interval '1 microsecond', ${after.runId}::uuid)`
      : Prisma.empty;
  return sql`SELECT r.id, (extract(epoch FROM r.created_at) * 1000000)::double precision AS micros
    FROM runs r WHERE ${where} ${beyond}
    ORDER BY r.created_at ${direction}, r.id ${direction} LIMIT ${limit}::integer`;
}

/** Ids of runs that have a value of the metric, by value, then by the id of the report. */
export function pageByMetric(
  teamId: string,
  where: Prisma.Sql,
  { metricId, descending }: MetricSort,
  after: RunPlace | undefined,
  limit: number,
): Prisma.Sql {
  const direction = descending ? sql`DESC` : sql`ASC`;
  const beyond =
    after && 'value' in after
      ? sql`AND (s.value, s.analysis_id) ${descending ? sql`<` : sql`>`}
          (${after.value}::double precision, ${after.analysisId}::uuid)`
      : Prisma.empty;
  return sql`SELECT r.id, s.value, s.analysis_id AS "analysisId"
    FROM metric_values s JOIN runs r ON r.latest_analysis_id = s.analysis_id
    WHERE s.team_id = ${teamId}::uuid AND s.metric_id = ${metricId} AND s.value IS NOT NULL AND ${where} ${beyond}
    ORDER BY s.value ${direction}, s.analysis_id ${direction} LIMIT ${limit}::integer`;
}

async function byTime(scope: TeamScope, query: Prisma.Sql): Promise<Found[]> {
  const rows = await scope.$queryRaw<{ id: string; micros: number }[]>(query);
  return rows.map(({ id, micros }) => ({ id, place: { micros, runId: id } }));
}

async function byValue(scope: TeamScope, query: Prisma.Sql): Promise<Found[]> {
  const rows = await scope.$queryRaw<{ id: string; value: number; analysisId: string }[]>(query);
  return rows.map(({ id, value, analysisId }) => ({ id, place: { value, analysisId } }));
}
