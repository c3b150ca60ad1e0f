import { Injectable } from '@nestjs/common';
import { Database, type TeamScope } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { renderBody } from './render-body';
import { type WebhookEvent } from './webhook-event';

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface StoredDelivery {
  id: string;
  eventId: string;
  eventType: string;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: Date;
  lastStatus: number | null;
  lastError: string | null;
  lastDurationMs: number | null;
  redeliveryOf: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

const withoutBody = { teamId: true, endpointId: true, claimedUntil: true, body: true } as const;

/** What was and is to be sent to the endpoints of a team, for people to look at and to ask for again. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** The newest first; `before` is the id of the last one of the page before. Throws `webhook-not-found`. */
  async list(
    teamId: string,
    endpointId: string,
    { state, before, limit }: { state?: DeliveryState; before?: string; limit: number },
  ): Promise<StoredDelivery[]> {
    return this.database.forTeam(teamId, async (scope) => {
      await getEndpoint(scope, endpointId);
      return scope.webhookDelivery.findMany({
        where: { teamId, endpointId, state, ...(before === undefined ? {} : { id: { lt: before } }) },
        orderBy: { id: 'desc' },
        take: limit,
        omit: withoutBody,
      });
    });
  }

  /** With its body. Throws `webhook-delivery-not-found`. */
  async get(teamId: string, endpointId: string, id: string): Promise<StoredDelivery & { body: string }> {
    return this.database.forTeam(teamId, (scope) => getDelivery(scope, endpointId, id));
  }

  /** A delivery of an event that concerns this endpoint alone. Throws `webhook-not-found` or `webhook-disabled`. */
  async create(
    teamId: string,
    endpointId: string,
    event: Pick<WebhookEvent, 'id' | 'type' | 'createdAt'>,
  ): Promise<StoredDelivery> {
    return this.database.forTeam(teamId, async (scope) => {
      const { team, payloadFormat } = await getEnabled(scope, endpointId);
      const body = renderBody({ ...event, team, run: null, details: {} }, payloadFormat);
      return scope.webhookDelivery.create({
        data: { teamId, endpointId, eventId: event.id, eventType: event.type, body },
        omit: withoutBody,
      });
    });
  }

  /** The same event with the same body once more. Throws `webhook-delivery-not-found` or `webhook-disabled`. */
  async redeliver(teamId: string, endpointId: string, id: string): Promise<StoredDelivery> {
    return this.database.forTeam(teamId, async (scope) => {
      const { eventId, eventType, body } = await getDelivery(scope, endpointId, id);
      await getEnabled(scope, endpointId);
      return scope.webhookDelivery.create({
        data: { teamId, endpointId, eventId, eventType, body, redeliveryOf: id },
        omit: withoutBody,
      });
    });
  }
}

async function getDelivery({ teamId, webhookDelivery }: TeamScope, endpointId: string, id: string) {
  const found = await webhookDelivery.findFirst({ where: { teamId, endpointId, id } });
  if (!found)
    throw new ProblemError('webhook-delivery-not-found', 'The webhook has no delivery with this id.');
  return found;
}

async function getEndpoint({ teamId, webhookEndpoint }: TeamScope, id: string) {
  const found = await webhookEndpoint.findFirst({
    where: { teamId, id },
    select: { enabled: true, payloadFormat: true, team: { select: { id: true, slug: true } } },
  });
  if (!found) throw new ProblemError('webhook-not-found', 'Your team has no webhook with this id.');
  return found;
}

async function getEnabled(scope: TeamScope, id: string) {
  const endpoint = await getEndpoint(scope, id);
  if (!endpoint.enabled) throw new ProblemError('webhook-disabled', 'Nothing is sent to a disabled webhook.');
  return endpoint;
}
