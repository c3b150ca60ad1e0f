import { Injectable } from '@nestjs/common';
import { Database, type TeamRow } from '../../../platform/database';

/** Daily values of series, and the partitions that points are in. */
@Injectable()
export class RollUpsRepository {
  constructor(private readonly database: Database) {}

  /** Days of all teams that wait for new daily values, those that wait longest first. */
  async findTouched(maxRows: number): Promise<TeamRow[]> {
    return this.database.withoutTeam((scope) => scope.findTouchedDays(maxRows));
  }

  /** Makes the daily values of these days anew, each day once, and forgets that they were touched. */
  async rollUp(teamId: string, touchedIds: readonly string[]): Promise<void> {
    await this.database.forTeam(teamId, async ({ $executeRaw }) => {
      const ids = touchedIds.map(BigInt);
      // A row is visible when its points are, so that none is missed; two processes may do the same day twice.
      await $executeRaw`
        SELECT roll_up_day(${teamId}::uuid, t.series_id, t.branch, t.day) FROM (
          SELECT DISTINCT series_id, branch, day FROM touched_days
          WHERE team_id = ${teamId}::uuid AND id = ANY(${ids}::bigint[])) t`;
      await $executeRaw`DELETE FROM touched_days WHERE team_id = ${teamId}::uuid AND id = ANY(${ids}::bigint[])`;
    });
  }

  /** Deletes daily values of days before then, of all teams; gives their number. */
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
