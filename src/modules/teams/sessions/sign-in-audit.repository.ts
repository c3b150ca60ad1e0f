import { Injectable } from '@nestjs/common';
import { type Actor, type AuditedAct, recordAudit } from '../../../platform/audit';
import { Database } from '../../../platform/database';

/** A person may be in many teams; an attempt to log in is written down in so many of them. */
const mostTeams = 20;

/** Writes acts that concern an account into the audit logs of its teams. */
@Injectable()
export class SignInAuditRepository {
  constructor(private readonly database: Database) {}

  /** Does nothing when there is no account with this address. */
  async recordFor(email: string, actor: Actor, act: Pick<AuditedAct, 'action' | 'details'>): Promise<void> {
    const account = await this.database.withoutTeam(({ user }) =>
      user.findUnique({ where: { email }, select: { id: true } }),
    );
    if (!account) return;
    const memberships = await this.database.withoutTeam((scope) => scope.findMemberships(account.id));
    for (const { teamId } of memberships.slice(0, mostTeams)) {
      const target = { kind: 'user', id: account.id };
      await this.database.forTeam(teamId, (scope) => recordAudit(scope, actor, { ...act, target }));
    }
  }
}
