import { type EventType, eventTypes } from '../../platform/events';

/** What a webhook can be told: what happens to the team's things, and that somebody tries it out. */
export const testEventType = 'webhook.test';
export type WebhookEventType = EventType | typeof testEventType;

/** What a webhook is told unless it says otherwise: how runs ended, and what got worse or better. */
export const defaultEvents: readonly EventType[] = eventTypes.filter(
  (type) => type === 'run.done' || type === 'run.failed' || type.startsWith('regression.'),
);

export const payloadFormats = ['stallscope', 'slack'] as const;
export type PayloadFormat = (typeof payloadFormats)[number];

/** A run, as a webhook is told of it: as it was when the event happened. */
export interface RunInEvent {
  id: string;
  model: string;
  cluster: string;
  branch: string | null;
  commit: string | null;
  state: string;
  generation: number;
  /** Bottleneck of the report; null without one. */
  verdict: string | null;
  summary: string | null;
  failure: { code: string; reason: string } | null;
  /** A whole address when PUBLIC_URL is set, a path of the API otherwise. */
  reportUrl: string;
}

export interface WebhookEvent {
  id: string;
  type: string;
  createdAt: Date;
  team: { id: string; slug: string };
  /** Null for events that are about no run. */
  run: RunInEvent | null;
  /** What the event itself says, by type. */
  details: unknown;
}
