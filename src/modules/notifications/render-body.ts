import { renderSlackMessage } from './slack-message';
import { type WebhookEvent } from './webhook-event';

/** What is sent of an event, as JSON text, in the format of an endpoint; a format of another release is ours. */
export function renderBody(event: WebhookEvent, format: string): string {
  return JSON.stringify(format === 'slack' ? renderSlackMessage(event) : renderMessage(event));
}

function renderMessage({ id, type, createdAt, team, run, details }: WebhookEvent) {
  return { id, type, createdAt: createdAt.toISOString(), team, data: { run, details } };
}
