import { type ProblemDefinition } from './problem-definition';

/** Webhooks and their deliveries. */
export const webhookProblems = {
  'webhook-not-found': {
    status: 404,
    title: 'There is no such webhook',
    action: 'List the webhooks of your team with GET /v1/webhooks.',
  },
  'webhook-delivery-not-found': {
    status: 404,
    title: 'The webhook has no such delivery',
    action: 'List the deliveries of the webhook with GET /v1/webhooks/{id}/deliveries; old ones are deleted.',
  },
  'webhook-url-refused': {
    status: 422,
    title: 'The address of the webhook may not be called',
    action:
      'Give an https:// address that can be reached from the internet. Receivers in a network of your own must be allowed by the operator (WEBHOOK_ALLOWED_PRIVATE_HOSTS).',
  },
  'webhook-limit-reached': {
    status: 409,
    title: 'The team has as many webhooks as it may have',
    action: 'Delete a webhook that is not needed any more, or let one receiver take more kinds of events.',
  },
  'webhook-disabled': {
    status: 409,
    title: 'The webhook is disabled',
    action: 'Enable it first: PATCH /v1/webhooks/{id} with {"enabled": true}.',
  },
} as const satisfies Record<string, ProblemDefinition>;
