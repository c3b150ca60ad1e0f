import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../../platform/audit';
import {
  Database,
  type FoundInvitation,
  isUniqueViolation,
  type TeamScope,
} from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { isAbove } from '../authority';
import { lockTeam } from '../authority.repository';
import { type Role } from '../principal';
import { type AccountReference, findOrCreate } from '../teams.repository';

/** Where the request came from; who acts is the person who accepts. */
export type Origin = Pick<Actor, 'requestId' | 'address'>;

/** Invitations as those who were invited see them. */
@Injectable()
export class AcceptanceRepository {
  constructor(private readonly database: Database) {}

  async find(tokenHash: Uint8Array): Promise<FoundInvitation | undefined> {
    return this.database.withoutTeam((scope) => scope.findInvitation(tokenHash));
  }

  /**
   * Uses the invitation up and makes the account a member, all or nothing; gives the role in force. Who is a member already
   * gets the role of the invitation when it is higher, and keeps their own otherwise. Throws `invitation-ended`, or
   * `conflict` when an account with the address was created at the same time.
   */
  async accept(invitation: FoundInvitation, account: AccountReference, origin: Origin): Promise<Role> {
    try {
      return await this.database.forTeam(invitation.teamId, async (scope) => {
        await lockTeam(scope);
        await useUp(scope, invitation.id);
        const { id: userId } = await findOrCreate(scope, account);
        const actor: Actor = { kind: 'user', id: userId, name: invitation.email, ...origin };
        const role = await letIn(scope, actor, userId, invitation);
        await recordAudit(scope, actor, {
          action: 'invitation.accepted',
          target: { kind: 'invitation', id: invitation.id },
          details: { email: invitation.email, role: invitation.role },
        });
        return role;
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'users_email_key')) throw error;
      throw new ProblemError('conflict', 'The account was created by another request at the same time.', {
        cause: error,
        action: 'Send the same request again; the password must be that of the account.',
        retryAfterS: 1,
      });
    }
  }
}

/** One of those who try at the same time succeeds. Throws `invitation-ended`. */
async function useUp({ teamId, invitation }: TeamScope, id: string): Promise<void> {
  const now = new Date();
  const { count } = await invitation.updateMany({
    where: { teamId, id, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { acceptedAt: now },
  });
  if (count === 0) throw new ProblemError('invitation-ended', 'The invitation was used or revoked just now.');
}

async function letIn(
  scope: TeamScope,
  actor: Actor,
  userId: string,
  { email, role }: FoundInvitation,
): Promise<Role> {
  const { teamId, membership } = scope;
  const target = { kind: 'user', id: userId };
  const current = await membership.findFirst({ where: { teamId, userId } });
  if (!current) {
    await membership.create({ data: { teamId, userId, role } });
    await recordAudit(scope, actor, { action: 'member.added', target, details: { email, role } });
    return role;
  }
  if (!isAbove(role, current.role)) return current.role;
  await membership.updateMany({ where: { teamId, userId }, data: { role } });
  const details = { email, from: current.role, to: role };
  await recordAudit(scope, actor, { action: 'member.role-changed', target, details });
  return role;
}
