import { Injectable, Logger } from '@nestjs/common';
import { type Chore } from '../../platform/chores';
import { Database } from '../../platform/database';
import { passTime } from './pass-time';
import { RunDeletionRepository } from './run-deletion.repository';
import { TeamDeletionRepository } from './team-deletion.repository';

const TEAMS_AT_ONCE = 10;
const LOCK = 'stallscope:delete-teams';

/** Deletes what closed teams have, run by run, and the teams themselves when nothing is left. May stop anywhere and go on. */
@Injectable()
export class DeleteTeams implements Chore {
  readonly name = 'delete-teams';
  readonly intervalS = 10;
  private readonly log = new Logger(DeleteTeams.name);

  constructor(
    private readonly database: Database,
    private readonly teams: TeamDeletionRepository,
    private readonly runs: RunDeletionRepository,
  ) {}

  /** One pass; gives the number of teams that are gone. */
  async pass(signal: AbortSignal): Promise<number> {
    const gone = await this.database.exclusively(LOCK, async () => {
      const mayGoOn = passTime(signal);
      let count = 0;
      for (const teamId of await this.teams.findClosed(TEAMS_AT_ONCE))
        if (await this.deleteTeam(teamId, mayGoOn)) count++;
      return count;
    });
    return gone ?? 0;
  }

  private async deleteTeam(teamId: string, mayGoOn: () => boolean): Promise<boolean> {
    let runs = 0;
    while (mayGoOn()) {
      // Rows first: nothing is sent on behalf of a closed team.
      if ((await this.teams.deleteSomeRows(teamId)) > 0) continue;
      if (await this.runs.deleteAny(teamId)) {
        runs++;
        continue;
      }
      if (!(await this.teams.remove(teamId))) continue;
      this.log.log({ teamId, runs }, 'a closed team is deleted');
      return true;
    }
    if (runs > 0) this.log.log({ teamId, runs }, 'runs of a closed team were deleted; there are more');
    return false;
  }
}
