import { type TeamScope } from '../database';
import { type EventType } from './event-types';

export interface NewEvent {
  type: EventType;
  runId?: string;
  /** What a reader needs to know without asking; small, and without secrets. */
  data?: Record<string, string | number | boolean | null>;
}

/** Writes down that something happened, in the transaction in which it happens. */
export async function recordEvent(scope: TeamScope, { type, runId, data = {} }: NewEvent): Promise<void> {
  await scope.teamEvent.create({ data: { teamId: scope.teamId, type, runId: runId ?? null, data } });
}
