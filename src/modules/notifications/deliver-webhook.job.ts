import { z } from 'zod';
import { defineJob, type PayloadOf } from '../../platform/queue';

/**
 * Make the next attempt at a delivery. Only a hint: the delivery's row says whether one is due. Attempts of the job bridge
 * short outages of our own servers; attempts at the receiver are counted in the row.
 */
export const deliverWebhookJob = defineJob({
  name: 'deliver-webhook',
  version: 1,
  payload: { deliveryId: z.uuid() },
  attempts: 3,
  backoff: { delayMs: 1_000 },
});

export type DeliverWebhookPayload = PayloadOf<typeof deliverWebhookJob>;
