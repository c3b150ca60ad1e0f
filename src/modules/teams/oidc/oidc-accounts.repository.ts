import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../../platform/audit';
import {
  Database,
  type FoundMembership,
  type OpenInvitation,
  type TeamScope,
} from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { type EndReason } from '../sessions/sessions.repository';
import { type Person } from '../sessions/sessions.service';
import { type OidcIdentity } from './oidc-identity';

/** An identity whose address the provider has verified. */
export type VerifiedIdentity = OidcIdentity & { verifiedEmail: string };

/** The team to join, and the invitation if it is by one. */
export interface Joining {
  membership: FoundMembership;
  invitationId?: string;
}

/** Accounts of people who sign in with the OpenID provider. */
@Injectable()
export class OidcAccountsRepository {
  constructor(private readonly database: Database) {}

  /** Whose identity this is. */
  async findByIdentity({ issuer, subject }: OidcIdentity): Promise<Person | undefined> {
    const found = await this.database.withoutTeam(({ userIdentity }) =>
      userIdentity.findUnique({
        where: { issuer_subject: { issuer, subject } },
        select: { user: { select: { id: true, email: true } } },
      }),
    );
    return found?.user;
  }

  /** Whether the person is known by an identity of this issuer. */
  async isLinked(userId: string, issuer: string): Promise<boolean> {
    return this.database.withoutTeam(
      async ({ userIdentity }) => (await userIdentity.count({ where: { userId, issuer } })) > 0,
    );
  }

  async listOpenInvitations(email: string): Promise<OpenInvitation[]> {
    return this.database.withoutTeam((scope) => scope.findOpenInvitations(email));
  }

  async findTeam(slug: string): Promise<{ id: string; slug: string; name: string } | undefined> {
    const id = await this.database.withoutTeam((scope) => scope.findTeamId(slug));
    if (id === undefined) return undefined;
    const team = await this.database.forTeam(id, ({ team: teams }) =>
      teams.findUnique({ where: { id }, select: { id: true, slug: true, name: true } }),
    );
    return team ?? undefined;
  }

  /** Remembers that the identity is the person's; audited in the team. */
  async link(teamId: string, person: Person, identity: VerifiedIdentity, actor: Actor): Promise<void> {
    await this.database.forTeam(teamId, (scope) => addIdentity(scope, person, identity, actor));
  }

  /**
   * Makes somebody a member, with an account and the identity where they are missing, all or nothing.
   * Throws `conflict` when the invitation was used or revoked meanwhile.
   */
  async join(
    { membership: { teamId, role }, invitationId }: Joining,
    identity: VerifiedIdentity,
    { person, isLinked, actor }: { person: Person | undefined; isLinked: boolean; actor: Actor },
  ): Promise<Person> {
    return this.database.forTeam(teamId, async (scope) => {
      const { verifiedEmail: email, name = email } = identity;
      const joined =
        person ?? (await scope.user.create({ data: { email, name }, select: { id: true, email: true } }));
      if (!isLinked) await addIdentity(scope, joined, identity, actor);
      await scope.membership.create({ data: { teamId, userId: joined.id, role } });
      if (invitationId === undefined) {
        const target = { kind: 'user', id: joined.id };
        const details = { role, how: 'OIDC_AUTO_JOIN_TEAM' };
        await recordAudit(scope, actor, { action: 'member.added', target, details });
      } else {
        await acceptInvitation(scope, invitationId);
        const target = { kind: 'invitation', id: invitationId };
        const details = { role, userId: joined.id };
        await recordAudit(scope, actor, { action: 'invitation.accepted', target, details });
      }
      return joined;
    });
  }
}

async function addIdentity(
  scope: TeamScope,
  person: Person,
  identity: VerifiedIdentity,
  actor: Actor,
): Promise<void> {
  const { issuer, subject, verifiedEmail: email } = identity;
  await scope.userIdentity.create({ data: { issuer, subject, email, userId: person.id } });
  const removedPassword = await removeStrangersPassword(scope, person.id);
  const target = { kind: 'user', id: person.id };
  await recordAudit(scope, actor, {
    action: 'identity.linked',
    target,
    details: { issuer, removedPassword },
  });
}

/** Of an account that a stranger with an invitation to the address may have created; ends its sessions too. */
async function removeStrangersPassword(
  { $executeRaw, session }: TeamScope,
  userId: string,
): Promise<boolean> {
  const removed = await $executeRaw`
    UPDATE users SET password_hash = NULL, address_proven = true WHERE id = ${userId}::uuid AND NOT address_proven`;
  if (removed === 0) return false;
  const endReason = 'address-proven' satisfies EndReason;
  await session.updateMany({ where: { userId, endedAt: null }, data: { endedAt: new Date(), endReason } });
  return true;
}

async function acceptInvitation({ invitation, teamId }: TeamScope, id: string): Promise<void> {
  const now = new Date();
  const { count } = await invitation.updateMany({
    where: { teamId, id, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
    data: { acceptedAt: now },
  });
  if (count === 0) throw new ProblemError('conflict', 'Your invitation was used or revoked just now.');
}
