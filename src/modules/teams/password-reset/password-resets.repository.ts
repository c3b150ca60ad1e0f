import { Injectable } from '@nestjs/common';
import { type Actor, type AuditedAct, recordAudit } from '../../../platform/audit';
import { Database, type TeamlessScope, type TeamScope } from '../../../platform/database';
import { type EndReason } from '../sessions/sessions.repository';

export interface NewPasswordReset {
  tokenHash: Uint8Array<ArrayBuffer>;
  expiresAt: Date;
}

type EnterTeam = (teamId: string) => Promise<TeamScope>;

/** Ways to a new password: one per person at most, each good once. */
@Injectable()
export class PasswordResetsRepository {
  constructor(private readonly database: Database) {}

  /** Takes the place of the one before, audited in all teams of the person. False when no account has the address. */
  async create(email: string, reset: NewPasswordReset, actor: Actor): Promise<boolean> {
    return this.database.forPeople(async (scope, enterTeam) => {
      const account = await scope.user.findUnique({ where: { email }, select: { id: true } });
      if (!account) return false;
      const where = { userId: account.id };
      await scope.passwordReset.upsert({
        where,
        create: { ...where, ...reset },
        update: { ...reset, createdAt: new Date() },
      });
      const details = { expiresAt: reset.expiresAt.toISOString() };
      await auditInTeams(scope, enterTeam, actor, account.id, { action: 'password.reset-created', details });
      return true;
    });
  }

  /** Whether there is one with this SHA-256 that can be used. */
  async exists(tokenHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const where = { tokenHash, expiresAt: { gt: new Date() } };
    return this.database.withoutTeam(async ({ passwordReset }) => (await passwordReset.count({ where })) > 0);
  }

  /**
   * Uses it up for a new password and ends every session of the person, audited in all teams of the person as their act from
   * where `actor` is. False when it cannot be used any more: of two who use it at once one succeeds.
   */
  async use(tokenHash: Uint8Array<ArrayBuffer>, passwordHash: string, actor: Actor): Promise<boolean> {
    return this.database.forPeople(async (scope, enterTeam) => {
      const userId = await scope.takePasswordReset(tokenHash);
      if (userId === undefined) return false;
      // The operator who handed it over knows whose the address is.
      const { email } = await scope.user.update({
        where: { id: userId },
        data: { passwordHash, addressProven: true },
        select: { email: true },
      });
      const { count: endedSessions } = await scope.session.updateMany({
        where: { userId, endedAt: null },
        data: { endedAt: new Date(), endReason: 'password-reset' satisfies EndReason },
      });
      const person: Actor = { ...actor, kind: 'user', id: userId, name: email };
      await auditInTeams(scope, enterTeam, person, userId, {
        action: 'password.reset',
        details: { endedSessions },
      });
      return true;
    });
  }
}

async function auditInTeams(
  scope: TeamlessScope,
  enterTeam: EnterTeam,
  actor: Actor,
  userId: string,
  act: Pick<AuditedAct, 'action' | 'details'>,
): Promise<void> {
  for (const { teamId } of await scope.findMemberships(userId)) {
    await recordAudit(await enterTeam(teamId), actor, { ...act, target: { kind: 'user', id: userId } });
  }
}
