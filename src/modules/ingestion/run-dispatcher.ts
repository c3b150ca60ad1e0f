import { Injectable, Logger } from '@nestjs/common';
import { JobQueue, QueueUnavailableError } from '../../platform/queue';
import { analyzeRunJob, analyzeRunJobId } from './analyze-run.job';

/** Tells the workers about queued runs. */
@Injectable()
export class RunDispatcher {
  private readonly log = new Logger(RunDispatcher.name);

  constructor(private readonly queue: JobQueue) {}

  /**
   * Enqueues the analysis of a run that the database says is queued; false when a job for it is there already. A queue
   * that does not answer is no error: the run is in the database, and the reconciler enqueues it later.
   */
  async dispatch(
    teamId: string,
    { id: runId, generation }: { id: string; generation: number },
    jobId = analyzeRunJobId(runId, generation),
  ): Promise<boolean> {
    try {
      return await this.queue.enqueue(analyzeRunJob, { teamId, runId, generation }, { jobId });
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error;
      this.log.warn(
        { runId, teamId, err: error },
        'the queue did not answer; the run will be queued again later',
      );
      return false;
    }
  }
}
