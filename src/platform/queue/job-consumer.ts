import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DelayedError, UnrecoverableError, type Job } from 'bullmq';
import { type JobDefinition, type JobPayload } from './define-job';
import { PermanentJobError, PostponeJobError } from './job-errors';
import { QUEUE_TIMEOUT_MS, type QueueBackend, type WorkerHandle, type WorkerTuning } from './queue-backend';
import { RepeatedErrorLog } from './repeated-error-log';
import { within } from './within';

export interface JobContext {
  jobId: string;
  /** 1 for the first try. */
  attempt: number;
  /** Aborted when this process is stopping: hand the job back soon. */
  signal: AbortSignal;
}

export type JobHandler<Payload extends JobPayload> = (payload: Payload, context: JobContext) => Promise<void>;

/** What the consumer of one kind of job is doing. */
export interface ConsumerHealth {
  job: string;
  concurrency: number;
  /** When each handler that is at work began, ms since the epoch. */
  runningSinceMs: readonly number[];
  /** Jobs taken so far. */
  taken: number;
}

export interface ConsumerOptions {
  /** Jobs of this kind at once in this process. */
  concurrency: number;
  /** A job whose consumer has been silent for this long goes to another one. */
  lockMs?: number;
  /** How often silent consumers are looked for. */
  stalledCheckMs?: number;
}

/** Handlers do their work in child processes, so a lock that is not renewed for this long means a dead process. */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5_000;
/** How often a job may lose its consumer. The work itself counts its attempts, so this only ends an endless loop. */
const MAX_STALLED = 10;
const RETRY_CONNECTION_MS = 1_000;
const CLOSE_POLL_MS = 20;

interface Activity {
  concurrency: number;
  running: Set<{ sinceMs: number }>;
  taken: number;
}

/** Takes jobs from their queues. Survives outages of the queue's server: it waits and goes on. */
export class JobConsumer {
  private readonly log = new Logger(JobConsumer.name);
  private readonly workers = new Set<WorkerHandle>();
  private readonly stopping = new AbortController();
  private readonly activities = new Map<string, Activity>();

  constructor(private readonly backend: QueueBackend) {}

  /** Starts taking jobs of one kind, connecting in the background. */
  start<Payload extends JobPayload>(
    job: JobDefinition<Payload>,
    handler: JobHandler<Payload>,
    options: ConsumerOptions,
  ): void {
    const { concurrency } = options;
    this.activities.set(job.name, { concurrency, running: new Set(), taken: 0 });
    const tuning: WorkerTuning = {
      concurrency,
      lockDuration: options.lockMs ?? LOCK_MS,
      stalledInterval: options.stalledCheckMs ?? STALLED_CHECK_MS,
      maxStalledCount: MAX_STALLED,
      runRetryDelay: RETRY_CONNECTION_MS,
    };
    const process = async (raw: Job, token?: string) => this.handle(job, handler, raw, token);
    void this.run(job.name, () => this.backend.openWorker(job.name, process, tuning));
  }

  /** What every consumer is doing, for health checks. */
  health(): ConsumerHealth[] {
    return [...this.activities].map(([job, { concurrency, running, taken }]) => {
      return { job, concurrency, runningSinceMs: [...running].map(({ sinceMs }) => sinceMs), taken };
    });
  }

  /**
   * Takes no more jobs, tells running handlers to stop and waits for them up to `graceMs`; jobs of handlers that are
   * still running then go to another consumer when their lock runs out.
   */
  async close(graceMs: number): Promise<void> {
    this.stopping.abort();
    const workers = [...this.workers];
    this.workers.clear();
    await Promise.allSettled(workers.map((worker) => worker.pause(true)));
    const deadlineMs = Date.now() + graceMs;
    while (this.running() > 0 && Date.now() < deadlineMs) await sleep(CLOSE_POLL_MS);
    const force = this.running() > 0;
    await Promise.allSettled(
      workers.map(async (worker) => {
        try {
          await within(QUEUE_TIMEOUT_MS, 'closing', worker.close(force));
        } catch {
          await within(QUEUE_TIMEOUT_MS, 'disconnecting', worker.disconnect());
        }
      }),
    );
  }

  /** Handlers at work. */
  private running(): number {
    return [...this.activities.values()].reduce((sum, { running }) => sum + running.size, 0);
  }

  /** BullMQ remembers a failed first connection for ever, so a worker that could not start is made anew. */
  private async run(name: string, open: () => WorkerHandle): Promise<void> {
    const errors = new RepeatedErrorLog(this.log, `consumer of ${name}`);
    while (!this.stopping.signal.aborted) {
      const worker = open();
      worker.on('error', (error) => errors.report(error));
      this.workers.add(worker);
      try {
        await worker.waitUntilReady();
        await worker.run();
        return;
      } catch (error) {
        errors.report(error instanceof Error ? error : new Error(String(error)));
        this.workers.delete(worker);
        worker.close().catch(() => undefined);
        await sleep(RETRY_CONNECTION_MS);
      }
    }
  }

  private async handle<Payload extends JobPayload>(
    job: JobDefinition<Payload>,
    handler: JobHandler<Payload>,
    raw: Job,
    token: string | undefined,
  ): Promise<void> {
    const jobId = raw.id ?? '';
    const activity = this.activities.get(job.name);
    const handling = { sinceMs: Date.now() };
    if (activity) activity.taken++;
    const payload = job.payload.safeParse(raw.data);
    if (!payload.success) {
      this.log.error(
        { jobId, issues: payload.error.issues },
        `job of ${job.name} with a payload that does not fit`,
      );
      throw new UnrecoverableError('the payload does not fit the job');
    }
    const context: JobContext = { jobId, attempt: raw.attemptsMade + 1, signal: this.stopping.signal };
    try {
      activity?.running.add(handling);
      await handler(payload.data, context).finally(() => activity?.running.delete(handling));
    } catch (error) {
      if (error instanceof PostponeJobError) {
        await raw.moveToDelayed(Date.now() + error.delayMs, token);
        throw new DelayedError(error.message);
      }
      const { teamId } = payload.data;
      this.log.warn({ jobId, teamId, attempt: context.attempt, err: error }, `job of ${job.name} failed`);
      if (error instanceof PermanentJobError) throw new UnrecoverableError(error.message);
      throw error;
    }
  }
}
