import { Injectable } from '@nestjs/common';
import { type Actor, type AuditedAct, recordAudit } from '../../../platform/audit';
import { Database, type FoundMembership, type RefreshRotation } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';

/** How somebody signed in. */
export type SignInMethod = 'password' | 'oidc';

/** Why a session ended before its time; stored, and shown in the audit log. */
export type EndReason =
  | 'logout'
  | 'ended-by-person'
  | 'password-changed'
  | 'password-reset'
  | 'refresh-token-reused'
  | 'member-removed'
  | 'address-proven';

export interface NewSession {
  userId: string;
  teamId: string;
  method: SignInMethod;
  userAgent: string | null;
  address: string | null;
  expiresAt: Date;
  /** SHA-256 of the first refresh token. */
  tokenHash: Uint8Array<ArrayBuffer>;
}

export interface StoredPasswordChange {
  userId: string;
  /** The session that asks, which goes on. */
  keptId: string;
  /** The hash that the current password was checked against. */
  verifiedHash: string;
  passwordHash: string;
}

export interface StoredSession {
  id: string;
  teamId: string;
  method: string;
  userAgent: string | null;
  address: string | null;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

const stored = {
  ...{ id: true, teamId: true, method: true, userAgent: true, address: true },
  ...{ createdAt: true, lastUsedAt: true, expiresAt: true },
} as const;

/** Sessions of people and their refresh tokens. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  /** The teams of a person, each with whether the session is one of theirs that goes on. */
  async listMembershipsIn(
    userId: string,
    sessionId: string,
  ): Promise<(FoundMembership & { isLive: boolean })[]> {
    return this.database.withoutTeam((scope) => scope.findMembershipsInSession(userId, sessionId));
  }

  /**
   * Starts a session and audits it as `login.succeeded`. Undefined when `passwordHash`, by which the person was known, is
   * not theirs any more: whoever changes a password ends all sessions, also those that are being started.
   */
  async start(
    { tokenHash, ...session }: NewSession,
    actor: Actor,
    passwordHash?: string,
  ): Promise<string | undefined> {
    return this.database.forTeam(session.teamId, async (scope) => {
      if (passwordHash !== undefined) {
        const [account] = await scope.$queryRaw<{ hash: string | null }[]>`
          SELECT password_hash AS hash FROM users WHERE id = ${session.userId}::uuid FOR SHARE`;
        if (account?.hash !== passwordHash) return undefined;
      }
      const { id } = await scope.session.create({ data: session, select: { id: true } });
      await scope.refreshToken.create({ data: { tokenHash, sessionId: id } });
      const details = { method: session.method };
      await recordAudit(scope, actor, {
        action: 'login.succeeded',
        target: { kind: 'session', id },
        details,
      });
      return id;
    });
  }

  /** The refresh token with this SHA-256, its session and whose it is. */
  async findToken(tokenHash: Uint8Array<ArrayBuffer>) {
    return this.database.withoutTeam(({ refreshToken }) =>
      refreshToken.findUnique({
        where: { tokenHash },
        include: { session: { include: { user: { select: { id: true, email: true } } } } },
      }),
    );
  }

  /** SHA-256 of the one refresh token of a session that is not used up. */
  async findUnusedToken(sessionId: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const found = await this.database.withoutTeam(({ refreshToken }) =>
      refreshToken.findFirst({ where: { sessionId, usedAt: null }, select: { tokenHash: true } }),
    );
    return found?.tokenHash;
  }

  /** Uses a refresh token up and stores its successor; false when that was done already, or the session has ended. */
  async rotate(rotation: RefreshRotation): Promise<boolean> {
    return this.database.withoutTeam((scope) => scope.rotateRefreshToken(rotation));
  }

  /** The same into another team; audited there as `login.succeeded`, for it is the first that the team hears of the person. */
  async rotateInto(
    { id, method }: { id: string; method: string },
    rotation: RefreshRotation,
    actor: Actor,
  ): Promise<boolean> {
    return this.database.forTeam(rotation.teamId, async (scope) => {
      if (!(await scope.rotateRefreshToken(rotation))) return false;
      const details = { method, how: 'switched' };
      await recordAudit(scope, actor, {
        action: 'login.succeeded',
        target: { kind: 'session', id },
        details,
      });
      return true;
    });
  }

