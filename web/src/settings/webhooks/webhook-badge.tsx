import { Badge } from '@mantine/core';
import { type Schemas } from '../../api/client';

type Webhook = Pick<Schemas['Webhook'], 'enabled' | 'disabledReason' | 'consecutiveFailures'>;

/** Why a webhook was disabled, by what the API calls it. */
export const REASONS: Record<string, string> = {
  'receiver-gone': 'The receiver answered 410 Gone, so the webhook was disabled.',
  failing: 'Five deliveries in a row failed for good, so the webhook was disabled.',
};

/** Whether a webhook works. */
export function WebhookBadge({
  webhook: { enabled, disabledReason, consecutiveFailures },
}: {
  webhook: Webhook;
}) {
  if (!enabled) {
    return <Badge color={disabledReason === null ? 'gray' : 'red'}>{disabledReason ?? 'disabled'}</Badge>;
  }
  if (consecutiveFailures === 0) return <Badge color="teal">enabled</Badge>;
  return <Badge color="yellow">{consecutiveFailures} failed in a row</Badge>;
}
