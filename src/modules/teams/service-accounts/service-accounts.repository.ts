import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../../platform/audit';
import { Database, isUniqueViolation, type TeamScope } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { lockTeam } from '../authority.repository';
import { describeRevoked, revokeWithOffspring } from '../tokens/revocation.repository';

export interface StoredServiceAccount {
  id: string;
  name: string;
  description: string;
  createdAt: Date;
  disabledAt: Date | null;
}

export interface ServiceAccountChange {
  description?: string;
  disabled?: boolean;
}

const omit = { teamId: true } as const;
const targetOf = (id: string) => ({ kind: 'service-account', id });

/** Service accounts: what acts by itself, with tokens of its own. Each change is one transaction with its audit entries. */
@Injectable()
export class ServiceAccountsRepository {
  constructor(private readonly database: Database) {}

  /** Throws `service-account-name-taken`. */
  async create(
    teamId: string,
    actor: Actor,
    account: { name: string; description: string },
  ): Promise<StoredServiceAccount> {
    try {
      return await this.database.forTeam(teamId, async (scope) => {
        const stored = await scope.serviceAccount.create({ data: { teamId, ...account }, omit });
        await recordAudit(scope, actor, {
          action: 'service-account.created',
          target: targetOf(stored.id),
          details: { name: stored.name },
        });
        return stored;
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'service_accounts_team_id_name_key')) throw error;
      const detail = `Your team has a service account named ${account.name}.`;
      throw new ProblemError('service-account-name-taken', detail, { cause: error });
    }
  }

  /** The newest first; `before` is the id of the last row of the page before. */
  async list(teamId: string, limit: number, before?: string): Promise<StoredServiceAccount[]> {
    return this.database.forTeam(teamId, ({ serviceAccount }) =>
      serviceAccount.findMany({
        where: { teamId, ...(before === undefined ? {} : { id: { lt: before } }) },
        orderBy: { id: 'desc' },
        take: limit,
        omit,
      }),
    );
  }

  /**
   * Disabling revokes what the account's tokens made; they themselves are refused meanwhile. Throws
   * `service-account-not-found`. What is as asked for already is left, and leaves no entry.
   */
  async change(
    teamId: string,
    actor: Actor,
    id: string,
    change: ServiceAccountChange,
  ): Promise<StoredServiceAccount> {
    return this.database.forTeam(teamId, async (scope) => {
      const found = await lockAccount(scope, id);
      const { description = found.description, disabled = found.disabledAt !== null } = change;
      const isSwitched = disabled !== (found.disabledAt !== null);
      const disabledAt = isSwitched ? (disabled ? new Date() : null) : found.disabledAt;
      await scope.serviceAccount.updateMany({ where: { teamId, id }, data: { description, disabledAt } });
      const target = targetOf(id);
      const details = { name: found.name };
      if (description !== found.description)
        await recordAudit(scope, actor, { action: 'service-account.updated', target, details });
      if (isSwitched && disabled) {
        const revoked = await revokeWithOffspring(scope, await tokensOf(scope, id), id);
        await recordAudit(scope, actor, {
          action: 'service-account.disabled',
          target,
          details: { ...details, ...describeRevoked(revoked) },
        });
      } else if (isSwitched) {
        await recordAudit(scope, actor, { action: 'service-account.enabled', target, details });
      }
      return { ...found, description, disabledAt };
    });
  }

  /**
   * Deletes the account with its tokens, which are unknown from then on, and revokes what these made. Throws
   * `service-account-not-found`.
   */
  async delete(teamId: string, actor: Actor, id: string): Promise<void> {
    await this.database.forTeam(teamId, async (scope) => {
      const { name } = await lockAccount(scope, id);
      const tokens = await tokensOf(scope, id);
      const revoked = await revokeWithOffspring(scope, tokens, id);
      await scope.serviceAccount.deleteMany({ where: { teamId, id } });
      await recordAudit(scope, actor, {
        action: 'service-account.deleted',
        target: targetOf(id),
        details: { name, tokens, ...describeRevoked(revoked) },
      });
    });
  }
}

async function tokensOf({ teamId, apiToken }: TeamScope, serviceAccountId: string): Promise<string[]> {
  const tokens = await apiToken.findMany({ where: { teamId, serviceAccountId }, select: { id: true } });
  return tokens.map(({ id }) => id);
}

/**
 * The account, which nobody else changes until the transaction ends, nor makes a token of it. Throws
 * `service-account-not-found`.
 */
async function lockAccount(scope: TeamScope, id: string): Promise<StoredServiceAccount> {
  await lockTeam(scope);
  const { teamId } = scope;
  await scope.$queryRaw`
    SELECT 1 FROM service_accounts WHERE team_id = ${teamId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  const found = await scope.serviceAccount.findFirst({ where: { teamId, id }, omit });
  if (found) return found;
  throw new ProblemError('service-account-not-found', 'Your team has no service account with this id.');
}
