import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../../platform/audit';
import { Database, type FoundApiToken, type TeamScope } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { lockTeam, lockTeamFor } from '../authority.repository';
import { type Principal } from '../principal';
import { describeRevoked, revokeWithOffspring } from './revocation.repository';

export interface NewApiToken {
  name: string;
  prefix: string;
  tokenHash: Uint8Array<ArrayBuffer>;
  scopes: string[];
  expiresAt: Date | null;
  /** Limits; an empty list is none. */
  models: string[];
  clusters: string[];
  serviceAccountId?: string;
  rotatedFrom?: string;
  /** The token that is shown this one's secret. */
  madeByToken?: string;
}

export interface StoredApiToken {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  models: string[];
  clusters: string[];
  serviceAccountId: string | null;
  rotatedFrom: string | null;
}

const withoutHash = { teamId: true, tokenHash: true } as const;

const targetOf = (id: string) => ({ kind: 'token', id });

/** API tokens. Everything but `findByHash` is bound to a team, by the query and by row-level security. */
@Injectable()
export class ApiTokensRepository {
  constructor(private readonly database: Database) {}

  async findByHash(tokenHash: Uint8Array): Promise<FoundApiToken | undefined> {
    return this.database.withoutTeam((scope) => scope.findApiToken(tokenHash));
  }

  /**
   * `maker` is who asks, unless that is an operator. Throws `service-account-not-found` or `service-account-disabled`, or
   * what `lockTeamFor` throws.
   */
  async create(teamId: string, actor: Actor, token: NewApiToken, maker?: Principal): Promise<StoredApiToken> {
    return this.database.forTeam(teamId, async (scope) => {
      if (maker) await lockTeamFor(scope, maker);
      await refuseUnusableAccount(scope, token.serviceAccountId);
      const stored = await scope.apiToken.create({ data: { ...token, teamId }, omit: withoutHash });
      await recordAudit(scope, actor, {
        action: 'token.created',
        target: targetOf(stored.id),
        details: describe(stored),
      });
      return stored;
    });
  }

  /**
   * Puts a successor in the place of a token, which ends at `oldEndsAt`. `plan` is asked about the token as it is now, while
   * nobody else changes it, and may refuse. Throws what it throws, `token-not-found`, `token-rotated`,
   * `service-account-disabled`, or what `lockTeamFor` throws.
   */
  async rotate(
    principal: Principal,
    actor: Actor,
    id: string,
    plan: (old: StoredApiToken) => { successor: NewApiToken; oldEndsAt: Date },
  ): Promise<StoredApiToken> {
    const { teamId } = principal;
    return this.database.forTeam(teamId, async (scope) => {
      await lockTeamFor(scope, principal);
      const old = await lockToken(scope, id);
      const { successor, oldEndsAt } = plan(old);
      await refuseSecondSuccessor(scope, id);
      await refuseUnusableAccount(scope, old.serviceAccountId ?? undefined);
      const data = { ...successor, teamId, rotatedFrom: id };
      const stored = await scope.apiToken.create({ data, omit: withoutHash });
      await scope.apiToken.updateMany({ where: { teamId, id }, data: { expiresAt: oldEndsAt } });
      await recordAudit(scope, actor, {
        action: 'token.rotated',
        target: targetOf(id),
        details: { ...describe(stored), successor: stored.id, oldEndsAt: oldEndsAt.toISOString() },
      });
      return stored;
    });
  }

  /** The newest first; `before` is the id of the last token of the page before. */
  async list(teamId: string, limit: number, before?: string): Promise<StoredApiToken[]> {
    return this.database.forTeam(teamId, ({ apiToken }) =>
      // Ids are UUIDs of version 7: their order is that of creation.
      apiToken.findMany({
        where: { teamId, ...(before === undefined ? {} : { id: { lt: before } }) },
        orderBy: { id: 'desc' },
        take: limit,
        omit: withoutHash,
      }),
    );
  }

  /** The usable token of this name, if there is one. */
  async findUsableByName(teamId: string, name: string, now: Date): Promise<StoredApiToken | null> {
    return this.database.forTeam(teamId, ({ apiToken }) =>
      apiToken.findFirst({
        where: { teamId, name, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
        omit: withoutHash,
      }),
    );
  }

  /**
   * Revokes a token and what it made. Throws `token-not-found`. A token that is revoked already keeps its first time, and
   * leaves no second entry.
   */
  async revoke(teamId: string, actor: Actor, id: string): Promise<void> {
    await this.database.forTeam(teamId, async (scope) => {
      await lockTeam(scope);
      const token = await lockToken(scope, id);
      if (token.revokedAt) return;
      const { tokens, invitations } = await revokeWithOffspring(scope, [id]);
      const others = { tokens: tokens.filter((other) => other !== id), invitations };
      await recordAudit(scope, actor, {
        action: 'token.revoked',
        target: targetOf(id),
        details: { ...describe(token), ...describeRevoked(others) },
      });
    });
  }

  /** Notes that the token was used, unless that was noted since `unlessSince`. */
  async touch(teamId: string, id: string, now: Date, unlessSince: Date): Promise<void> {
    await this.database.forTeam(teamId, ({ apiToken }) =>
      apiToken.updateMany({
        where: { teamId, id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: unlessSince } }] },
        data: { lastUsedAt: now },
      }),
    );
  }
}

/** The token, which nobody else changes until the transaction ends. Throws `token-not-found`. */
async function lockToken(scope: TeamScope, id: string): Promise<StoredApiToken> {
  const { teamId } = scope;
  await scope.$queryRaw`
    SELECT 1 FROM api_tokens WHERE team_id = ${teamId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  const found = await scope.apiToken.findFirst({ where: { teamId, id }, omit: withoutHash });
  if (found) return found;
  throw new ProblemError('token-not-found', `Your team has no token with the id ${id}.`);
}

async function refuseSecondSuccessor({ teamId, apiToken }: TeamScope, id: string): Promise<void> {
  const successor = await apiToken.findFirst({ where: { teamId, rotatedFrom: id }, select: { id: true } });
  if (!successor) return;
  throw new ProblemError('token-rotated', `The token with the id ${successor.id} took over from it.`);
}

async function refuseUnusableAccount({ teamId, serviceAccount }: TeamScope, id?: string): Promise<void> {
  if (id === undefined) return;
  const account = await serviceAccount.findFirst({ where: { teamId, id }, select: { disabledAt: true } });
  if (!account) {
    throw new ProblemError('service-account-not-found', 'Your team has no service account with this id.');
  }
  if (!account.disabledAt) return;
  const since = account.disabledAt.toISOString();
  throw new ProblemError('service-account-disabled', `It was disabled at ${since}.`);
}

/** What the audit log keeps of a token. */
function describe({ name, scopes, models, clusters, expiresAt, serviceAccountId }: StoredApiToken) {
  const end = expiresAt?.toISOString() ?? null;
  return { name, scopes, models, clusters, expiresAt: end, serviceAccountId };
}
