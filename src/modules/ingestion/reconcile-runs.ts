import { Injectable, Logger } from '@nestjs/common';
import { type Chore } from '../../platform/chores';
import { type Config, InjectConfig } from '../../platform/config';
import { JobQueue } from '../../platform/queue';
import { analyzeRunJob, analyzeRunJobId } from './analyze-run.job';
import { RunClaimsRepository } from './run-claims.repository';

/** Runs looked at in one pass; the longest silent come first, so more are worked off pass by pass. */
const RUNS_PER_PASS = 500;

/**
 * Finds work that was lost: runs that are queued or analyzing and have shown no sign of life, of each team as many as may
 * be analysed now. They are enqueued again, which does nothing while their job exists. This heals a queue that lost its
 * data, an API that died between the commit and the queue, and workers that died with their job.
 */
@Injectable()
export class ReconcileRuns implements Chore {
  readonly name = 'reconcile-runs';
  readonly isExclusive = true;
  private readonly log = new Logger(ReconcileRuns.name);

  constructor(
    private readonly claims: RunClaimsRepository,
    private readonly queue: JobQueue,
    @InjectConfig() private readonly config: Config,
  ) {}

  get intervalS(): number {
    return this.config.worker.reconcileIntervalS;
  }

  /** One pass; gives the number of runs that were enqueued again. */
  async pass(): Promise<number> {
    const { worker, quotas } = this.config;
    const rules = {
      silentAfterMs: worker.stalledAfterS * 1000,
      maxConcurrentPerTeam: quotas.concurrentAnalyses,
    };
    let enqueued = 0;
    for (const lost of await this.claims.findLost(rules, RUNS_PER_PASS)) {
      const { id: runId, teamId, generation, state } = lost;
      const jobId = analyzeRunJobId(runId, generation);
      if (!(await this.queue.enqueue(analyzeRunJob, { teamId, runId, generation }, { jobId }))) continue;
      enqueued++;
      this.log.warn({ runId, teamId, generation, state }, 'lost work found and queued again');
    }
    return enqueued;
  }
}
