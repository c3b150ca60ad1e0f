import { Module } from '@nestjs/common';
import { AttemptsRepository } from './attempts.repository';
import { DeliverWebhookService } from './deliver-webhook.service';
import { DeliveryDispatcher } from './delivery-dispatcher';
import { DeliveryMetrics } from './delivery-metrics';
import { DispatchWebhooks } from './dispatch-webhooks';
import { ForgetDeliveries } from './forget-deliveries';
import { outboundProvider } from './outbound.provider';
import { OutboxRepository } from './outbox.repository';
import { WebhookBacklogRepository } from './webhook-backlog.repository';

/** What worker processes do with events: hand them to webhooks, and send them. */
@Module({
  providers: [
    AttemptsRepository,
    DeliverWebhookService,
    DeliveryDispatcher,
    DeliveryMetrics,
    DispatchWebhooks,
    ForgetDeliveries,
    outboundProvider,
    OutboxRepository,
    WebhookBacklogRepository,
  ],
  exports: [DeliverWebhookService, DispatchWebhooks, ForgetDeliveries],
})
export class DeliveringModule {}
