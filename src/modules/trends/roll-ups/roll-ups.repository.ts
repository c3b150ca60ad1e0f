import { Injectable } from '@nestjs/common';
import { Database, type TeamRow } from '../../../platform/database';

/** Daily values of series, and the partitions that points are in. */
@Injectable()
export class RollUpsRepository {
  constructor(private readonly database: Database) {}

  /** Days that wait for new daily values: those of every team that wait longest first. */
  async findTouched(maxRows: number): Promise<TeamRow[]> {
    return this.database.withoutTeam((scope) => scope.findTouchedDays(maxRows));
  }

  /** Makes the daily values of these days anew, each day once, and forgets that they were touched, however often. */
  async rollUp(teamId: string, touchedIds: readonly string[]): Promise<void> {
    await this.database.forTeam(teamId, async ({ $executeRaw }) => {
      const ids = touchedIds.map(BigInt);
      // A row is visible when its points are, and each day is made from what is visible after its rows were deleted.
      await $executeRaw`
        WITH days AS (
          DELETE FROM touched_days t USING (
            SELECT DISTINCT series_id, branch, day FROM touched_days
            WHERE team_id = ${teamId}::uuid AND id = ANY(${ids}::bigint[])) d
          WHERE t.team_id = ${teamId}::uuid AND t.series_id = d.series_id AND t.branch = d.branch AND t.day = d.day
          RETURNING t.series_id, t.branch, t.day)
        SELECT roll_up_day(${teamId}::uuid, d.series_id, d.branch, d.day) FROM (SELECT DISTINCT * FROM days ORDER BY 1, 2, 3) d`;
    });
  }

  /** Deletes daily values that outlived their runs, of days before then and of all teams; gives their number. */
  async deleteBefore(day: Date, maxRows: number): Promise<number> {
    return this.database.withoutTeam((scope) => scope.deleteOldPointDays(day, maxRows));
  }

  async ensurePartition(at: Date): Promise<void> {
    await this.database.withoutTeam((scope) => scope.ensurePointPartition(at));
  }

  /** Drops partitions of past months that nothing is in; gives their number. */
  async dropEmptyPartitions(): Promise<number> {
    return this.database.withoutTeam((scope) => scope.dropEmptyPointPartitions());
  }
}
