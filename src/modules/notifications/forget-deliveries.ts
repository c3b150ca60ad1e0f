import { Injectable, Logger } from '@nestjs/common';
import { type Chore } from '../../platform/chores';
import { type Config, InjectConfig } from '../../platform/config';
import { WebhookBacklogRepository } from './webhook-backlog.repository';

const ROWS_PER_PASS = 5_000;
const INTERVAL_S = 600;
const dayMs = 86_400_000;

/** Deletes deliveries that ended longer ago than WEBHOOK_KEEP_DAYS. */
@Injectable()
export class ForgetDeliveries implements Chore {
  readonly name = 'forget-deliveries';
  readonly isExclusive = false;
  readonly intervalS = INTERVAL_S;
  private readonly log = new Logger(ForgetDeliveries.name);

  constructor(
    private readonly backlog: WebhookBacklogRepository,
    @InjectConfig() private readonly config: Config,
  ) {}

  async pass(): Promise<void> {
    const before = new Date(Date.now() - this.config.webhooks.keepDays * dayMs);
    const deleted = await this.backlog.deleteEnded(before, ROWS_PER_PASS);
    if (deleted > 0) this.log.log({ deleted }, 'old webhook deliveries deleted');
  }
}
