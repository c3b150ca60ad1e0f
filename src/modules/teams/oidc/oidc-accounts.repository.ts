import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../../platform/audit';
import {
  Database,
  type FoundMembership,
  type OpenInvitation,
  type TeamlessScope,
  type TeamScope,
} from '../../../platform/database';
import { lockTeam } from '../authority.repository';
import { type Joined, joinByInvitation, type Origin } from '../invitations/joining.repository';
import { type EndReason } from '../sessions/sessions.repository';
import { type Person } from '../sessions/sessions.service';
import { type AccountReference, addToTeam, findOrCreate } from '../teams.repository';
import { type OidcIdentity } from './oidc-identity';

/** An identity whose address the provider has verified. */
export type VerifiedIdentity = OidcIdentity & { verifiedEmail: string };

/** The team to join and in which role, and the invitation if it is by one. */
export interface Joining {
  membership: FoundMembership;
  invitationId?: string;
}

/** What both kinds of transactions can do about people. */
type PeopleScope = Pick<TeamScope, 'session' | 'userIdentity'> & {
  user: Pick<TeamlessScope['user'], 'updateMany'>;
};

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

  /**
   * Remembers that the identity is the person's, and removes the password and the sessions of a stranger. Audited in the
   * team; people who are in none have no audit log. Throws `conflict` when another request does the same.
   */
  async link(
    person: Person,
    identity: VerifiedIdentity,
    { teamId, origin }: { teamId: string | undefined; origin: Origin },
  ): Promise<void> {
    if (teamId === undefined) {
      await this.database.forPeople((scope) => addIdentity(scope, person, identity));
    } else {
      await this.database.forTeam(teamId, (scope) => addAuditedIdentity(scope, person, identity, origin));
    }
  }

  /**
   * Makes somebody a member; without `person` with a new account of the identity, all or nothing. Throws `invitation-ended`,
   * `not-found` when the team is being deleted, or `conflict` when another request creates the account.
   */
  async join(
    { membership: { teamId, role }, invitationId }: Joining,
    identity: VerifiedIdentity,
    { person, origin }: { person: Person | undefined; origin: Origin },
  ): Promise<Joined> {
    const { verifiedEmail: email, name = email } = identity;
    const account = person ?? { email, name, passwordHash: null };
    return this.database.forTeam(teamId, async (scope) => {
      const joined =
        invitationId === undefined
          ? await autoJoin(scope, role, account, origin)
          : await joinByInvitation(scope, { id: invitationId, role }, account, origin);
      if (!person) await addAuditedIdentity(scope, joined.person, identity, origin);
      return joined;
    });
  }
}

async function autoJoin(
  scope: TeamScope,
  givenRole: Joined['role'],
  account: AccountReference,
  origin: Origin,
): Promise<Joined> {
  await lockTeam(scope);
  const person = await findOrCreate(scope, account);
  const how = 'OIDC_AUTO_JOIN_TEAM';
  const role = await addToTeam(scope, actorOf(person, origin), person, givenRole, { how });
  return { person, role };
}

async function addAuditedIdentity(
  scope: TeamScope,
  person: Person,
  identity: VerifiedIdentity,
  origin: Origin,
): Promise<void> {
  const removedPassword = await addIdentity(scope, person, identity);
  await recordAudit(scope, actorOf(person, origin), {
    action: 'identity.linked',
    target: { kind: 'user', id: person.id },
    details: { issuer: identity.issuer, removedPassword },
  });
}

/** Gives whether there was a password of a stranger, which is gone. */
async function addIdentity(
  scope: PeopleScope,
  { id: userId }: Person,
  { issuer, subject, verifiedEmail: email }: VerifiedIdentity,
): Promise<boolean> {
  // First: the new row holds the person's in a way that lets changes of the password that wait for it go ahead.
  const removedPassword = await removeStrangersPassword(scope, userId);
  await scope.userIdentity.create({ data: { issuer, subject, email, userId } });
  return removedPassword;
}

/** Of an account that a stranger with an invitation to the address may have created; ends its sessions too. */
async function removeStrangersPassword({ user, session }: PeopleScope, userId: string): Promise<boolean> {
  const { count } = await user.updateMany({
    where: { id: userId, addressProven: false },
    data: { passwordHash: null, addressProven: true },
  });
  if (count === 0) return false;
  const endReason = 'address-proven' satisfies EndReason;
  await session.updateMany({ where: { userId, endedAt: null }, data: { endedAt: new Date(), endReason } });
  return true;
}

function actorOf({ id, email }: Person, origin: Origin): Actor {
  return { kind: 'user', id, name: email, ...origin };
}
