import { NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent } from 'react';
import { type Schemas } from '../../api/client';
import { fieldsOf } from '../../session/fields-of';
import { EventChoice, type EventType, USUAL_EVENTS } from './events';

const FORMATS = [
  { value: 'stallscope', label: 'JSON of Stallscope' },
  { value: 'slack', label: 'Message for Slack' },
];

/** What a webhook is made of, as the fields of a form. */
export function WebhookFields({ webhook }: { webhook?: Schemas['Webhook'] }) {
  return (
    <>
      <TextInput
        name="url"
        type="url"
        label="Address"
        description="Where to send events: https:// and reachable from the internet"
        placeholder="https://ci.example.com/hooks/stallscope"
        defaultValue={webhook?.url}
        required
        maxLength={2048}
        data-autofocus
      />
      <TextInput
        name="description"
        label="Description"
        description="What it is for"
        defaultValue={webhook?.description}
        maxLength={200}
      />
      <EventChoice initial={webhook?.events ?? USUAL_EVENTS} />
      <NativeSelect
        name="format"
        label="Sent as"
        data={FORMATS}
        defaultValue={webhook?.payloadFormat ?? 'stallscope'}
      />
    </>
  );
}

/** What was filled in. */
export function webhookOf(event: FormEvent<HTMLFormElement>) {
  const { text, texts } = fieldsOf(event);
  return {
    url: text('url').trim(),
    description: text('description').trim(),
    events: texts('events') as EventType[],
    payloadFormat: text('format') as NonNullable<Schemas['NewWebhook']['payloadFormat']>,
  };
}
