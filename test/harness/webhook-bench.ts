import { Redis } from 'ioredis';
import { PipelineBench, type TeamClient } from './pipeline-bench';
import { until } from './until';
import { openWebhookReceiver, type WebhookReceiver } from './webhook-receiver';

/** Plain HTTP to loopback, and pauses that a test can wait for. */
export const FAST_WEBHOOKS = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  WEBHOOK_POLL_S: '1',
  WEBHOOK_RETRY_BASE_S: '1',
  WEBHOOK_ATTEMPTS: '3',
};

export interface Webhook {
  id: string;
  secret: string;
  enabled: boolean;
  disabledReason: string | null;
}

export interface Delivery {
  id: string;
  eventId: string;
  eventType: string;
  state: string;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
}

/** The whole product and a receiver of webhooks. */
export class WebhookBench {
  private constructor(
    readonly product: PipelineBench,
    readonly receiver: WebhookReceiver,
  ) {}

  static async open(): Promise<WebhookBench> {
    return new WebhookBench(await PipelineBench.open(FAST_WEBHOOKS), await openWebhookReceiver());
  }

  /** A team whose token may set up webhooks and upload runs. */
  team(): Promise<TeamClient> {
    return this.product.team(['runs:read', 'runs:write', 'admin']);
  }

  /** A webhook to a path of the receiver. */
  async hook(team: TeamClient, path: string, more: object = {}): Promise<Webhook> {
    const request = { url: this.receiver.url(path), ...more };
    const { body, status, text } = await team.call<Webhook>('POST', '/v1/webhooks', request);
    if (status !== 201) throw new Error(text);
    return body;
  }

  async current(team: TeamClient, { id }: Webhook): Promise<Webhook> {
    return (await team.call<Webhook>('GET', `/v1/webhooks/${id}`)).body;
  }

  /** Asks for a test event; gives its delivery. */
  async sendTest(team: TeamClient, { id }: Webhook): Promise<Delivery> {
    return (await team.call<Delivery>('POST', `/v1/webhooks/${id}/test`)).body;
  }

  async delivery(team: TeamClient, { id }: Webhook, deliveryId: string): Promise<Delivery> {
    return (await team.call<Delivery>('GET', `/v1/webhooks/${id}/deliveries/${deliveryId}`)).body;
  }

  async deliveries(team: TeamClient, { id }: Webhook): Promise<Delivery[]> {
    return (await team.call<{ items: Delivery[] }>('GET', `/v1/webhooks/${id}/deliveries`)).body.items;
  }

  /** Waits until so many deliveries of the webhook have been made and none is left to make. */
  async allDelivered(team: TeamClient, webhook: Webhook, count: number): Promise<Delivery[]> {
    const all = async () => {
      const found = await this.deliveries(team, webhook);
      return found.length === count && found.every(({ state }) => state === 'delivered');
    };
    await until(all, `${count} deliveries made`, 30_000);
    return this.deliveries(team, webhook);
  }

  /** Waits until so many requests came to a path. */
  arrived(path: string, count: number): Promise<void> {
    return until(() => this.receiver.callsTo(path).length >= count, `${count} requests to ${path}`, 30_000);
  }

  /** Deletes everything in the queue; gives the number of things that were deleted. */
  async forgetQueue(): Promise<number> {
    const { REDIS_URL, QUEUE_PREFIX } = this.product.environment.env;
    if (!REDIS_URL)
      return (await this.product.query(`DELETE FROM "${QUEUE_PREFIX}_queue".job RETURNING id`)).length;
    const redis = new Redis(REDIS_URL);
    try {
      const keys = await redis.keys(`${QUEUE_PREFIX}:*`);
      return keys.length > 0 ? await redis.del(...keys) : 0;
    } finally {
      redis.disconnect();
    }
  }

  async close(): Promise<void> {
    await this.product.close();
    await this.receiver.close();
  }
}
