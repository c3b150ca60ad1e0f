import { Injectable, Logger } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { OutboundFailed, OutboundHttp, OutboundRefused } from '../../platform/outbound-http';
import { type AttemptResult, AttemptsRepository, type ClaimedAttempt } from './attempts.repository';
import { attemptRules } from './attempt-rules';
import { DeliveryDispatcher } from './delivery-dispatcher';
import { type DeliverWebhookPayload } from './deliver-webhook.job';
import { DeliveryMetrics } from './delivery-metrics';
import { retryDelayMs } from './retry-plan';
import { signatureHeader, signingSecrets } from './webhook-secrets';

const requestTimeoutMs = 10_000;
const userAgent = 'Stallscope-Webhooks/1';
/** The receiver is gone for good and wants no more. */
const goneStatus = 410;

/** Makes one attempt at a delivery. */
@Injectable()
export class DeliverWebhookService {
  private readonly log = new Logger(DeliverWebhookService.name);

  constructor(
    private readonly attempts: AttemptsRepository,
    private readonly outbound: OutboundHttp,
    private readonly dispatcher: DeliveryDispatcher,
    private readonly metrics: DeliveryMetrics,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** Does nothing when no attempt is due, or endpoint or team have enough under way: the delivery is found again. */
  async process({ teamId, deliveryId }: DeliverWebhookPayload): Promise<void> {
    const rules = attemptRules(this.config);
    const claim = await this.attempts.claim(teamId, deliveryId, rules);
    if (!claim) return;
    const result = await this.send(claim);
    const settled = await this.attempts.settle(teamId, claim, result, rules);
    const { attempt, endpoint } = claim;
    const facts = { teamId, deliveryId, webhookId: endpoint.id, attempt, status: result.status };
    if (settled) {
      this.metrics.count(settled.state === 'pending' ? 'retried' : settled.state);
      this.log.log({ ...facts, result: settled.state, durationMs: result.durationMs }, 'webhook called');
      if (settled.disabledReason)
        this.log.warn({ ...facts, reason: settled.disabledReason }, 'webhook disabled');
    }
    // What waited for this one need not wait for the next look-around.
    const next = await this.attempts.findNext(teamId, endpoint.id, rules);
    for (const id of next) await this.dispatcher.hint(teamId, id);
  }

  private async send({
    deliveryId,
    attempt,
    eventType,
    body,
    url,
    endpoint,
  }: ClaimedAttempt): Promise<AttemptResult> {
    const startedMs = performance.now();
    const now = new Date();
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'stallscope-event': eventType,
      'stallscope-delivery': deliveryId,
      'stallscope-signature': signatureHeader(
        signingSecrets(this.config.webhooks.key, endpoint, now),
        body,
        now,
      ),
    };
    const { status, error } = await this.call(url, headers, body);
    return {
      status,
      error,
      delivered: error === null,
      durationMs: Math.round(performance.now() - startedMs),
      retryAt: this.retryAt(attempt),
      gone: status === goneStatus,
    };
  }

  private async call(url: string, headers: Record<string, string>, body: string) {
    try {
      const { status, excerpt } = await this.outbound.post(url, {
        headers,
        body,
        timeoutMs: requestTimeoutMs,
      });
      return { status, error: errorOf(status, excerpt) };
    } catch (error) {
      if (error instanceof OutboundRefused)
        return { status: null, error: `The address is refused. ${error.message}` };
      if (error instanceof OutboundFailed) return { status: null, error: `No answer: ${error.message}.` };
      throw error;
    }
  }

  private retryAt(attempt: number): Date | null {
    const { attempts, retryBaseS } = this.config.webhooks;
    if (attempt >= attempts) return null;
    return new Date(Date.now() + retryDelayMs(attempt, retryBaseS, Math.random()));
  }
}

/** Why the answer is no success; null when it is one. */
function errorOf(status: number, excerpt: string): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `HTTP ${status}: redirects are not followed; give the address that it leads to.`;
  return excerpt === '' ? `HTTP ${status}` : `HTTP ${status}: ${excerpt}`;
}
