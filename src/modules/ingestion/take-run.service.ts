import { Injectable, Logger } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { PostponeJobError } from '../../platform/queue';
import { AnalysisMetrics } from './analysis-metrics';
import { type AnalyzeRunPayload } from './analyze-run.job';
import { NextRunService } from './next-run.service';
import { type ClaimedRun, type ClaimRules, RunClaimsRepository } from './run-claims.repository';

/** Races lost before the job comes again later; each means that another worker took a run. */
const MAX_RACES = 10;
/** Pause before looking again after workers met. */
const RACE_RETRY_MS = 1_000;

/** Takes the run that is to be analysed next. A job says only that some run may wait; the database says which. */
@Injectable()
export class TakeRunService {
  private readonly log = new Logger(TakeRunService.name);
  private readonly rules: ClaimRules;

  constructor(
    private readonly claims: RunClaimsRepository,
    private readonly next: NextRunService,
    private readonly metrics: AnalysisMetrics,
    @InjectConfig() { worker, quotas }: Config,
  ) {
    this.rules = {
      maxAttempts: worker.analysisAttempts,
      silentAfterMs: worker.stalledAfterS * 1000,
      maxConcurrentPerTeam: quotas.concurrentAnalyses,
    };
  }

  /**
   * A run for one attempt at its analysis, fair over teams: not always that of the job. Undefined when there is nothing
   * to do. Throws PostponeJobError when there will be.
   */
  async take(job: AnalyzeRunPayload): Promise<ClaimedRun | undefined> {
    for (let race = 0; race < MAX_RACES; race++) {
      const picked = await this.claims.pick(this.rules);
      if (!picked) return this.leave(job);
      const claim = await this.claims.claim(picked, this.rules);
      if (claim.kind === 'claimed') {
        if (claim.run.waitedMs !== null) this.metrics.observeWait(claim.run.waitedMs / 1000);
        return claim.run;
      }
      if (claim.kind === 'exhausted') {
        this.metrics.count('analysis-crashed', 0);
        this.log.error(picked, 'run failed: no attempt came to an end');
        await this.next.call(picked.teamId, { ...picked, attempts: this.rules.maxAttempts + 1 }, claim);
      }
    }
    throw new PostponeJobError(RACE_RETRY_MS, 'other workers were faster every time');
  }

  /** No run may be taken now. The job stays while its own run needs it. */
  private async leave(job: AnalyzeRunPayload): Promise<undefined> {
    const lookAgainInMs = await this.claims.lookAgainInMs(job, this.rules);
    if (lookAgainInMs === undefined) return undefined;
    throw new PostponeJobError(Math.max(RACE_RETRY_MS, lookAgainInMs), 'its run cannot be taken yet');
  }
}
