import { Injectable } from '@nestjs/common';
import { Database, type TeamScope } from '../../../platform/database';
import { Prisma } from '../../../platform/database/generated/client';
import { isWithinLimits, type RunLimits } from '../../teams';
import { readRegressions, type StoredRegression, withinLimits } from './regression-columns.repository';
import { ACTS_PER_ANSWER, type RegressionFilter } from './schemas';

const { sql } = Prisma;

export interface StoredAct {
  id: string;
  act: string;
  actorId: string | null;
  actorName: string | null;
  reason: string | null;
  runId: string | null;
  at: Date;
}

export interface StoredRegressionDetail extends StoredRegression {
  /** As this module's worker wrote it. */
  explanation: unknown;
  explainedAt: Date | null;
  /** The latest first. */
  acts: StoredAct[];
}

/** Regressions, for people and programs to look at. */
@Injectable()
export class RegressionsRepository {
  constructor(private readonly database: Database) {}

  /** At most `limit` regressions, the newest first, after the one with the given id. */
  async list(
    teamId: string,
    filter: RegressionFilter,
    page: { limit: number; after: string | undefined },
    limits: RunLimits | undefined,
  ): Promise<StoredRegression[]> {
    return this.database.forTeam(teamId, async (scope) => {
      const beyond = page.after === undefined ? [] : [sql`g.id < ${page.after}::uuid`];
      const conditions = [...conditionsOf(teamId, filter), ...withinLimits(limits), ...beyond];
      const found = await scope.$queryRaw<{ id: string }[]>(sql`
        SELECT g.id FROM regressions g JOIN series s ON s.id = g.series_id AND s.team_id = ${teamId}::uuid
        WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY g.id DESC LIMIT ${page.limit}::integer`);
      return readRegressions(
        scope,
        found.map(({ id }) => id),
      );
    });
  }

  /** Null when the team has no such regression, or the credential may not see it. */
  async find(
    teamId: string,
    id: string,
    limits: RunLimits | undefined,
  ): Promise<StoredRegressionDetail | null> {
    return this.database.forTeam(teamId, (scope) => readDetail(scope, id, limits));
  }
}

/** A regression with everything; null when there is none within the limits. */
export async function readDetail(
  scope: TeamScope,
  id: string,
  limits: RunLimits | undefined,
): Promise<StoredRegressionDetail | null> {
  const { teamId } = scope;
  const [found] = await readRegressions(scope, [id]);
  if (!found || !isWithinLimits(limits, found)) return null;
  const explained = await scope.regression.findFirstOrThrow({
    where: { teamId, id },
    select: { explanation: true, explainedAt: true },
  });
  const acts = await scope.$queryRaw<StoredAct[]>`
    SELECT a.id, a.act, a.actor_id AS "actorId", a.actor_name AS "actorName", a.reason, r.id AS "runId", a.at
    FROM regression_acts a LEFT JOIN runs r ON r.id = a.run_id AND r.team_id = ${teamId}::uuid
    WHERE a.team_id = ${teamId}::uuid AND a.regression_id = ${id}::uuid ORDER BY a.id DESC LIMIT ${ACTS_PER_ANSWER}`;
  return { ...found, ...explained, acts };
}

function conditionsOf(teamId: string, filter: RegressionFilter): Prisma.Sql[] {
  const { state, model, cluster, workload, branch, seriesId, metric, assignedTo, firstBadFrom, firstBadTo } =
    filter;
  const is = (column: Prisma.Sql, value: string | undefined) =>
    value === undefined ? [] : [sql`${column} = ${value}`];
  return [
    sql`g.team_id = ${teamId}::uuid`,
    ...(state === 'any' ? [] : state === 'unresolved' ? [sql`g.state <> 'resolved'`] : []),
    ...(state === 'any' || state === 'unresolved' ? [] : [sql`g.state = ${state}::regression_state`]),
    ...[...is(sql`s.model`, model), ...is(sql`s.cluster`, cluster), ...is(sql`s.workload`, workload)],
    ...is(sql`g.branch`, branch),
    ...(seriesId === undefined ? [] : [sql`g.series_id = ${seriesId}::uuid`]),
    ...(metric === undefined ? [] : [sql`g.metrics @> ${JSON.stringify([{ metricId: metric }])}::jsonb`]),
    ...assigned(teamId, assignedTo),
    ...(firstBadFrom ? [sql`g.first_bad_at >= ${firstBadFrom}::timestamptz`] : []),
    ...(firstBadTo ? [sql`g.first_bad_at < ${firstBadTo}::timestamptz`] : []),
  ];
}

/** Who left the team has nothing any more. */
function assigned(teamId: string, assignedTo: string | undefined): Prisma.Sql[] {
  if (assignedTo === undefined) return [];
  const member = sql`SELECT 1 FROM memberships m WHERE m.team_id = ${teamId}::uuid AND m.user_id = g.assigned_to`;
  if (assignedTo === 'nobody') return [sql`NOT EXISTS (${member})`];
  return [sql`g.assigned_to = ${assignedTo}::uuid`, sql`EXISTS (${member})`];
}
