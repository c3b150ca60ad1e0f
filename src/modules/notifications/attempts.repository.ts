import { Injectable } from '@nestjs/common';
import { recordAudit, system } from '../../platform/audit';
import { Database, type TeamRow, type TeamScope } from '../../platform/database';
import { endPendingDeliveries } from './end-deliveries.repository';
import { lockWebhooks } from './team-lock.repository';
import { type SecretState } from './webhook-secrets';

/** What keeps one endpoint or team from taking all there is. */
export interface AttemptRules {
  maxAttempts: number;
  /** Requests under way at a time. */
  perEndpoint: number;
  perTeam: number;
  /** Longer than a request can take: after that its worker is dead, and the delivery is due again. */
  leaseMs: number;
  /** Deliveries in a row that must fail for the endpoint to be disabled. */
  failuresToDisable: number;
}

/** One attempt that is this worker's to make. */
export interface ClaimedAttempt {
  deliveryId: string;
  /** 1 for the first. */
  attempt: number;
  eventType: string;
  body: string;
  url: string;
  endpoint: SecretState;
}

/** How an attempt ended. */
export interface AttemptResult {
  delivered: boolean;
  status: number | null;
  error: string | null;
  durationMs: number;
  /** When the next one is due; null when there is none. Means nothing after a success. */
  retryAt: Date | null;
  /** The receiver says that it is gone for good. */
  gone: boolean;
}

/** What became of the delivery, and why its endpoint was disabled when it was. */
export interface Settled {
  state: 'delivered' | 'pending' | 'failed';
  disabledReason?: 'receiver-gone' | 'failing';
}

const cutOff: AttemptResult = {
  ...{ delivered: false, status: null, durationMs: 0, retryAt: null, gone: false },
  error: 'The worker that made the last attempt was lost.',
};

/** Attempts at deliveries: each is one worker's, and what it led to is written once. */
@Injectable()
export class AttemptsRepository {
  constructor(private readonly database: Database) {}

  /** Deliveries that are due, over all teams, in a fair order. */
  async findDue({ perEndpoint, perTeam }: AttemptRules, rows: number): Promise<TeamRow[]> {
    return this.database.withoutTeam((scope) =>
      scope.findDueDeliveries(new Date(), { perEndpoint, perTeam, rows }),
    );
  }

  /** Deliveries of one endpoint that are due, as many as may be under way. */
  async findNext(teamId: string, endpointId: string, { perEndpoint }: AttemptRules): Promise<string[]> {
    const next = await this.database.forTeam(teamId, ({ webhookDelivery }) =>
      webhookDelivery.findMany({
        where: { teamId, endpointId, state: 'pending', nextAttemptAt: { lte: new Date() } },
        orderBy: { nextAttemptAt: 'asc' },
        take: perEndpoint,
        select: { id: true },
      }),
    );
    return next.map(({ id }) => id);
  }

  /** Takes the attempt that is due; undefined when none is, somebody else has it, or endpoint or team is busy. */
  async claim(teamId: string, deliveryId: string, rules: AttemptRules): Promise<ClaimedAttempt | undefined> {
    return this.database.forTeam(teamId, async (scope) => {
      await lockWebhooks(scope);
      const now = new Date();
      const due = { teamId, id: deliveryId, state: 'pending' as const, nextAttemptAt: { lte: now } };
      const delivery = await scope.webhookDelivery.findFirst({
        where: { ...due, endpoint: { team: { deletedAt: null } } },
        include: { endpoint: true },
      });
      if (!delivery || (await isBusy(scope, delivery.endpointId, rules, now))) return undefined;
      const { attempts, eventType, body, endpoint } = delivery;
      // Made while the endpoint was being disabled.
      if (!endpoint.enabled) {
        await endPendingDeliveries(scope, endpoint.id);
        return undefined;
      }
      if (attempts >= rules.maxAttempts) {
        await settle(scope, { deliveryId, attempt: attempts }, cutOff, rules);
        return undefined;
      }
      const claimedUntil = new Date(now.getTime() + rules.leaseMs);
      await scope.webhookDelivery.updateMany({
        where: { ...due, attempts },
        data: { attempts: attempts + 1, claimedUntil, nextAttemptAt: claimedUntil },
      });
      return { deliveryId, attempt: attempts + 1, eventType, body, url: endpoint.url, endpoint };
    });
  }

  /** Writes down how the attempt ended; undefined when it is no longer the latest, and then nothing is changed. */
  async settle(
    teamId: string,
    attempt: Pick<ClaimedAttempt, 'deliveryId' | 'attempt'>,
    result: AttemptResult,
    rules: AttemptRules,
  ): Promise<Settled | undefined> {
    return this.database.forTeam(teamId, async (scope) => {
      await lockWebhooks(scope);
      return settle(scope, attempt, result, rules);
    });
  }
}

/** Whether as many requests are under way as may be. Correct only under `lockWebhooks`. */
async function isBusy(
  { teamId, webhookDelivery }: TeamScope,
  endpointId: string,
  { perEndpoint, perTeam }: AttemptRules,
  now: Date,
): Promise<boolean> {
  const underWay = await webhookDelivery.findMany({
    where: { teamId, state: 'pending', claimedUntil: { gt: now } },
    select: { endpointId: true },
    take: perTeam,
  });
  const here = underWay.filter((one) => one.endpointId === endpointId);
  return underWay.length >= perTeam || here.length >= perEndpoint;
}

async function settle(
  scope: TeamScope,
  { deliveryId, attempt }: Pick<ClaimedAttempt, 'deliveryId' | 'attempt'>,
  { delivered, status, error, durationMs, retryAt, gone }: AttemptResult,
  { failuresToDisable }: AttemptRules,
): Promise<Settled | undefined> {
  const { teamId } = scope;
  const ended = delivered || gone || retryAt === null;
  const state = delivered ? 'delivered' : ended ? 'failed' : 'pending';
  const [delivery] = await scope.webhookDelivery.updateManyAndReturn({
    where: { teamId, id: deliveryId, state: 'pending', attempts: attempt },
    data: {
      ...{ state, lastStatus: status, lastError: error, lastDurationMs: durationMs, claimedUntil: null },
      ...(ended ? { endedAt: new Date() } : { nextAttemptAt: retryAt }),
    },
    select: { endpointId: true },
  });
  if (!delivery || state === 'pending') return delivery && { state };
  const [endpoint] = await scope.webhookEndpoint.updateManyAndReturn({
    where: { teamId, id: delivery.endpointId },
    data: { consecutiveFailures: delivered ? 0 : { increment: 1 } },
    select: { id: true, enabled: true, consecutiveFailures: true },
  });
  if (delivered || !endpoint.enabled) return { state };
  const isFailing = endpoint.consecutiveFailures >= failuresToDisable;
  const disabledReason = gone ? 'receiver-gone' : isFailing ? 'failing' : undefined;
  if (disabledReason) await disable(scope, endpoint.id, disabledReason);
  return { state, disabledReason };
}

async function disable(
  scope: TeamScope,
  id: string,
  reason: NonNullable<Settled['disabledReason']>,
): Promise<void> {
  const { teamId } = scope;
  await scope.webhookEndpoint.updateMany({
    where: { teamId, id },
    data: { enabled: false, disabledReason: reason },
  });
  await endPendingDeliveries(scope, id);
  await recordAudit(scope, system, {
    action: 'webhook.disabled',
    target: { kind: 'webhook', id },
    details: { reason },
  });
}
