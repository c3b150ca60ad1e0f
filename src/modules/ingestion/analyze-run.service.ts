import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { DatabaseUnavailable, isRefusedData } from '../../platform/database';
import { PostponeJobError } from '../../platform/queue';
import { continueTrace } from '../../platform/telemetry';
import { AnalysisMetrics } from './analysis-metrics';
import { type AnalysisArtifact, type AnalysisOutcome, type RunAnalysis } from './analysis-outcome';
import { type AnalyzeRunPayload } from './analyze-run.job';
import { RejectedObjects } from './rejected-objects';
import { RunResultsRepository } from './run-results.repository';
import { type RunVersion } from './run-state.repository';
import { RunWorkRepository } from './run-work.repository';

/** Signs of life come at least so often. */
const LONGEST_HEARTBEAT_MS = 10_000;
/** How long a finished result waits for a database that is away, rather than being computed again. */
const SAVE_PATIENCE_MS = 300_000;
const SAVE_RETRY_MS = 2_000;

const NOT_STORABLE = {
  code: 'result-not-storable',
  reason:
    'The report has values that the database does not take. Traces of real runs give none: look for ranks, steps or ' +
    'times in the files that cannot be, such as a rank beyond 2147483647, record again, and report a defect if all are sound.',
};

/** A claimed run, and what the log says with every line about it. */
interface Work {
  teamId: string;
  version: RunVersion;
  fields: { runId: string; teamId: string; generation: number; attempt: number };
}

/** One attempt at a run's analysis, from claiming the run to the state that it ends in. May run twice; the second changes nothing. */
@Injectable()
export class AnalyzeRunService {
  private readonly log = new Logger(AnalyzeRunService.name);

  constructor(
    private readonly work: RunWorkRepository,
    private readonly results: RunResultsRepository,
    private readonly rejected: RejectedObjects,
    private readonly metrics: AnalysisMetrics,
    @InjectConfig() private readonly config: Config,
  ) {}

  /**
   * @param signal aborted when this process stops.
   * @throws PostponeJobError when the job is to come again and nothing went wrong; Error when it is to be retried.
   */
  async process(payload: AnalyzeRunPayload, signal: AbortSignal, analyze: RunAnalysis): Promise<void> {
    const { teamId, runId, generation } = payload;
    const { analysisAttempts: maxAttempts, stalledAfterS } = this.config.worker;
    const silentAfterMs = stalledAfterS * 1000;
    const claim = await this.work.claim(teamId, runId, generation, { maxAttempts, silentAfterMs });
    if (claim.kind === 'busy') throw new PostponeJobError(claim.retryInMs, 'another worker is at it');
    if (claim.kind === 'exhausted') {
      this.metrics.count('analysis-crashed', 0);
      this.log.error({ runId, teamId, generation }, 'run failed: no attempt came to an end');
    }
    if (claim.kind !== 'claimed') return;

    const { version, artifacts, traceParent, queuedAt: waitedSince } = claim;
    const work = { teamId, version, fields: { runId, teamId, generation, attempt: version.attempts } };
    const inputBytes = artifacts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    this.metrics.observeInput(inputBytes);
    const attributes = {
      'stallscope.run_id': runId,
      'stallscope.team_id': teamId,
      'stallscope.attempt': version.attempts,
      'stallscope.input_bytes': inputBytes,
    };
    await continueTrace({ name: 'analyze run', traceParent, waitedSince, attributes }, () =>
      this.attempt(work, artifacts, signal, analyze),
    );
  }

  /** Analyses a claimed run, and ends the attempt in one of the states that it can end in. */
  private async attempt(
    work: Work,
    artifacts: readonly AnalysisArtifact[],
    signal: AbortSignal,
    analyze: RunAnalysis,
  ): Promise<void> {
    const { runId, teamId } = work.fields;
    this.log.log({ ...work.fields, artifacts: artifacts.length }, 'analysis started');
    const startedMs = performance.now();
    const outcome = await this.withHeartbeat(work, signal, (stop) =>
      analyze({ runId, teamId, artifacts }, stop),
    );
    const durationS = (performance.now() - startedMs) / 1000;
    await this.conclude(work, outcome, durationS, signal);
  }

