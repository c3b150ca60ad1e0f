import { Injectable } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { type TeamScope } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { secondsToUtcMidnight } from './utc-day';

/** Long enough for a few analyses to end. */
const BACKLOG_RETRY_AFTER_S = 30;

/** What bounds how many runs a team brings in. Everything is checked in the caller's transaction. */
@Injectable()
export class RunQuotasRepository {
  constructor(@InjectConfig() private readonly config: Pick<Config, 'quotas'>) {}

  /**
   * Counts a new run of today, if the team may create one. Until the transaction ends other new runs of the team wait
   * here, so the limit is exact; a transaction that is rolled back has counted nothing.
   * Throws `quota-runs-exceeded`, `backlog-full`.
   */
  async admitRun(scope: TeamScope): Promise<void> {
    const { runsPerDay } = this.config.quotas;
    const counted = await scope.$executeRaw`
      INSERT INTO usage_days AS u (team_id, day, runs) VALUES (${scope.teamId}::uuid, (now() AT TIME ZONE 'UTC')::date, 1)
      ON CONFLICT (team_id, day) DO UPDATE SET runs = u.runs + 1
      WHERE u.runs < coalesce((SELECT max_runs_per_day FROM teams WHERE id = ${scope.teamId}::uuid), ${runsPerDay}::integer)`;
    if (counted === 0) throw runsExceeded();
    await this.admitAnalysis(scope);
  }

  /** Throws `backlog-full` when as many runs of the team wait as may: whoever sends more is to slow down. */
  async admitAnalysis(scope: TeamScope): Promise<void> {
    const { queuedRuns } = this.config.quotas;
    const full = await scope.$queryRaw<unknown[]>`
      SELECT 1 FROM runs WHERE team_id = ${scope.teamId}::uuid AND state = 'queued' AND queued_at IS NOT NULL
      OFFSET ${queuedRuns - 1}::integer LIMIT 1`;
    if (full.length === 0) return;
    throw new ProblemError(
      'backlog-full',
      `${queuedRuns} runs of your team wait for their analysis, as many as may.`,
      { retryAfterS: BACKLOG_RETRY_AFTER_S },
    );
  }

  /** The same questions before a body is read, without counting: an upload that would be refused must not be stored first. */
  async foreseeRun(scope: TeamScope): Promise<void> {
    const { runsPerDay } = this.config.quotas;
    const used = await scope.$queryRaw<unknown[]>`
      SELECT 1 FROM usage_days WHERE team_id = ${scope.teamId}::uuid AND day = (now() AT TIME ZONE 'UTC')::date
        AND runs >= coalesce((SELECT max_runs_per_day FROM teams WHERE id = ${scope.teamId}::uuid), ${runsPerDay}::integer)`;
    if (used.length > 0) throw runsExceeded();
    await this.admitAnalysis(scope);
  }
}

function runsExceeded(): ProblemError {
  return new ProblemError('quota-runs-exceeded', 'Your team has created all the runs that it may today.', {
    retryAfterS: secondsToUtcMidnight(Date.now()),
  });
}
