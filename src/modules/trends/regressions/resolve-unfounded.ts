import { Injectable } from '@nestjs/common';
import { type Chore, passTime } from '../../../platform/chores';
import { UnfoundedRepository } from './unfounded.repository';

const REGRESSIONS_PER_PASS = 100;
const INTERVAL_S = 300;

/** Ends open regressions whose runs were deleted: no later run of theirs could. */
@Injectable()
export class ResolveUnfounded implements Chore {
  readonly name = 'resolve-unfounded-regressions';
  readonly isExclusive = true;
  readonly intervalS = INTERVAL_S;

  constructor(private readonly regressions: UnfoundedRepository) {}

  /** One pass; gives the number of regressions that were ended. */
  async pass(signal: AbortSignal): Promise<number> {
    const mayGoOn = passTime(signal);
    let ended = 0;
    for (const { id, teamId } of await this.regressions.find(REGRESSIONS_PER_PASS)) {
      if (!mayGoOn()) break;
      if (await this.regressions.resolve(teamId, id)) ended++;
    }
    return ended;
  }
}
