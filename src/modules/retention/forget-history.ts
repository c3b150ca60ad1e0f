import { Injectable, Logger } from '@nestjs/common';
import { type Chore, passTime } from '../../platform/chores';
import { OldRowsRepository } from './old-rows.repository';

const dayMs = 86_400_000;
/** An event stream that was away for longer starts anew. */
const EVENTS_KEPT_MS = 30 * dayMs;
/** Twice as long as an answer is given again. */
const ANSWERS_KEPT_MS = 2 * dayMs;
const ROWS_AT_ONCE = 5_000;

/** Deletes events and kept answers that are old. Several processes may pass at once: each takes other rows. */
@Injectable()
export class ForgetHistory implements Chore {
  readonly name = 'forget-history';
  readonly isExclusive = false;
  readonly intervalS = 600;
  private readonly log = new Logger(ForgetHistory.name);

  constructor(private readonly history: OldRowsRepository) {}

  /** One pass; gives the number of rows that were deleted. */
  async pass(signal: AbortSignal): Promise<number> {
    const mayGoOn = passTime(signal);
    let total = 0;
    for (let deleted = 1; deleted > 0 && mayGoOn(); total += deleted) {
      const nowMs = Date.now();
      const events = await this.history.deleteOldEvents(new Date(nowMs - EVENTS_KEPT_MS), ROWS_AT_ONCE);
      const answers = await this.history.deleteOldAnswers(new Date(nowMs - ANSWERS_KEPT_MS), ROWS_AT_ONCE);
      deleted = events + answers;
    }
    if (total > 0) this.log.log({ rows: total }, 'old events and kept answers were deleted');
    return total;
  }
}
