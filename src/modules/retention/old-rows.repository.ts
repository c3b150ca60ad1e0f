import { Injectable } from '@nestjs/common';
import { Database, type TeamRow } from '../../platform/database';

/** What is kept no longer, over all teams. */
@Injectable()
export class OldRowsRepository {
  constructor(private readonly database: Database) {}

  /** Finished runs older than their team keeps them; `defaultRetentionDays` holds for teams that do not say. */
  async find(defaultRetentionDays: number, maxRows: number): Promise<TeamRow[]> {
    return this.database.withoutTeam((scope) => scope.findExpiredRuns(defaultRetentionDays, maxRows));
  }

  /** Deletes events created before then; gives their number, at most `maxRows`. */
  async deleteOldEvents(before: Date, maxRows: number): Promise<number> {
    return this.database.withoutTeam((scope) => scope.deleteOldEvents(before, maxRows));
  }

  /** Deletes answers kept for an Idempotency-Key before then; gives their number, at most `maxRows`. */
  async deleteOldAnswers(before: Date, maxRows: number): Promise<number> {
    return this.database.withoutTeam((scope) => scope.deleteOldAnswers(before, maxRows));
  }
}
