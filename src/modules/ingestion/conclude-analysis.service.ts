import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { DatabaseUnavailable, isRefusedData } from '../../platform/database';
import { PostponeJobError } from '../../platform/queue';
import { AnalysisMetrics } from './analysis-metrics';
import { type AnalysisOutcome } from './analysis-outcome';
import { NextRunService } from './next-run.service';
import { retryDelayMs } from './retry-delay';
import { type ClaimedRun } from './run-claims.repository';
import { RunResultsRepository } from './run-results.repository';
import { type Ending, RunWorkRepository } from './run-work.repository';

/** How long a finished result waits for a database that is away, rather than being computed again. */
const SAVE_PATIENCE_MS = 300_000;
const SAVE_RETRY_MS = 2_000;

const NOT_STORABLE = {
  code: 'result-not-storable',
  reason:
    'The report has values that the database does not take. Traces of real runs give none: look for ranks, steps or ' +
    'times in the files that cannot be, such as a rank beyond 2147483647, record again, and report a defect if all are sound.',
};

/** An attempt that has come to an outcome, and what the log says with every line about it. */
export interface Attempt {
  run: ClaimedRun;
  fields: Record<string, unknown>;
  durationS: number;
  /** Aborted when this process stops. */
  signal: AbortSignal;
}

/** Brings a run from the outcome of an attempt into the state that it ends in. */
@Injectable()
export class ConcludeAnalysisService {
  private readonly log = new Logger(ConcludeAnalysisService.name);

  constructor(
    private readonly work: RunWorkRepository,
    private readonly results: RunResultsRepository,
    private readonly next: NextRunService,
    private readonly metrics: AnalysisMetrics,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** @throws PostponeJobError when the run was handed back: the job is to come again for it. */
  async conclude(attempt: Attempt, outcome: AnalysisOutcome): Promise<void> {
    const { teamId, version, heldBackMs } = attempt.run;
    switch (outcome.kind) {
      case 'analyzed':
        return this.save(attempt, outcome);
      case 'refused':
        return this.fail(attempt, outcome);
      case 'mismatch': {
        const failure = { code: 'checksum-mismatch', reason: outcome.reason };
        const ending = await this.work.failRejecting(teamId, version, outcome.artifactIds, failure);
        return this.end(attempt, ending, failure.code, `run failed: ${failure.reason}`);
      }
      case 'stopped':
        return this.handBack(attempt, 'released', 'the worker stopped', { counted: false, delayMs: 0 });
      case 'unavailable': {
        const delayMs = retryDelayMs(heldBackMs);
        return this.handBack(attempt, 'unavailable', outcome.reason, { counted: false, delayMs });
      }
      case 'crashed':
        return this.crashed(attempt, outcome.reason);
    }
  }

  private async save(
    attempt: Attempt,
    { result, checkedIds }: Extract<AnalysisOutcome, { kind: 'analyzed' }>,
  ): Promise<void> {
    const { run, fields, signal } = attempt;
    const deadlineMs = Date.now() + SAVE_PATIENCE_MS;
    let ending: Ending | null | undefined;
    while (ending === undefined) {
      try {
        ending = await this.results.save(run.teamId, run.version, result, checkedIds);
      } catch (error) {
        if (isRefusedData(error)) {
          // The same analysis would give the same rows again.
          this.log.error({ ...fields, err: error }, 'the database does not take the result');
          return this.fail(attempt, NOT_STORABLE);
        }
        if (!(error instanceof DatabaseUnavailable)) {
          this.log.error({ ...fields, err: error }, 'the result could not be saved');
          return this.crashed(
            attempt,
            'The result of the analysis could not be saved because of a defect in Stallscope.',
          );
        }
        if (signal.aborted || Date.now() > deadlineMs) throw error;
        this.log.warn({ ...fields, err: error }, 'the database does not answer; the result waits for it');
        await sleep(SAVE_RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    return this.end(attempt, ending, 'done', 'analysis done');
  }

  private async fail(attempt: Attempt, failure: { code: string; reason: string }): Promise<void> {
    const { teamId, version } = attempt.run;
    const ending = await this.work.fail(teamId, version, failure);
    return this.end(attempt, ending, failure.code, `run failed: ${failure.reason}`);
  }

  /** Counts against the run; after the last attempt it fails. */
  private async crashed(attempt: Attempt, reason: string): Promise<void> {
    const { version, heldBackMs } = attempt.run;
    const { analysisAttempts } = this.config.worker;
    if (version.attempts >= analysisAttempts) {
      const count = `This was attempt ${version.attempts} of ${analysisAttempts}.`;
      return this.fail(attempt, { code: 'analysis-crashed', reason: `${reason} ${count}` });
    }
    return this.handBack(attempt, 'crashed', reason, { counted: true, delayMs: retryDelayMs(heldBackMs) });
  }

  private async handBack(
    attempt: Attempt,
    outcome: string,
    reason: string,
    release: { counted: boolean; delayMs: number },
  ): Promise<void> {
    const { teamId, version } = attempt.run;
    // False when the claim was lost: then another worker has the run, and there is nothing to hand back.
    if (!(await this.work.release(teamId, version, release))) return this.end(attempt, null, outcome, '');
    this.note(attempt, outcome, `analysis put off: ${reason}`);
    await this.next.call(teamId, version, { nextGeneration: null });
    throw new PostponeJobError(release.delayMs, reason);
  }

  private async end(attempt: Attempt, ending: Ending | null, outcome: string, text: string): Promise<void> {
    if (!ending) return this.note(attempt, 'superseded', 'another worker has the run; nothing was written');
    this.note(attempt, outcome, text);
    await this.next.call(attempt.run.teamId, attempt.run.version, ending);
  }

  private note({ fields, durationS }: Attempt, outcome: string, text: string): void {
    this.metrics.count(outcome, durationS);
    this.log.log({ ...fields, outcome, durationS: Math.round(durationS * 1000) / 1000 }, text);
  }
}
