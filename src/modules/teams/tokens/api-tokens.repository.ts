import { Injectable } from '@nestjs/common';
import { Database, type FoundApiToken } from '../../../platform/database';

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

/** API tokens. Everything but `findByHash` is bound to a team, by the query and by row-level security. */
@Injectable()
export class ApiTokensRepository {
  constructor(private readonly database: Database) {}

  async findByHash(tokenHash: Uint8Array): Promise<FoundApiToken | undefined> {
    return this.database.withoutTeam((scope) => scope.findApiToken(tokenHash));
  }

  async create(teamId: string, token: NewApiToken): Promise<StoredApiToken> {
    return this.database.forTeam(teamId, ({ apiToken }) =>
      apiToken.create({ data: { ...token, teamId }, omit: withoutHash }),
    );
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

  /** False when the team has no such token. A token that is revoked already keeps its first time. */
  async revoke(teamId: string, id: string, now: Date): Promise<boolean> {
    return this.database.forTeam(teamId, async ({ apiToken }) => {
      await apiToken.updateMany({ where: { teamId, id, revokedAt: null }, data: { revokedAt: now } });
      return (await apiToken.count({ where: { teamId, id } })) > 0;
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
