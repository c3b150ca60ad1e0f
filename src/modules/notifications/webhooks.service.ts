import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Actor } from '../../platform/audit';
import { type Config, InjectConfig } from '../../platform/config';
import { ProblemError } from '../../platform/errors';
import { OutboundHttp, OutboundRefused } from '../../platform/outbound-http';
import { DeliveriesRepository, type StoredDelivery } from './deliveries.repository';
import { DeliveryDispatcher } from './delivery-dispatcher';
import { EndpointsRepository, type NewEndpoint, type StoredEndpoint } from './endpoints.repository';
import { testEventType } from './webhook-event';
import { deriveSecret } from './webhook-secrets';

/** More receivers than a team has tools; each costs a look at every event. */
const webhooksPerTeam = 20;

/** Webhooks as their team sets them up. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly outbound: OutboundHttp,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** Throws `webhook-url-refused` or `webhook-limit-reached`. */
  async create(
    teamId: string,
    endpoint: NewEndpoint,
    actor: Actor,
  ): Promise<StoredEndpoint & { secret: string }> {
    const url = await this.checkUrl(endpoint.url);
    const created = await this.endpoints.create(teamId, { ...endpoint, url }, webhooksPerTeam, actor);
    return this.withSecret(created);
  }

  /** Throws `webhook-not-found` or `webhook-url-refused`. */
  async update(
    teamId: string,
    id: string,
    change: Partial<NewEndpoint>,
    actor: Actor,
  ): Promise<StoredEndpoint> {
    const checked = change.url === undefined ? {} : { url: await this.checkUrl(change.url) };
    return this.endpoints.update(teamId, id, { ...change, ...checked }, actor);
  }

  /** Throws `webhook-not-found`. */
  async rotateSecret(teamId: string, id: string, actor: Actor): Promise<StoredEndpoint & { secret: string }> {
    return this.withSecret(await this.endpoints.rotateSecret(teamId, id, new Date(), actor));
  }

  /** Sends an event that says nothing, to see whether it arrives. Throws `webhook-not-found` or `webhook-disabled`. */
  async test(teamId: string, id: string): Promise<StoredDelivery> {
    const event = { id: randomUUID(), type: testEventType, createdAt: new Date() };
    return this.sent(teamId, await this.deliveries.create(teamId, id, event));
  }

  /** Throws `webhook-delivery-not-found` or `webhook-disabled`. */
  async redeliver(teamId: string, id: string, deliveryId: string): Promise<StoredDelivery> {
    return this.sent(teamId, await this.deliveries.redeliver(teamId, id, deliveryId));
  }

  private async sent(teamId: string, delivery: StoredDelivery): Promise<StoredDelivery> {
    await this.dispatcher.hint(teamId, delivery.id);
    return delivery;
  }

  private withSecret(endpoint: StoredEndpoint): StoredEndpoint & { secret: string } {
    const secret = deriveSecret(this.config.webhooks.key, endpoint.id, endpoint.secretVersion);
    return { ...endpoint, secret };
  }

  /** The address in its plain form. */
  private async checkUrl(text: string): Promise<string> {
    try {
      return (await this.outbound.check(text)).href;
    } catch (error) {
      if (!(error instanceof OutboundRefused)) throw error;
      throw new ProblemError('webhook-url-refused', `This address is refused. ${error.message}`, {
        cause: error,
      });
    }
  }
}
