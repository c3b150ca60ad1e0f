import { Injectable } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { Database, type TeamScope } from '../../platform/database';
import { type StoredObjects, storedObjects } from './stored-bytes.repository';
import { limitColumns, limitsInForce, type TeamLimits } from './team-limits';

export interface UsageOfDay {
  /** In UTC, such as 2026-11-30. */
  day: string;
  runs: number;
  uploadedBytes: number;
  analyses: number;
  analysisMs: number;
}

export interface Usage {
  limits: TeamLimits;
  stored: StoredObjects;
  runs: { queued: number; analyzing: number };
  /** The newest first, today included; days without use too. */
  days: UsageOfDay[];
}

/** What a team uses. */
@Injectable()
export class UsageRepository {
  constructor(
    private readonly database: Database,
    @InjectConfig() private readonly config: Pick<Config, 'quotas'>,
  ) {}

  /** Null when there is no such team. */
  async find(teamId: string, days: number): Promise<Usage | null> {
    return this.database.forTeam(teamId, async (scope) => {
      const team = await scope.team.findUnique({ where: { id: teamId }, select: limitColumns });
      if (!team) return null;
      return {
        limits: limitsInForce(team, this.config.quotas),
        stored: await storedObjects(scope),
        runs: await unfinishedRuns(scope),
        days: await lastDays(scope, days),
      };
    });
  }
}

async function unfinishedRuns({ teamId, $queryRaw }: TeamScope): Promise<Usage['runs']> {
  const [row] = await $queryRaw<[Usage['runs']]>`
    SELECT count(*) FILTER (WHERE state = 'queued')::integer AS queued,
      count(*) FILTER (WHERE state = 'analyzing')::integer AS analyzing
    FROM runs WHERE team_id = ${teamId}::uuid AND state IN ('queued', 'analyzing')`;
  return row;
}

function lastDays({ teamId, $queryRaw }: TeamScope, days: number): Promise<UsageOfDay[]> {
  return $queryRaw<UsageOfDay[]>`
    WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day)
    SELECT to_char(t.day - ago, 'YYYY-MM-DD') AS day, coalesce(u.runs, 0) AS runs,
      coalesce(u.uploaded_bytes, 0)::float8 AS "uploadedBytes", coalesce(u.analyses, 0) AS analyses,
      coalesce(u.analysis_ms, 0)::float8 AS "analysisMs"
    FROM today t CROSS JOIN generate_series(0, ${days - 1}::integer) AS ago
    LEFT JOIN usage_days u ON u.team_id = ${teamId}::uuid AND u.day = t.day - ago
    ORDER BY ago`;
}
