import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../../platform/audit';
import { Database, type TeamScope } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { grantableRoles, isAbove, refuseToGrant, refuseToManage } from '../authority';
import { lockTeamFor } from '../authority.repository';
import { normalizeEmail } from '../normalize-email';
import { type Principal, type Role, roles, scopesOfRole } from '../principal';

export interface StoredMember {
  userId: string;
  email: string;
  name: string;
  role: Role;
  joinedAt: Date;
}

const columns = {
  userId: true,
  role: true,
  createdAt: true,
  user: { select: { email: true, name: true } },
} as const;

/** Who is in a team. Each change is one transaction with its audit entry, and waits for every other change of the team's people. */
@Injectable()
export class MembersRepository {
  constructor(private readonly database: Database) {}

  /** The oldest account first; `after` is the user of the last row of the page before. */
  async list(teamId: string, limit: number, after?: string): Promise<StoredMember[]> {
    return this.database.forTeam(teamId, async ({ membership }) => {
      const rows = await membership.findMany({
        where: { teamId, ...(after === undefined ? {} : { userId: { gt: after } }) },
        orderBy: { userId: 'asc' },
        take: limit,
        select: columns,
      });
      return rows.map(toMember);
    });
  }

  /** Throws `member-not-found`, `role-too-high` or `last-owner`. */
  async changeRole(principal: Principal, actor: Actor, userId: string, role: Role): Promise<StoredMember> {
    const { teamId } = principal;
    return this.database.forTeam(teamId, async (scope) => {
      const authority = await lockTeamFor(scope, principal);
      const member = await getMember(scope, userId);
      refuseToManage(authority, member.role);
      refuseToGrant(authority, role);
      if (member.role === role) return member;
      await refuseWithoutOwner(scope, member);
      await scope.membership.update({
        where: { teamId_userId: { teamId, userId }, teamId },
        data: { role },
      });
      const revokedInvitations = await revokeInvitationsOf(scope, member, {
        // An invitation must not give what whoever made it could not give any more,
        given: grantableRoles({ role, scopes: scopesOfRole[role] }),
        // nor give back what was just taken away.
        received: roles.filter((other) => !isAbove(other, role)),
      });
      await recordAudit(scope, actor, {
        action: 'member.role-changed',
        target: { kind: 'user', id: userId },
        details: { email: member.email, from: member.role, to: role, revokedInvitations },
      });
      return { ...member, role };
    });
  }

  /**
   * Takes somebody, or whoever asks, out of the team, ends their sessions in it and revokes the invitations that they made or
   * could come back with. Throws `member-not-found`, `role-too-high` or `last-owner`.
   */
  async remove(principal: Principal, actor: Actor, userId: string): Promise<void> {
    const { teamId } = principal;
    const isLeaving = principal.kind === 'user' && principal.id === userId;
    await this.database.forTeam(teamId, async (scope) => {
      const authority = await lockTeamFor(scope, principal);
      const member = await getMember(scope, userId);
      if (!isLeaving) refuseToManage(authority, member.role);
      await refuseWithoutOwner(scope, member);
      const { email, role } = member;
      const taken = await takeOut(scope, member);
      await recordAudit(scope, actor, {
        action: 'member.removed',
        target: { kind: 'user', id: userId },
        details: { email, role, ...taken },
      });
    });
  }
}

/** Somebody in the team. */
export async function findMember(
  { teamId, membership }: TeamScope,
  userId: string,
): Promise<StoredMember | undefined> {
  const row = await membership.findFirst({ where: { teamId, userId }, select: columns });
  return row ? toMember(row) : undefined;
}

async function getMember(scope: TeamScope, userId: string): Promise<StoredMember> {
  const member = await findMember(scope, userId);
  if (member) return member;
  throw new ProblemError('member-not-found', 'Your team has no member with this id.');
}

/** Whether the team, which is locked, would have no owner without this member. */
export async function isOnlyOwner(
  { teamId, membership }: TeamScope,
  { role, userId }: StoredMember,
): Promise<boolean> {
  if (role !== 'owner') return false;
  return (await membership.count({ where: { teamId, role: 'owner', userId: { not: userId } } })) === 0;
}

async function refuseWithoutOwner(scope: TeamScope, member: StoredMember): Promise<void> {
  if (await isOnlyOwner(scope, member))
    throw new ProblemError('last-owner', 'This is the only owner of the team.');
}

/** Ends a membership with the sessions in the team and the invitations that the person made or could come back with. */
export async function takeOut(
  scope: TeamScope,
  member: StoredMember,
): Promise<{ endedSessions: number; revokedInvitations: string[] }> {
  const { teamId } = scope;
  const { userId } = member;
  await scope.membership.deleteMany({ where: { teamId, userId } });
  const endedSessions = await scope.$executeRaw`
    UPDATE sessions SET ended_at = now(), end_reason = 'member-removed'
    WHERE team_id = ${teamId}::uuid AND user_id = ${userId}::uuid AND ended_at IS NULL`;
  const revokedInvitations = await revokeInvitationsOf(scope, member, { given: [], received: [] });
  return { endedSessions, revokedInvitations };
}

/** Revokes open invitations that somebody made and those to their address, but for these roles. Gives their ids. */
async function revokeInvitationsOf(
  { teamId, invitation }: TeamScope,
  { userId, email }: StoredMember,
  except: { given: Role[]; received: Role[] },
) {
  const made = { invitedBy: userId, role: { notIn: except.given } };
  const addressed = { email: normalizeEmail(email), role: { notIn: except.received } };
  const revoked = await invitation.updateManyAndReturn({
    where: { teamId, acceptedAt: null, revokedAt: null, OR: [made, addressed] },
    data: { revokedAt: new Date() },
    select: { id: true },
  });
  return revoked.map(({ id }) => id);
}

function toMember(row: {
  userId: string;
  role: Role;
  createdAt: Date;
  user: { email: string; name: string };
}): StoredMember {
  return { userId: row.userId, ...row.user, role: row.role, joinedAt: row.createdAt };
}
