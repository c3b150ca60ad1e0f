import { Injectable } from '@nestjs/common';
import { roomJobId } from './analyze-run.job';
import { RunClaimsRepository } from './run-claims.repository';
import { RunDispatcher } from './run-dispatcher';
import { type RunVersion } from './run-state.repository';
import { type Ending } from './run-work.repository';

/** Calls for what can be analysed because an analysis has ended. */
@Injectable()
export class NextRunService {
  constructor(
    private readonly claims: RunClaimsRepository,
    private readonly dispatcher: RunDispatcher,
  ) {}

  /**
   * Enqueues the run itself when it was queued again, and one more job when another run of the team waits: while the team
   * was at its limit, the jobs of its runs came and went.
   */
  async call(teamId: string, ended: RunVersion, { nextGeneration }: Ending): Promise<void> {
    const { runId } = ended;
    if (nextGeneration !== null) {
      await this.dispatcher.dispatch(teamId, { id: runId, generation: nextGeneration });
    }
    const waiting = await this.claims.findWaiting(teamId);
    if (waiting && waiting.id !== runId) await this.dispatcher.dispatch(teamId, waiting, roomJobId(ended));
  }
}
