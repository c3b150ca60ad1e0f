import { Injectable, Logger } from '@nestjs/common';
import { type Chore } from '../../platform/chores';
import { type Config, InjectConfig } from '../../platform/config';
import { idsByTeam } from '../../platform/database';
import { runLinks } from '../ingestion';
import { regressionPath } from '../trends';
import { attemptRules } from './attempt-rules';
import { AttemptsRepository } from './attempts.repository';
import { DeliveryDispatcher } from './delivery-dispatcher';
import { OutboxRepository } from './outbox.repository';

/** Done in one pass; a longer line is worked off pass by pass. */
const EVENTS_PER_PASS = 500;
const DELIVERIES_PER_PASS = 200;

/**
 * Makes deliveries out of events, and enqueues those that are due: new ones, those to try again, and those that the queue
 * or a worker lost.
 */
@Injectable()
export class DispatchWebhooks implements Chore {
  readonly name = 'dispatch-webhooks';
  readonly isExclusive = true;
  private readonly log = new Logger(DispatchWebhooks.name);

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly attempts: AttemptsRepository,
    private readonly dispatcher: DeliveryDispatcher,
    @InjectConfig() private readonly config: Config,
  ) {}

  get intervalS(): number {
    return this.config.webhooks.pollS;
  }

  async pass(): Promise<void> {
    await this.fanOut();
    const due = await this.attempts.findDue(attemptRules(this.config), DELIVERIES_PER_PASS);
    for (const { id, teamId } of due) await this.dispatcher.enqueue(teamId, id);
  }

  /** Team by team, so that one whose events make trouble does not keep the others waiting. */
  private async fanOut(): Promise<void> {
    const publicUrl = this.config.http.publicUrl?.replace(/\/$/, '') ?? '';
    const urls = {
      report: (runId: string) => `${publicUrl}${runLinks(runId).report}`,
      regression: (regressionId: string) => `${publicUrl}${regressionPath(regressionId)}`,
    };
    const events = await this.outbox.findUnsent(EVENTS_PER_PASS);
    for (const [teamId, ids] of idsByTeam(events)) {
      try {
        const deliveries = await this.outbox.fanOut(teamId, ids, urls);
        if (deliveries > 0) this.log.debug({ teamId, deliveries }, 'events handed to webhooks');
      } catch (error) {
        this.log.error({ teamId, err: error }, 'events were not handed to webhooks; it is tried again');
      }
    }
  }
}
