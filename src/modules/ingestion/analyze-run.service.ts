import { Injectable, Logger } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { continueTrace } from '../../platform/telemetry';
import { AnalysisMetrics } from './analysis-metrics';
import { type AnalysisOutcome, type RunAnalysis } from './analysis-outcome';
import { type AnalyzeRunPayload } from './analyze-run.job';
import { type Attempt, ConcludeAnalysisService } from './conclude-analysis.service';
import { type ClaimedRun } from './run-claims.repository';
import { RunWorkRepository } from './run-work.repository';
import { TakeRunService } from './take-run.service';

/** Signs of life come at least so often. */
const LONGEST_HEARTBEAT_MS = 10_000;

/** One attempt at a run's analysis, from taking a run to the state that it ends in. May run twice; the second changes nothing. */
@Injectable()
export class AnalyzeRunService {
  private readonly log = new Logger(AnalyzeRunService.name);

  constructor(
    private readonly taking: TakeRunService,
    private readonly work: RunWorkRepository,
    private readonly conclusion: ConcludeAnalysisService,
    private readonly metrics: AnalysisMetrics,
    @InjectConfig() private readonly config: Config,
  ) {}

  /**
   * Analyses the run that is next in line, which need not be that of the job.
   *
   * @param signal aborted when this process stops.
   * @throws PostponeJobError when the job is to come again and nothing went wrong; Error when it is to be retried.
   */
  async process(job: AnalyzeRunPayload, signal: AbortSignal, analyze: RunAnalysis): Promise<void> {
    const run = await this.taking.take(job);
    if (!run) return;
    const { teamId, version, artifacts, traceParent, queuedAt: waitedSince } = run;
    const inputBytes = artifacts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    this.metrics.observeInput(inputBytes);
    const attributes = {
      'stallscope.run_id': version.runId,
      'stallscope.team_id': teamId,
      'stallscope.attempt': version.attempts,
      'stallscope.input_bytes': inputBytes,
    };
    await continueTrace({ name: 'analyze run', traceParent, waitedSince, attributes }, () =>
      this.attempt(run, signal, analyze),
    );
  }

  /** Analyses a claimed run, and ends the attempt in one of the states that it can end in. */
  private async attempt(run: ClaimedRun, signal: AbortSignal, analyze: RunAnalysis): Promise<void> {
    const { teamId, version, artifacts, declared, waitedMs } = run;
    const { runId, generation, attempts: attempt } = version;
    const fields = { runId, teamId, generation, attempt };
    const queueWaitS = waitedMs === null ? null : waitedMs / 1000;
    this.log.log({ ...fields, artifacts: artifacts.length, queueWaitS }, 'analysis started');
    const startedMs = performance.now();
    const outcome = await this.withHeartbeat({ run, fields, signal }, (stop) =>
      analyze({ runId, teamId, declared, artifacts }, stop),
    );
    const durationS = (performance.now() - startedMs) / 1000;
    await this.conclusion.conclude({ run, fields, signal, durationS }, outcome);
  }

  /** Keeps the claim alive while the analysis runs, and stops the analysis when the claim is lost or the process stops. */
  private async withHeartbeat(
    { run: { teamId, version }, fields, signal }: Omit<Attempt, 'durationS'>,
    analyze: (stop: AbortSignal) => Promise<AnalysisOutcome>,
  ): Promise<AnalysisOutcome> {
    const lost = new AbortController();
    const everyMs = Math.min(LONGEST_HEARTBEAT_MS, (this.config.worker.stalledAfterS * 1000) / 4);
    const timer = setInterval(() => {
      this.work.heartbeat(teamId, version).then(
        (kept) => {
          if (!kept) lost.abort();
        },
        (error: unknown) => this.log.warn({ ...fields, err: error }, 'no sign of life could be given'),
      );
    }, everyMs);
    try {
      return await analyze(AbortSignal.any([signal, lost.signal]));
    } finally {
      clearInterval(timer);
    }
  }
}
