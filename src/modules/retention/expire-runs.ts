import { Injectable, Logger } from '@nestjs/common';
import { type Chore, passTime } from '../../platform/chores';
import { type Config, InjectConfig } from '../../platform/config';
import { OldRowsRepository } from './old-rows.repository';
import { RunDeletionRepository } from './run-deletion.repository';

const RUNS_AT_ONCE = 100;

/** Deletes finished runs that their team keeps no longer. Work in progress is left alone. */
@Injectable()
export class ExpireRuns implements Chore {
  readonly name = 'expire-runs';
  readonly isExclusive = true;
  readonly intervalS = 60;
  private readonly log = new Logger(ExpireRuns.name);

  constructor(
    private readonly expired: OldRowsRepository,
    private readonly runs: RunDeletionRepository,
    @InjectConfig() private readonly config: Pick<Config, 'quotas'>,
  ) {}

  /** One pass; gives the number of runs that were deleted. */
  async pass(signal: AbortSignal): Promise<number> {
    const mayGoOn = passTime(signal);
    let total = 0;
    for (let deleted = RUNS_AT_ONCE; deleted > 0 && mayGoOn(); total += deleted) {
      deleted = 0;
      for (const { id, teamId } of await this.expired.find(this.config.quotas.retentionDays, RUNS_AT_ONCE)) {
        if (!mayGoOn()) break;
        if (await this.deleteOne(teamId, id)) deleted++;
      }
    }
    if (total > 0) this.log.log({ runs: total }, 'runs past their retention were deleted');
    return total;
  }

  /** One that cannot be deleted holds up no other. */
  private async deleteOne(teamId: string, runId: string): Promise<boolean> {
    try {
      return await this.runs.deleteExpired(teamId, runId);
    } catch (error) {
      this.log.error({ teamId, runId, err: error }, 'a run past its retention could not be deleted');
      return false;
    }
  }
}
