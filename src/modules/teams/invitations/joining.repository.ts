import { type Actor, recordAudit } from '../../../platform/audit';
import { type TeamScope } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { isAbove } from '../authority';
import { lockTeam } from '../authority.repository';
import { type Role } from '../principal';
import { type AccountReference, addToTeam, findOrCreate } from '../teams.repository';

/** Where the request came from; who acts is the person who joins. */
export type Origin = Pick<Actor, 'requestId' | 'address'>;

/** Who joined, with the role in force. */
export interface Joined {
  person: { id: string; email: string };
  role: Role;
}

/**
 * Uses an invitation up and makes the account a member of the team. Who is a member already gets the role of the invitation
 * when it is higher, and keeps their own otherwise. Throws `invitation-ended`, or `not-found` when the team is being deleted.
 */
export async function joinByInvitation(
  scope: TeamScope,
  { id, role: invitedRole }: { id: string; role: Role },
  account: AccountReference,
  origin: Origin,
): Promise<Joined> {
  await lockTeam(scope);
  await useUp(scope, id);
  const person = await findOrCreate(scope, account);
  const { email } = person;
  const actor: Actor = { kind: 'user', id: person.id, name: email, ...origin };
  const role = await letIn(scope, actor, person, invitedRole);
  await recordAudit(scope, actor, {
    action: 'invitation.accepted',
    target: { kind: 'invitation', id },
    details: { email, role: invitedRole },
  });
  return { person, role };
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

async function letIn(scope: TeamScope, actor: Actor, person: Joined['person'], role: Role): Promise<Role> {
  const current = await addToTeam(scope, actor, person, role);
  if (!isAbove(role, current)) return current;
  const { id: userId, email } = person;
  await scope.membership.updateMany({ where: { teamId: scope.teamId, userId }, data: { role } });
  await recordAudit(scope, actor, {
    action: 'member.role-changed',
    target: { kind: 'user', id: userId },
    details: { email, from: current, to: role },
  });
  return role;
}
