import { Injectable, Logger } from '@nestjs/common';
import { type Chore, passTime } from '../../platform/chores';
import { RunDeletionRepository } from './run-deletion.repository';
import { TeamDeletionRepository } from './team-deletion.repository';

const TEAMS_AT_ONCE = 10;

/** Deletes what closed teams have, run by run, and the teams themselves when nothing is left. May stop anywhere and go on. */
@Injectable()
export class DeleteTeams implements Chore {
  readonly name = 'delete-teams';
  readonly isExclusive = true;
  readonly intervalS = 10;
  private readonly log = new Logger(DeleteTeams.name);

  constructor(
    private readonly teams: TeamDeletionRepository,
    private readonly runs: RunDeletionRepository,
  ) {}

  /** One pass; gives the number of teams that are gone. */
  async pass(signal: AbortSignal): Promise<number> {
    const mayGoOn = passTime(signal);
    let gone = 0;
    for (const teamId of await this.teams.findClosed(TEAMS_AT_ONCE)) {
      try {
        if (await this.deleteTeam(teamId, mayGoOn)) gone++;
      } catch (error) {
        // One that cannot be deleted holds up no other.
        this.log.error({ teamId, err: error }, 'a closed team could not be deleted; it is tried again');
      }
    }
    return gone;
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
