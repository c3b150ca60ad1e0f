import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../../platform/audit';
import { Database } from '../../../platform/database';
import { type ExportKind, type ExportPage } from './export-kind';

/** Reads a team for its export, each page in a transaction of its own: nothing is held while the client is slow. */
@Injectable()
export class ExportRepository {
  constructor(private readonly database: Database) {}

  /** Notes who takes the data. Gives the slug of the team; undefined when it is closed. */
  async begin(teamId: string, actor: Actor): Promise<string | undefined> {
    return this.database.forTeam(teamId, async (scope) => {
      const team = await scope.team.findFirst({
        where: { id: teamId, deletedAt: null },
        select: { slug: true },
      });
      if (!team) return undefined;
      await recordAudit(scope, actor, { action: 'team.exported', target: { kind: 'team', id: teamId } });
      return team.slug;
    });
  }

  async readPage(teamId: string, kind: ExportKind, after: string | undefined): Promise<ExportPage> {
    return this.database.forTeam(teamId, (scope) => kind.readPage(scope, after));
  }

  /** Whether the team is still there, and not being deleted. */
  async isOpen(teamId: string): Promise<boolean> {
    return this.database.forTeam(
      teamId,
      async ({ team }) => (await team.count({ where: { id: teamId, deletedAt: null } })) === 1,
    );
  }
}
