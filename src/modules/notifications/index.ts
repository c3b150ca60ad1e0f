export { DeliveringModule } from './delivering.module';
export { type DeliverWebhookPayload, deliverWebhookJob } from './deliver-webhook.job';
export { DeliverWebhookService } from './deliver-webhook.service';
export { DispatchWebhooks } from './dispatch-webhooks';
export { ForgetDeliveries } from './forget-deliveries';
export { NotificationsModule } from './notifications.module';
