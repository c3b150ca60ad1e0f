import { createZodDto } from 'nestjs-zod';
import { z } from 'zod';
import { eventTypes } from '../../platform/events';
import { isPrintableLine } from '../../platform/http';
import { deliveryStates } from './deliveries.repository';
import { defaultEvents, payloadFormats } from './webhook-event';

const isoTime = z.iso.datetime();
const longestUrl = 2_048;
const nextCursor = z
  .uuid()
  .nullable()
  .describe('Pass it as cursor to get the next page; null on the last one.');

const url = z
  .string()
  .min(1)
  .max(longestUrl)
  .refine(isPrintableLine, 'must not contain control characters or broken Unicode')
  .describe('Where to send events; https:// and reachable from the internet.')
  .meta({ example: 'https://ci.example.com/hooks/stallscope' });
const description = z
  .string()
  .trim()
  .max(200)
  .refine(isPrintableLine, 'must not contain control characters or broken Unicode')
  .describe('What it is for.')
  .meta({ example: 'Stops the nightly job when a run got slower' });
const events = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(eventTypes.length)
  .transform((types) => [...new Set(types)])
  .describe('What to be told of: how runs ended, and regressions, unless given.')
  .meta({ example: ['run.done', 'run.failed'] });
const payloadFormat = z
  .enum(payloadFormats)
  .describe(
    'stallscope: our own JSON, see docs/webhooks.md; slack: a message for an incoming webhook of Slack.',
  );
const enabled = z.boolean().describe('While false nothing is sent, and events are not kept for later.');

export class NewWebhookDto extends createZodDto(
  z.strictObject({
    url,
    description: description.default(''),
    events: events.default([...defaultEvents]),
    payloadFormat: payloadFormat.default('stallscope'),
    enabled: enabled.default(true),
  }),
) {}

export class WebhookChangeDto extends createZodDto(
  z
    .strictObject({
      ...{ url: url.optional(), description: description.optional(), events: events.optional() },
      ...{ payloadFormat: payloadFormat.optional(), enabled: enabled.optional() },
    })
    .refine((change) => Object.keys(change).length > 0, 'must change something'),
) {}

const webhookSchema = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()),
  payloadFormat: z.string(),
  enabled: z.boolean(),
  disabledReason: z
    .string()
    .nullable()
    .describe(
      'Why it was disabled for you: receiver-gone (it answered 410) or failing (5 deliveries in a row failed for good).',
    )
    .meta({ example: 'failing' }),
  consecutiveFailures: z.int().describe('Deliveries in a row that failed for good.'),
  previousSecretUntil: isoTime
    .nullable()
    .describe('Until then the secret before the current one signs as well; null when it does not.'),
  createdAt: isoTime,
});

export class WebhookDto extends createZodDto(webhookSchema) {}

export class WebhookWithSecretDto extends createZodDto(
  webhookSchema.extend({
    secret: z
      .string()
      .describe('Key of the signatures. Shown this once; rotate it when it is lost.')
      .meta({ example: 'whsec_5Fq0mVfYbT0bY3yY3z0y0b9l7u0c4J2mYc3qk1WZt7g' }),
  }),
) {}

export class WebhookPageDto extends createZodDto(
  z.object({ items: z.array(webhookSchema.meta({ id: 'WebhookSummary' })), nextCursor }),
) {}

const deliverySchema = z.object({
  id: z.uuid().describe('Also the header Stallscope-Delivery.'),
  eventId: z.uuid().describe('The same in every delivery of one event: what to deduplicate by.'),
  eventType: z.string().meta({ example: 'run.done' }),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  nextAttemptAt: isoTime.nullable().describe('Null when there is none.'),
  lastStatus: z.int().nullable().describe('HTTP status of the last answer; null without one.'),
  lastError: z
    .string()
    .nullable()
    .describe('Why the last attempt failed, with the beginning of the answer.')
    .meta({ example: 'HTTP 503: upstream is restarting' }),
  lastDurationMs: z.int().nullable(),
  redeliveryOf: z.uuid().nullable().describe('The delivery that this one repeats.'),
  createdAt: isoTime,
  endedAt: isoTime.nullable(),
});

export class DeliveryDto extends createZodDto(deliverySchema) {}

export class DeliveryWithBodyDto extends createZodDto(
  deliverySchema.extend({ body: z.string().describe('What is sent, byte for byte.') }),
) {}

export class DeliveryPageDto extends createZodDto(
  z.object({ items: z.array(deliverySchema.meta({ id: 'DeliverySummary' })), nextCursor }),
) {}

const page = { limit: z.coerce.number().int().min(1).max(200).default(50), cursor: z.uuid().optional() };

export class WebhookListQueryDto extends createZodDto(z.strictObject(page)) {}

export class DeliveryListQueryDto extends createZodDto(
  z.strictObject({
    ...page,
    state: z.enum(deliveryStates).optional().describe('Only deliveries in this state.'),
  }),
) {}

export class WebhookIdDto extends createZodDto(z.object({ id: z.uuid() })) {}

export class DeliveryIdDto extends createZodDto(z.object({ id: z.uuid(), deliveryId: z.uuid() })) {}
