import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../platform/audit';
import { Database } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { limitColumns, type OwnLimits } from '../quotas';

/** A team as it is stored. */
export interface StoredTeam extends OwnLimits {
  id: string;
  slug: string;
  name: string;
  createdAt: Date;
}

export interface TeamChange {
  name?: string;
  /** Null for the installation's default. */
  retentionDays?: number | null;
}

const columns = { id: true, slug: true, name: true, createdAt: true, ...limitColumns } as const;

/** What a team says of itself, and what holds for it. */
@Injectable()
export class TeamSettingsRepository {
  constructor(private readonly database: Database) {}

  /** Throws `not-found`. */
  async get(teamId: string): Promise<StoredTeam> {
    const found = await this.database.forTeam(teamId, ({ team }) =>
      team.findUnique({ where: { id: teamId }, select: columns }),
    );
    if (found) return found;
    throw new ProblemError('not-found', 'The team of this credential does not exist any more.');
  }

  /** Changes what is given. */
  async change(teamId: string, actor: Actor, change: TeamChange): Promise<StoredTeam> {
    return this.database.forTeam(teamId, async (scope) => {
      const changed = await scope.team.update({ where: { id: teamId }, data: change, select: columns });
      await recordAudit(scope, actor, {
        action: 'team.updated',
        target: { kind: 'team', id: teamId },
        details: { ...change },
      });
      return changed;
    });
  }
}
