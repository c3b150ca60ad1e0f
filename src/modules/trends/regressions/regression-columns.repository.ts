import { type MovedMetric } from '../../../analysis';
import { type TeamScope } from '../../../platform/database';
import { Prisma } from '../../../platform/database/generated/client';
import { type RunLimits } from '../../teams';

const { sql } = Prisma;

/** A regression with its series, as lists show it. What was deleted, and who left the team, is null. */
export interface StoredRegression {
  id: string;
  state: 'open' | 'acknowledged' | 'resolved';
  resolution: string | null;
  seriesId: string;
  model: string;
  cluster: string;
  workload: string;
  branch: string;
  metricId: string;
  metrics: MovedMetric[];
  before: number;
  after: number;
  changeRatio: number;
  firstBadRunId: string | null;
  firstBadCommit: string | null;
  firstBadAt: Date;
  lastGoodRunId: string | null;
  lastGoodCommit: string | null;
  openedAt: Date;
  resolvedAt: Date | null;
  goodAgainAt: Date | null;
  timesReopened: number;
  acknowledgedReason: string | null;
  assigneeId: string | null;
  assigneeName: string | null;
  assigneeEmail: string | null;
  mutedUntil: Date | null;
}

/** The regressions with these ids, the newest first. */
export async function readRegressions(
  { teamId, $queryRaw }: TeamScope,
  ids: readonly string[],
): Promise<StoredRegression[]> {
  return $queryRaw<StoredRegression[]>`
    SELECT g.id, g.state, g.resolution, g.series_id AS "seriesId", s.model, s.cluster, s.workload, g.branch,
      g.metric_id AS "metricId", g.metrics, g.before, g.after, g.change_ratio AS "changeRatio",
      bad.id AS "firstBadRunId", g.first_bad_commit AS "firstBadCommit", g.first_bad_at AS "firstBadAt",
      good.id AS "lastGoodRunId", g.last_good_commit AS "lastGoodCommit",
      g.opened_at AS "openedAt", g.resolved_at AS "resolvedAt", g.good_again_at AS "goodAgainAt",
      g.times_reopened AS "timesReopened", g.acknowledged_reason AS "acknowledgedReason",
      u.id AS "assigneeId", u.name AS "assigneeName", u.email AS "assigneeEmail",
      CASE WHEN g.muted_until > now() THEN g.muted_until END AS "mutedUntil"
    FROM regressions g
    JOIN series s ON s.id = g.series_id AND s.team_id = ${teamId}::uuid
    LEFT JOIN runs bad ON bad.id = g.first_bad_run_id AND bad.team_id = ${teamId}::uuid
    LEFT JOIN runs good ON good.id = g.last_good_run_id AND good.team_id = ${teamId}::uuid
    LEFT JOIN memberships m ON m.team_id = ${teamId}::uuid AND m.user_id = g.assigned_to
    LEFT JOIN users u ON u.id = m.user_id
    WHERE g.team_id = ${teamId}::uuid AND g.id = ANY(${[...ids]}::uuid[])
    ORDER BY g.id DESC`;
}

/** Conditions on `series s` that keep a credential within its limits; an empty list is no limit. */
export function withinLimits(limits: RunLimits | undefined): Prisma.Sql[] {
  const isOneOf = (column: Prisma.Sql, names: readonly string[] = []) =>
    names.length === 0 ? [] : [sql`${column} = ANY(${[...names]}::text[])`];
  return [...isOneOf(sql`s.model`, limits?.models), ...isOneOf(sql`s.cluster`, limits?.clusters)];
}
