import { Injectable } from '@nestjs/common';
import { RunClaimsRepository } from './run-claims.repository';
import { RunDispatcher } from './run-dispatcher';
import { type Ending } from './run-work.repository';

/** Calls for what can be analysed because an analysis has ended. */
@Injectable()
export class NextRunService {
  constructor(
    private readonly claims: RunClaimsRepository,
    private readonly dispatcher: RunDispatcher,
  ) {}

  /**
   * Enqueues the run itself when it was queued again, and the run of the team that waits longest: while the team was at
   * its limit, the jobs of its runs came and went. Does nothing where the jobs are still there.
   */
  async call(teamId: string, runId: string, { nextGeneration }: Ending): Promise<void> {
    if (nextGeneration !== null) {
      await this.dispatcher.dispatch(teamId, { id: runId, generation: nextGeneration });
    }
    const waiting = await this.claims.findWaiting(teamId);
    if (waiting && waiting.id !== runId) await this.dispatcher.dispatch(teamId, waiting);
  }
}
