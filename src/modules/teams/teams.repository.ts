import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database, type FoundMembership, isUniqueViolation } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { type Role } from './principal';

export interface Account {
  id: string;
  email: string;
  name: string;
  /** Null for people who only sign in elsewhere. */
  passwordHash: string | null;
}

export interface NewTeam {
  slug: string;
  name: string;
  /** The owner: somebody who has an account, or an account to create with the team. */
  owner: { id: string } | { email: string; name: string; passwordHash: string };
}

export interface NewMember {
  role: Role;
  /** Somebody who has an account, or an account to create. */
  account: { id: string } | { email: string; name: string; passwordHash: string };
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
  async addMember(teamId: string, { role, account }: NewMember): Promise<void> {
    await this.database.forTeam(teamId, async ({ user, membership }) => {
      const userId = 'id' in account ? account.id : (await user.create({ data: account })).id;
      await membership.upsert({
        where: { teamId_userId: { teamId, userId } },
        create: { teamId, userId, role },
        update: {},
      });
    });
  }

  /** Creates team, owner and membership, all or nothing. Throws `team-slug-taken` or `email-taken`. */
  async createTeam({ slug, name, owner }: NewTeam): Promise<{ teamId: string; ownerId: string }> {
    // The team's own id must be known first: row-level security lets it write its own row only.
    const teamId = randomUUID();
    try {
      return await this.database.forTeam(teamId, async ({ team, user, membership }) => {
        const ownerId = 'id' in owner ? owner.id : (await user.create({ data: owner })).id;
        await team.create({ data: { id: teamId, slug, name } });
        await membership.create({ data: { teamId, userId: ownerId, role: 'owner' } });
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
