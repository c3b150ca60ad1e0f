import { Injectable, Logger } from '@nestjs/common';
import { comparabilityKey } from '../../analysis';
import { type Chore, passTime } from '../../platform/chores';
import { Database, DatabaseUnavailable, isRefusedData } from '../../platform/database';
import { conditionsOf } from './run-conditions';
import { sensitivities } from './sensitivity';
import { loadSettings } from './series-state.repository';
import { trackLane } from './track-lane';
import { recordUsage } from './usage/run-usage.repository';
import { lockRunToTrend, recordPoints, TrendRunsRepository } from './trend-runs.repository';

const RUNS_PER_PASS = 200;
/** Runs are in their series some seconds after they are done. */
const INTERVAL_S = 2;
/** Of a run that fails for reasons that may pass, such as locks and a slow database. */
const MOST_TRIES = 5;

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
  /** Failed tries by the id of the run. */
  private readonly tries = new Map<string, number>();

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
      const isRecorded = await this.record(teamId, runId);
      this.tries.delete(runId);
      return isRecorded;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const tries = (this.tries.get(runId) ?? 0) + 1;
      this.tries.set(runId, tries);
      const about = { runId, teamId, tries, err: error };
      if (isRefusedData(error) || tries >= MOST_TRIES) {
        this.log.error(about, 'the metrics of a run could not be recorded');
        await this.runs.giveUp(teamId, runId);
        this.tries.delete(runId);
      } else this.log.warn(about, 'the metrics of a run could not be recorded; they are tried again');
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
