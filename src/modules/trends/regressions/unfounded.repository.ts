import { Injectable } from '@nestjs/common';
import { Database, type TeamRow } from '../../../platform/database';
import { announce } from './announce.repository';
import { addAct } from './regression-state.repository';

/** Regressions that nothing shows any more: the runs since they began were deleted. */
@Injectable()
export class UnfoundedRepository {
  constructor(private readonly database: Database) {}

  /** Over all teams, the oldest first. */
  async find(maxRows: number): Promise<TeamRow[]> {
    return this.database.withoutTeam((scope) => scope.findUnfoundedRegressions(maxRows));
  }

  /** Ends it, and forgets its levels: runs that come later are looked at anew. False when somebody was first. */
  async resolve(teamId: string, id: string): Promise<boolean> {
    return this.database.forTeam(teamId, async (scope) => {
      const { regression, seriesSegment, $queryRaw } = scope;
      // The series first, as the recording of a run does.
      await $queryRaw`
        SELECT 1 FROM series WHERE team_id = ${teamId}::uuid AND id = (
          SELECT series_id FROM regressions WHERE team_id = ${teamId}::uuid AND id = ${id}::uuid) FOR UPDATE`;
      const [lane] = await $queryRaw<{ seriesId: string; branch: string; firstBadAt: Date }[]>`
        SELECT g.series_id AS "seriesId", g.branch, g.first_bad_at AS "firstBadAt" FROM regressions g
        WHERE g.team_id = ${teamId}::uuid AND g.id = ${id}::uuid AND g.state <> 'resolved' AND NOT EXISTS (
          SELECT 1 FROM runs r WHERE r.team_id = ${teamId}::uuid AND r.series_id = g.series_id
            AND coalesce(r.branch, '') = g.branch AND coalesce(r.started_at, r.created_at) >= g.first_bad_at)`;
      if (!lane) return false;
      const { seriesId, branch, firstBadAt } = lane;
      await seriesSegment.deleteMany({
        where: { teamId, seriesId, branch, at: { gte: firstBadAt }, acceptedBy: null },
      });
      await regression.updateMany({
        where: { teamId, id },
        data: {
          ...{ state: 'resolved', resolution: 'no-runs-left', resolvedAt: new Date() },
          // No later run is in it.
          goodAgainAt: firstBadAt,
        },
      });
      await addAct(scope, id, { act: 'no-runs-left' });
      await announce(scope, lane, null);
      return true;
    });
  }
}