  /** Ends a session, audited in its team. False when it had ended already; then nothing is changed. */
  async end(
    { id, teamId }: { id: string; teamId: string },
    reason: EndReason,
    actor: Actor,
    action: AuditedAct['action'] = 'session.ended',
  ): Promise<boolean> {
    return this.database.forTeam(teamId, async (scope) => {
      const { count } = await scope.session.updateMany({
        where: { id, endedAt: null },
        data: { endedAt: new Date(), endReason: reason },
      });
      if (count === 0) return false;
      const details = { reason };
      await recordAudit(scope, actor, { action, target: { kind: 'session', id }, details });
      return true;
    });
  }

  /** The sessions of a person that go on, the newest first; `before` is the last one of the page before. */
  async list(userId: string, limit: number, before?: string): Promise<StoredSession[]> {
    return this.database.withoutTeam(({ session }) =>
      // Ids are UUIDs of version 7: their order is that of creation.
      session.findMany({
        where: {
          ...{ userId, endedAt: null, expiresAt: { gt: new Date() } },
          ...(before === undefined ? {} : { id: { lt: before } }),
        },
        orderBy: { id: 'desc' },
        take: limit,
        select: stored,
      }),
    );
  }

  /** The session of the person, whether or not it has ended. */
  async find(userId: string, id: string): Promise<{ id: string; teamId: string } | null> {
    return this.database.withoutTeam(({ session }) =>
      session.findFirst({ where: { id, userId }, select: { id: true, teamId: true } }),
    );
  }

  /** As they are now; the hash is null for people who only sign in elsewhere, and all is for accounts that are gone. */
  async findCredentials(userId: string): Promise<{ email: string; passwordHash: string | null } | null> {
    return this.database.withoutTeam(({ user }) =>
      user.findUnique({ where: { id: userId }, select: { email: true, passwordHash: true } }),
    );
  }

  /**
   * Stores a new password and ends every session of the person but `keptId`. False when `verifiedHash` is not theirs any
   * more: of two who change the same password one succeeds. Throws `session-ended` when `keptId` has ended meanwhile.
   */
  async changePassword(teamId: string, change: StoredPasswordChange, actor: Actor): Promise<boolean> {
    const { userId, keptId, verifiedHash, passwordHash } = change;
    return this.database.forTeam(teamId, async (scope) => {
      const changed = await scope.$executeRaw`
        UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}::uuid AND password_hash = ${verifiedHash}`;
      // A statement of its own: it sees what was committed while the one before waited for the row.
      const kept = await scope.$queryRaw<unknown[]>`
        SELECT 1 FROM sessions
        WHERE id = ${keptId}::uuid AND user_id = ${userId}::uuid AND ended_at IS NULL FOR SHARE`;
      if (kept.length === 0) throw new ProblemError('session-ended', 'Your session was ended just now.');
      if (changed === 0) return false;
      const { count } = await scope.session.updateMany({
        where: { userId, id: { not: keptId }, endedAt: null },
        data: { endedAt: new Date(), endReason: 'password-changed' satisfies EndReason },
      });
      const target = { kind: 'user', id: userId };
      const details = { endedSessions: count };
      await recordAudit(scope, actor, { action: 'password.changed', target, details });
      return true;
    });
  }

  /** Deletes up to `maxRows` sessions that are over, with their refresh tokens. Gives how many. */
  async deleteOver(before: Date, maxRows: number): Promise<number> {
    return this.database.withoutTeam(async ({ session }) => {
      const where = { OR: [{ expiresAt: { lt: before } }, { endedAt: { lt: before } }] };
      return (await session.deleteMany({ where, limit: maxRows })).count;
    });
  }

  /** Deletes up to `maxRows` ways to a new password that are past their time. Gives how many. */
  async deletePasswordResets(before: Date, maxRows: number): Promise<number> {
    return this.database.withoutTeam(async ({ passwordReset }) => {
      const where = { expiresAt: { lt: before } };
      return (await passwordReset.deleteMany({ where, limit: maxRows })).count;
    });
  }

  /** Deletes up to `maxRows` sign-ins that did not come back from the provider in time. Gives how many. */
  async deleteOidcLogins(before: Date, maxRows: number): Promise<number> {
    return this.database.withoutTeam(async ({ oidcLogin }) => {
      return (await oidcLogin.deleteMany({ where: { expiresAt: { lt: before } }, limit: maxRows })).count;
    });
  }
}
