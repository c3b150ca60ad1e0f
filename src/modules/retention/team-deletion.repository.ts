import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../platform/audit';
import { Database } from '../../platform/database';

/** A team's last rows, such as its audit log, may be many. */
const REMOVE_TIMEOUT_MS = 300_000;
/** Rows deleted by one statement, so that none holds the database up. */
const ROWS_AT_ONCE = 5_000;

/** The end of teams. */
@Injectable()
export class TeamDeletionRepository {
  constructor(private readonly database: Database) {}

  /** Closes the team to everybody; what it has is deleted later. False when its slug is not the one given. */
  async close(teamId: string, slug: string, actor: Actor): Promise<boolean> {
    return this.database.forTeam(teamId, async (scope) => {
      const { count } = await scope.team.updateMany({
        where: { id: teamId, slug, deletedAt: null },
        data: { deletedAt: new Date() },
      });
      if (count === 0) return false;
      await recordAudit(scope, actor, { action: 'team.deleted', target: { kind: 'team', id: teamId } });
      return true;
    });
  }

  /** Teams that are closed, the one closed longest first. */
  async findClosed(maxRows: number): Promise<string[]> {
    return this.database.withoutTeam((scope) => scope.findDeletedTeams(maxRows));
  }

  /** Deletes some of the rows that may be many and have no objects; gives their number, 0 at the end. */
  async deleteSomeRows(teamId: string): Promise<number> {
    return this.database.forTeam(teamId, async ({ $executeRaw }) => {
      const deliveries = await $executeRaw`
        DELETE FROM webhook_deliveries WHERE team_id = ${teamId}::uuid AND id IN (
          SELECT id FROM webhook_deliveries WHERE team_id = ${teamId}::uuid LIMIT ${ROWS_AT_ONCE})`;
      const events = await $executeRaw`
        DELETE FROM team_events WHERE team_id = ${teamId}::uuid AND id IN (
          SELECT id FROM team_events WHERE team_id = ${teamId}::uuid LIMIT ${ROWS_AT_ONCE})`;
      const answers = await $executeRaw`
        DELETE FROM idempotency_records WHERE team_id = ${teamId}::uuid AND (route, key) IN (
          SELECT route, key FROM idempotency_records WHERE team_id = ${teamId}::uuid LIMIT ${ROWS_AT_ONCE})`;
      return deliveries + events + answers;
    });
  }

  /**
   * Deletes the team itself, and with it what is left, if it is closed and has no runs; false otherwise. A run that is
   * being created waits meanwhile, and then finds no team to belong to, so that no object is left without a row.
   */
  async remove(teamId: string): Promise<boolean> {
    return this.database.forTeam(
      teamId,
      async (scope) => {
        const { $executeRaw, $queryRaw } = scope;
        await $queryRaw`SELECT 1 FROM teams WHERE id = ${teamId}::uuid AND deleted_at IS NOT NULL FOR UPDATE`;
        if ((await scope.run.count({ where: { teamId }, take: 1 })) > 0) return false;
        // The only rows of a team that do not go with it.
        await scope.idempotencyRecord.deleteMany({ where: { teamId } });
        const deleted =
          await $executeRaw`DELETE FROM teams WHERE id = ${teamId}::uuid AND deleted_at IS NOT NULL`;
        return deleted === 1;
      },
      { timeoutMs: REMOVE_TIMEOUT_MS },
    );
  }
}
