import { Injectable, Logger } from '@nestjs/common';
import { JobQueue, QueueUnavailableError } from '../../platform/queue';
import { deliverWebhookJob } from './deliver-webhook.job';

/** Tells the workers about deliveries that are due. */
@Injectable()
export class DeliveryDispatcher {
  private readonly log = new Logger(DeliveryDispatcher.name);

  constructor(private readonly queue: JobQueue) {}

  /** Enqueues an attempt; false when one is there already. Throws QueueUnavailableError. */
  enqueue(teamId: string, deliveryId: string): Promise<boolean> {
    const jobId = `${deliverWebhookJob.name}-${deliveryId}`;
    return this.queue.enqueue(deliverWebhookJob, { teamId, deliveryId }, { jobId });
  }

  /** The same where a queue that does not answer is no error: the delivery is in the database and found there soon. */
  async hint(teamId: string, deliveryId: string): Promise<void> {
    try {
      await this.enqueue(teamId, deliveryId);
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error;
      this.log.warn({ teamId, deliveryId, err: error }, 'the queue did not answer; the delivery waits');
    }
  }
}
