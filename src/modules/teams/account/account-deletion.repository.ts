import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../../platform/audit';
import { Database, type FoundMembership, type TeamScope } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { lockTeam } from '../authority.repository';
import { findMember, isOnlyOwner, takeOut } from '../members/members.repository';

/** What proves who asks. */
export interface OwnSession {
  createdAt: Date;
  user: { email: string; passwordHash: string | null };
}

/** Accounts and all that is of their person alone. */
@Injectable()
export class AccountDeletionRepository {
  constructor(private readonly database: Database) {}

  /** The session of the person, while it goes on. */
  async findSession(userId: string, id: string): Promise<OwnSession | null> {
    return this.database.withoutTeam(({ session }) =>
      session.findFirst({
        where: { id, userId, endedAt: null },
        select: { createdAt: true, user: { select: { email: true, passwordHash: true } } },
      }),
    );
  }

  /**
   * Takes the person out of all teams, audited in each, and deletes the account; all or nothing. Throws `last-owner`,
   * `password-wrong` when `passwordHash` is not theirs any more, or `conflict` when they get into another team meanwhile.
   */
  async delete(userId: string, passwordHash: string | null, actor: Actor): Promise<void> {
    await this.database.forPeople(async (scope, enterTeam) => {
      const owned: string[] = [];
      for (const { teamId, slug } of inOrder(await scope.findMemberships(userId))) {
        if (!(await leave(await enterTeam(teamId), userId, actor))) owned.push(slug);
      }
      if (owned.length > 0) throw lastOwner(owned);
      // After the teams, as everybody who lets people in does; whoever wants to now waits, and finds nobody.
      const account = await scope.lockAccount(userId);
      if (account?.passwordHash !== passwordHash)
        throw new ProblemError('password-wrong', 'Your password was changed just now.');
      if ((await scope.findMemberships(userId)).length > 0) throw joinedMeanwhile();
      await scope.user.deleteMany({ where: { id: userId } });
    });
  }
}

/** The same order for everybody, or two could wait for each other. */
function inOrder(memberships: FoundMembership[]): FoundMembership[] {
  return memberships.toSorted((a, b) => (a.teamId < b.teamId ? -1 : 1));
}

/** False when the team would have no owner then. Does nothing when the person was removed meanwhile. */
async function leave(scope: TeamScope, userId: string, actor: Actor): Promise<boolean> {
  await lockTeam(scope);
  const member = await findMember(scope, userId);
  if (!member) return true;
  if (await isOnlyOwner(scope, member)) return false;
  const details = { role: member.role, ...(await takeOut(scope, member)) };
  // Without the address, which is nobody's now.
  const nameless: Actor = { ...actor, name: null };
  const target = { kind: 'user', id: userId };
  await recordAudit(scope, nameless, { action: 'account.deleted', target, details });
  return true;
}

function lastOwner(slugs: string[]): ProblemError {
  return new ProblemError('last-owner', `You are the only owner of ${slugs.join(', ')}.`, {
    action: 'Make somebody else an owner first, or delete the team with DELETE /v1/team.',
  });
}

function joinedMeanwhile(): ProblemError {
  return new ProblemError('conflict', 'You got into another team just now.', {
    action: 'Send the same request again.',
    retryAfterS: 1,
  });
}
