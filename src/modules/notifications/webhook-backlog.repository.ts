import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';

/** Questions about the webhooks of all teams. */
@Injectable()
export class WebhookBacklogRepository {
  constructor(private readonly database: Database) {}

  /** Since when the oldest event and the oldest delivery wait; null when none does. */
  async measure(): Promise<{ oldestEvent: Date | null; oldestDue: Date | null }> {
    return this.database.withoutTeam((scope) => scope.measureWebhookBacklog());
  }

  /** Deletes deliveries that ended before the given time; gives their number. */
  async deleteEnded(before: Date, maxRows: number): Promise<number> {
    return this.database.withoutTeam((scope) => scope.deleteOldDeliveries(before, maxRows));
  }
}
