import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type Actor, recordAudit } from '../../platform/audit';
import { Database, type FoundMembership, isUniqueViolation, type TeamScope } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { lockTeam } from './authority.repository';
import { type Role } from './principal';
import { type EndReason } from './sessions/sessions.repository';

export interface Account {
  id: string;
  email: string;
  name: string;
  /** Null for people who only sign in elsewhere. */
  passwordHash: string | null;
  /** False while whoever chose the password may be a stranger who held an invitation to the address. */
  addressProven: boolean;
}

/** Somebody who has an account, or an account to create. */
export type AccountReference =
  { id: string } | { email: string; name: string; passwordHash: string | null; addressProven?: boolean };

export interface NewTeam {
  slug: string;
  name: string;
  owner: AccountReference;
}

export interface NewMember {
  role: Role;
  account: AccountReference;
}

/** Teams, their members, and accounts. */
@Injectable()
export class TeamsRepository {
  constructor(private readonly database: Database) {}

  async findAccountByEmail(email: string): Promise<Account | null> {
    return this.database.withoutTeam(({ user }) => user.findUnique({ where: { email } }));
  }

  async findAccount(id: string): Promise<{ email: string; name: string } | null> {
    return this.database.withoutTeam(({ user }) =>
      user.findUnique({ where: { id }, select: { email: true, name: true } }),
    );
  }

  /** An operator knows whose the address is: a new password, and whoever signed in with the old one is out. */
  async vouchFor(userId: string, passwordHash: string): Promise<void> {
    await this.database.forPeople(async ({ user, session }) => {
      await user.update({ where: { id: userId }, data: { passwordHash, addressProven: true } });
      const endReason = 'address-proven' satisfies EndReason;
      await session.updateMany({
        where: { userId, endedAt: null },
        data: { endedAt: new Date(), endReason },
      });
    });
  }

  /** The teams of a person, the oldest membership first. */
  async listMemberships(userId: string): Promise<FoundMembership[]> {
    return this.database.withoutTeam((scope) => scope.findMemberships(userId));
  }

  async findTeam(teamId: string): Promise<{ id: string; slug: string; name: string } | null> {
    return this.database.forTeam(teamId, ({ team }) =>
      team.findUnique({ where: { id: teamId }, select: { id: true, slug: true, name: true } }),
    );
  }

  /** Makes somebody a member, creating the account where it is missing. Who is one already keeps the role. */
  async addMember(teamId: string, actor: Actor, { role, account }: NewMember): Promise<void> {
    await this.database.forTeam(teamId, async (scope) => {
      await lockTeam(scope);
      await addToTeam(scope, actor, await findOrCreate(scope, account), role);
    });
  }

  /** Creates team, owner and membership, all or nothing. Throws `team-slug-taken` or `email-taken`. */
  async createTeam(
    actor: Actor,
    { slug, name, owner }: NewTeam,
  ): Promise<{ teamId: string; ownerId: string }> {
    // The team's own id must be known first: row-level security lets it write its own row only.
    const teamId = randomUUID();
    try {
      return await this.database.forTeam(teamId, async (scope) => {
        const { id: ownerId, email } = await findOrCreate(scope, owner);
        await scope.team.create({ data: { id: teamId, slug, name } });
        await scope.membership.create({ data: { teamId, userId: ownerId, role: 'owner' } });
        await recordAudit(scope, actor, {
          action: 'team.created',
          target: { kind: 'team', id: teamId },
          details: { slug, name, ownerId, ownerEmail: email },
        });
        return { teamId, ownerId };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'teams_slug_key')) {
        throw new ProblemError('team-slug-taken', `Another team has the slug ${slug}.`, { cause: error });
      }
      if (isUniqueViolation(error, 'users_email_key')) {
        throw new ProblemError('email-taken', 'An account with this e-mail address was created just now.', {
          cause: error,
        });
      }
      throw error;
    }
  }
}

/** The account referred to, created where it is missing. */
export async function findOrCreate(
  { user }: TeamScope,
  account: AccountReference,
): Promise<{ id: string; email: string }> {
  const select = { id: true, email: true } as const;
  if (!('id' in account)) return user.create({ data: account, select });
  const found = await user.findUnique({ where: { id: account.id }, select });
  if (found) return found;
  throw new ProblemError('not-found', 'The account does not exist any more.');
}

/** Makes the person a member of the team, which is locked; gives the role in force. Who is one already keeps the role. */
export async function addToTeam(
  scope: TeamScope,
  actor: Actor,
  { id: userId, email }: { id: string; email: string },
  role: Role,
  details: { how?: string } = {},
): Promise<Role> {
  const { teamId, membership } = scope;
  const current = await membership.findFirst({ where: { teamId, userId } });
  if (current) return current.role;
  await membership.create({ data: { teamId, userId, role } });
  const target = { kind: 'user', id: userId };
  await recordAudit(scope, actor, {
    action: 'member.added',
    target,
    details: { email, role, ...details },
  });
  return role;
}