  /** Keeps the claim alive while the analysis runs, and stops the analysis when the claim is lost or the process stops. */
  private async withHeartbeat(
    { teamId, version, fields }: Work,
    signal: AbortSignal,
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

  private async conclude(
    work: Work,
    outcome: AnalysisOutcome,
    durationS: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { teamId, version } = work;
    const end = (name: string, text: string) => {
      this.metrics.count(name, durationS);
      this.log.log({ ...work.fields, outcome: name, durationS: Math.round(durationS * 1000) / 1000 }, text);
    };
    switch (outcome.kind) {
      case 'analyzed':
        return this.save(work, outcome, signal, end);
      case 'refused': {
        await this.work.fail(teamId, version, outcome);
        return end(outcome.code, `run failed: ${outcome.reason}`);
      }
      case 'mismatch': {
        const failure = { code: 'checksum-mismatch', reason: outcome.reason };
        const keys = await this.work.failRejecting(teamId, version, outcome.artifactIds, failure);
        for (const key of keys) await this.rejected.remove(key);
        return end('checksum-mismatch', `run failed: ${outcome.reason}`);
      }
      case 'stopped':
        // False when the claim was lost: then another worker has the run, and there is nothing to hand back.
        if (!(await this.work.release(teamId, version, false)))
          return end('superseded', 'another worker has the run');
        end('released', 'analysis stopped, the run goes to another worker');
        throw new PostponeJobError(0, 'the worker is stopping');
      case 'unavailable':
        await this.work.release(teamId, version, false);
        end('unavailable', `analysis put off: ${outcome.reason}`);
        throw new Error(outcome.reason);
      case 'crashed':
        return this.crashed(work, outcome.reason, end);
    }
  }

  private async save(
    work: Work,
    { result, checkedIds }: Extract<AnalysisOutcome, { kind: 'analyzed' }>,
    signal: AbortSignal,
    end: (name: string, text: string) => void,
  ): Promise<void> {
    const deadlineMs = Date.now() + SAVE_PATIENCE_MS;
    for (;;) {
      try {
        const saved = await this.results.save(work.teamId, work.version, result, checkedIds);
        return saved
          ? end('done', 'analysis done')
          : end('superseded', 'another worker has the run; result dropped');
      } catch (error) {
        if (isRefusedData(error)) {
          // The same analysis would give the same rows again.
          this.log.error({ ...work.fields, err: error }, 'the database does not take the result');
          await this.work.fail(work.teamId, work.version, NOT_STORABLE);
          return end(NOT_STORABLE.code, `run failed: ${NOT_STORABLE.reason}`);
        }
        if (!(error instanceof DatabaseUnavailable)) {
          this.log.error({ ...work.fields, err: error }, 'the result could not be saved');
          return this.crashed(
            work,
            'The result of the analysis could not be saved because of a defect in Stallscope.',
            end,
          );
        }
        if (signal.aborted || Date.now() > deadlineMs) throw error;
        this.log.warn(
          { ...work.fields, err: error },
          'the database does not answer; the result waits for it',
        );
        await sleep(SAVE_RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Counts against the run; after the last attempt it fails. */
  private async crashed(
    work: Work,
    reason: string,
    end: (name: string, text: string) => void,
  ): Promise<void> {
    const { teamId, version } = work;
    const { analysisAttempts } = this.config.worker;
    if (version.attempts >= analysisAttempts) {
      await this.work.fail(teamId, version, {
        code: 'analysis-crashed',
        reason: `${reason} This was attempt ${version.attempts} of ${analysisAttempts}.`,
      });
      return end('analysis-crashed', `run failed: ${reason}`);
    }
    await this.work.release(teamId, version, true);
    end('crashed', `analysis crashed and will be tried again: ${reason}`);
    throw new Error(reason);
  }
}
