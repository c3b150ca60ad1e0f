import { type TeamScope } from '../../platform/database';

/** Ends what is still to be sent to an endpoint that was disabled; people can ask for it again. */
export async function endPendingDeliveries(
  { teamId, webhookDelivery }: TeamScope,
  endpointId: string,
): Promise<void> {
  await webhookDelivery.updateMany({
    where: { teamId, endpointId, state: 'pending' },
    data: {
      state: 'failed',
      endedAt: new Date(),
      claimedUntil: null,
      lastError: 'The webhook was disabled before this was delivered.',
    },
  });
}
