import { Injectable, Logger } from '@nestjs/common';
import { type Chore, passTime } from '../../../platform/chores';
import { DatabaseUnavailable, idsByTeam } from '../../../platform/database';
import { RollUpsRepository } from './roll-ups.repository';

const DAYS_AT_ONCE = 500;
/** Days of one transaction. */
const DAYS_PER_WORK = 50;

/** Makes the daily values of series anew where points were added, replaced or deleted. */
@Injectable()
export class RollUpPoints implements Chore {
  readonly name = 'roll-up-points';
  readonly isExclusive = true;
  readonly intervalS = 5;
  private readonly log = new Logger(RollUpPoints.name);

  constructor(private readonly rollUps: RollUpsRepository) {}

  /** One pass; gives the number of touched days that are done with. */
  async pass(signal: AbortSignal): Promise<number> {
    const mayGoOn = passTime(signal);
    let total = 0;
    for (let done = DAYS_AT_ONCE; done === DAYS_AT_ONCE && mayGoOn(); total += done) {
      done = 0;
      const found = await this.rollUps.findTouched(DAYS_AT_ONCE);
      for (const [teamId, ids] of idsByTeam(found)) {
        for (let from = 0; from < ids.length && mayGoOn(); from += DAYS_PER_WORK)
          done += await this.rollUp(teamId, ids.slice(from, from + DAYS_PER_WORK));
      }
    }
    return total;
  }

  /** Days that fail come again with the next pass and hold up no other team. */
  private async rollUp(teamId: string, ids: readonly string[]): Promise<number> {
    try {
      await this.rollUps.rollUp(teamId, ids);
      return ids.length;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      this.log.error(
        { teamId, err: error },
        'daily values of a series could not be made; they are tried again',
      );
      return 0;
    }
  }
}
