import { Module } from '@nestjs/common';
import { DeliveriesController } from './deliveries.controller';
import { DeliveriesRepository } from './deliveries.repository';
import { DeliveryDispatcher } from './delivery-dispatcher';
import { EndpointsRepository } from './endpoints.repository';
import { outboundProvider } from './outbound.provider';
import { WebhookBacklogMetrics } from './webhook-backlog-metrics';
import { WebhookBacklogRepository } from './webhook-backlog.repository';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

/** Webhooks as teams set them up and look at them. */
@Module({
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    DeliveriesRepository,
    DeliveryDispatcher,
    EndpointsRepository,
    outboundProvider,
    WebhookBacklogMetrics,
    WebhookBacklogRepository,
    WebhooksService,
  ],
})
export class NotificationsModule {}
