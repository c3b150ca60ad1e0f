import { Injectable, Logger } from '@nestjs/common';
import { type Actor } from '../../../platform/audit';
import { ProblemError } from '../../../platform/errors';
import { toPage } from '../../../platform/http';
import { isTokenForm, newToken, shownPrefix, tokenHash } from './api-token';
import { ApiTokensRepository, type StoredApiToken } from './api-tokens.repository';
import { knownScopes, type Principal, type RunLimits, type Scope, tokenOf } from '../principal';
import {
  earlier,
  graceEnd,
  refuseEndedToken,
  refuseMoreRights,
  refuseToRotate,
  successorExpiry,
} from './rotation';
import { UseLog } from './use-log';

const dayMs = 86_400_000;

export interface NewTokenRequest {
  name: string;
  scopes: readonly Scope[];
  /** For ever when left out. */
  expiresInDays?: number;
  /** Who asks, unless that is an operator. What a token makes must not outlive it. */
  maker?: Principal;
  /** Only runs of these models, on these clusters. */
  limits?: RunLimits;
  serviceAccountId?: string;
}

/** Creates, lists and revokes API tokens, and recognises them. */
@Injectable()
export class ApiTokensService {
  private readonly logger = new Logger(ApiTokensService.name);
  private readonly uses = new UseLog();

  constructor(private readonly repository: ApiTokensRepository) {}

  /**
   * The token is in the answer and nowhere else; of a service account's token it is of the same account unless told
   * otherwise. Throws `service-account-not-found` or `service-account-disabled`.
   */
  async create(
    teamId: string,
    actor: Actor,
    { name, scopes, expiresInDays, maker, limits, serviceAccountId }: NewTokenRequest,
  ): Promise<StoredApiToken & { token: string }> {
    const wanted = expiresInDays === undefined ? null : new Date(Date.now() + expiresInDays * dayMs);
    const { token, ...secret } = newSecret();
    const made = {
      ...secret,
      name,
      scopes: knownScopes(scopes),
      expiresAt: earlier(wanted, maker?.expiresAt ?? null),
      models: [...(limits?.models ?? [])],
      clusters: [...(limits?.clusters ?? [])],
      serviceAccountId: serviceAccountId ?? maker?.serviceAccountId,
      madeByToken: maker && tokenOf(maker),
    };
    const stored = await this.repository.create(teamId, actor, made, maker);
    return { ...stored, token };
  }

  /**
   * A successor with the same name, scopes, limits and service account; the old token works on for `graceS` seconds. Throws
   * `scope-missing`, `token-limited`, `token-not-found`, `token-ended`, `token-rotated` or `service-account-disabled`.
   */
  async rotate(
    principal: Principal,
    actor: Actor,
    id: string,
    graceS: number,
  ): Promise<StoredApiToken & { token: string }> {
    refuseToRotate(principal, id);
    const { token, ...secret } = newSecret();
    const stored = await this.repository.rotate(principal, actor, id, (old) => {
      const now = new Date();
      refuseEndedToken(old, now);
      refuseMoreRights(old.scopes, principal);
      const { name, scopes, models, clusters } = old;
      const serviceAccountId = old.serviceAccountId ?? undefined;
      const expiresAt = successorExpiry(old, principal, now);
      const kept = { name, scopes, models, clusters, serviceAccountId };
      return {
        successor: { ...secret, ...kept, expiresAt, madeByToken: tokenOf(principal) },
        oldEndsAt: graceEnd(old, graceS, now),
      };
    });
    return { ...stored, token };
  }

  /** One page, the newest first, and where the next one starts. */
  async list(teamId: string, limit: number, cursor?: string) {
    return toPage(await this.repository.list(teamId, limit + 1, cursor), limit, ({ id }) => id);
  }

  /** Revokes what the token made too. Throws `token-not-found`. Revoking twice changes nothing. */
  async revoke(teamId: string, actor: Actor, id: string): Promise<void> {
    await this.repository.revoke(teamId, actor, id);
  }

  /** Who the token stands for. Throws `token-unknown`, `token-revoked` or `token-expired`. */
  async authenticate(token: string): Promise<Principal> {
    const found = isTokenForm(token) ? await this.repository.findByHash(tokenHash(token)) : undefined;
    if (!found) throw new ProblemError('token-unknown', `No team has the token ${shownPrefix(token)}….`);
    const now = new Date();
    if (found.revokedAt) {
      throw new ProblemError('token-revoked', `The token was revoked at ${found.revokedAt.toISOString()}.`);
    }
    if (found.expiresAt && found.expiresAt <= now) {
      throw new ProblemError('token-expired', `The token expired at ${found.expiresAt.toISOString()}.`);
    }
    if (found.disabledAt) {
      throw new ProblemError('token-revoked', 'The service account of the token was disabled.');
    }
    await this.noteUse(found.teamId, found.id, now);
    const { models, clusters } = found;
    const isLimited = models.length > 0 || clusters.length > 0;
    return {
      kind: 'token',
      id: found.id,
      name: found.name,
      teamId: found.teamId,
      scopes: knownScopes(found.scopes),
      ...(found.expiresAt ? { expiresAt: found.expiresAt } : {}),
      ...(found.serviceAccountId ? { serviceAccountId: found.serviceAccountId } : {}),
      ...(isLimited ? { runLimits: { models, clusters } } : {}),
    };
  }

  private async noteUse(teamId: string, id: string, now: Date): Promise<void> {
    const unlessSince = this.uses.start(id, now);
    if (!unlessSince) return;
    try {
      await this.repository.touch(teamId, id, now, unlessSince);
    } catch (error) {
      // When a token was last used is a courtesy: it must not fail the request, and is noted with the next one.
      this.uses.forget(id);
      this.logger.warn({ err: error, tokenId: id }, 'The use of a token was not noted.');
    }
  }
}

function newSecret() {
  const token = newToken();
  return { token, prefix: shownPrefix(token), tokenHash: tokenHash(token) };
}
