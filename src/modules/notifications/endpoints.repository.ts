import { Injectable } from '@nestjs/common';
import { type Actor, type AuditAction, recordAudit } from '../../platform/audit';
import { Database, type TeamScope } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { endPendingDeliveries } from './end-deliveries.repository';
import { lockWebhooks } from './team-lock.repository';

export interface NewEndpoint {
  url: string;
  description: string;
  events: string[];
  payloadFormat: string;
  enabled: boolean;
}

export interface StoredEndpoint extends NewEndpoint {
  id: string;
  secretVersion: number;
  secretRotatedAt: Date | null;
  /** Why the product disabled it; null when people did. */
  disabledReason: string | null;
  consecutiveFailures: number;
  createdAt: Date;
}

const withoutTeam = { teamId: true } as const;

/** Where teams want to be told. Every change is in the audit log. */
@Injectable()
export class EndpointsRepository {
  constructor(private readonly database: Database) {}

  /** Throws `webhook-limit-reached`. */
  async create(teamId: string, endpoint: NewEndpoint, most: number, actor: Actor): Promise<StoredEndpoint> {
    return this.database.forTeam(teamId, async (scope) => {
      await lockWebhooks(scope);
      if ((await scope.webhookEndpoint.count({ where: { teamId } })) >= most)
        throw new ProblemError('webhook-limit-reached', `A team may have ${most} webhooks.`);
      const created = await scope.webhookEndpoint.create({
        data: { ...endpoint, teamId },
        omit: withoutTeam,
      });
      await audit(scope, actor, 'webhook.created', created);
      return created;
    });
  }

  /** The newest first; `before` is the id of the last one of the page before. */
  async list(teamId: string, limit: number, before?: string): Promise<StoredEndpoint[]> {
    return this.database.forTeam(teamId, ({ webhookEndpoint }) =>
      webhookEndpoint.findMany({
        where: { teamId, ...(before === undefined ? {} : { id: { lt: before } }) },
        orderBy: { id: 'desc' },
        take: limit,
        omit: withoutTeam,
      }),
    );
  }

  /** Throws `webhook-not-found`. */
  async get(teamId: string, id: string): Promise<StoredEndpoint> {
    return this.database.forTeam(teamId, (scope) => getEndpoint(scope, id));
  }

  /** What is enabled again starts afresh; what is disabled has no deliveries under way. Throws `webhook-not-found`. */
  async update(
    teamId: string,
    id: string,
    change: Partial<NewEndpoint>,
    actor: Actor,
  ): Promise<StoredEndpoint> {
    return this.database.forTeam(teamId, async (scope) => {
      await lockWebhooks(scope);
      await getEndpoint(scope, id);
      const afresh = change.enabled === true ? { consecutiveFailures: 0, disabledReason: null } : {};
      await scope.webhookEndpoint.updateMany({ where: { teamId, id }, data: { ...change, ...afresh } });
      if (change.enabled === false) await endPendingDeliveries(scope, id);
      const updated = await getEndpoint(scope, id);
      await audit(scope, actor, 'webhook.updated', updated, { changed: Object.keys(change) });
      return updated;
    });
  }

  /** The secret before signs too for a while; the one before that no more. Throws `webhook-not-found`. */
  async rotateSecret(teamId: string, id: string, now: Date, actor: Actor): Promise<StoredEndpoint> {
    return this.database.forTeam(teamId, async (scope) => {
      await scope.webhookEndpoint.updateMany({
        where: { teamId, id },
        data: { secretVersion: { increment: 1 }, secretRotatedAt: now },
      });
      const rotated = await getEndpoint(scope, id);
      await audit(scope, actor, 'webhook.secret-rotated', rotated);
      return rotated;
    });
  }

  /** With all its deliveries. Throws `webhook-not-found`. */
  async delete(teamId: string, id: string, actor: Actor): Promise<void> {
    await this.database.forTeam(teamId, async (scope) => {
      await lockWebhooks(scope);
      const endpoint = await getEndpoint(scope, id);
      await scope.webhookEndpoint.deleteMany({ where: { teamId, id } });
      await audit(scope, actor, 'webhook.deleted', endpoint);
    });
  }
}

async function getEndpoint({ teamId, webhookEndpoint }: TeamScope, id: string): Promise<StoredEndpoint> {
  const found = await webhookEndpoint.findFirst({ where: { teamId, id }, omit: withoutTeam });
  if (!found) throw new ProblemError('webhook-not-found', 'Your team has no webhook with this id.');
  return found;
}

/** Of the address only the host: the rest can be a secret of the receiver. */
async function audit(
  scope: TeamScope,
  actor: Actor,
  action: AuditAction,
  { id, url, events, enabled }: StoredEndpoint,
  details: { changed?: string[] } = {},
): Promise<void> {
  await recordAudit(scope, actor, {
    action,
    target: { kind: 'webhook', id },
    details: { ...details, host: new URL(url).host, events, enabled },
  });
}
