import { Injectable } from '@nestjs/common';
import {
  DeliverWebhookService,
  deliverWebhookJob,
  type DeliverWebhookPayload,
} from '../src/modules/notifications';
import { type Config, InjectConfig } from '../src/platform/config';
import { type JobWorker } from './job-worker';

/** Sends events to the webhooks of teams. */
@Injectable()
export class DeliverWebhookWorker implements JobWorker<DeliverWebhookPayload> {
  readonly job = deliverWebhookJob;
  /** Many times what one request may take. */
  readonly longestS = 120;

  constructor(
    private readonly service: DeliverWebhookService,
    @InjectConfig() private readonly config: Config,
  ) {}

  get concurrency(): number {
    return this.config.webhooks.concurrency;
  }

  /** A request under way is short and is waited for when the process stops. */
  handle(payload: DeliverWebhookPayload): Promise<void> {
    return this.service.process(payload);
  }
}
