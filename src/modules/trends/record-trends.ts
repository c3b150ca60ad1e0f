import { Injectable, Logger } from '@nestjs/common';
import { comparabilityKey } from '../../analysis';
import { type Chore, passTime } from '../../platform/chores';
import { Database, DatabaseUnavailable, isWriteConflict } from '../../platform/database';
import { conditionsOf } from './run-conditions';
import { sensitivities } from './sensitivity';
import { loadSettings } from './series-state.repository';
import { trackLane } from './track-lane';
import { recordUsage } from './usage/run-usage.repository';
import { lockRunToTrend, recordPoints, TrendRunsRepository } from './trend-runs.repository';

const RUNS_PER_PASS = 200;
/** Runs are in their series some seconds after they are done. */
const INTERVAL_S = 2;

/**
 * Puts the metrics of finished runs into their series, judges the runs and keeps the regressions. Each run in one
 * transaction: all of it happened, or the run comes again. What was analysed again replaces what it said before.
 */
@Injectable()
export class RecordTrends implements Chore {
  readonly name = 'record-trends';
  readonly isExclusive = true;
  readonly intervalS = INTERVAL_S;
  private readonly log = new Logger(RecordTrends.name);

  constructor(
    private readonly database: Database,
    private readonly runs: TrendRunsRepository,
  ) {}

  /** One pass; gives the number of runs that were recorded. */
  async pass(signal: AbortSignal): Promise<number> {
    const mayGoOn = passTime(signal);
    let recorded = 0;
    for (const { id, teamId, at } of await this.runs.findUntrended(RUNS_PER_PASS)) {
      if (!mayGoOn()) break;
      if (await this.recordOrGiveUp(teamId, id, at)) recorded++;
    }
    return recorded;
  }

  /** One run that cannot be recorded must not keep the others out. */
  private async recordOrGiveUp(teamId: string, runId: string, at: Date): Promise<boolean> {
    try {
      await this.runs.ensurePartition(at);
      return await this.record(teamId, runId);
    } catch (error) {
      if (error instanceof DatabaseUnavailable || isWriteConflict(error)) throw error;
      this.log.error({ runId, teamId, err: error }, 'the metrics of a run could not be recorded');
      await this.runs.giveUp(teamId, runId);
      return false;
    }
  }

  private async record(teamId: string, runId: string): Promise<boolean> {
    return this.database.forTeam(teamId, async (scope) => {
      const run = await lockRunToTrend(scope, runId);
      if (!run) return false;
      const key = comparabilityKey(conditionsOf(run), run.comparability ?? undefined);
      const { seriesId } = await recordPoints(scope, run, key);
      await recordUsage(scope, run);
      const { branch, at, commit } = run;
      await trackLane(
        scope,
        { seriesId, branch, runId, at, commit },
        sensitivities(await loadSettings(scope)),
      );
      return true;
    });
  }
}
