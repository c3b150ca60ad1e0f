import { Logger } from '@nestjs/common';
import { type JobDefinition, type JobPayload, type NewPayload } from './define-job';
import { QueueUnavailableError } from './job-errors';
import { QUEUE_TIMEOUT_MS, type QueueBackend, type QueueHandle } from './queue-backend';
import { RepeatedErrorLog } from './repeated-error-log';
import { within } from './within';

/** Jobs of one kind, by what they wait for. */
export interface QueueDepth {
  waiting: number;
  active: number;
  /** Waiting for the time of their retry. */
  delayed: number;
  /** Given up; the last `FAILED_KEPT` are kept for people to look at. */
  failed: number;
}

/** Failed jobs kept per queue. The run itself says why it failed, so these serve only the curious. */
const FAILED_KEPT = 1_000;
const PENDING_STATES = new Set(['waiting', 'active', 'delayed', 'prioritized', 'waiting-children']);

/** Puts jobs into their queues. */
export class JobQueue {
  private readonly log = new Logger(JobQueue.name);
  private readonly queues = new Map<string, QueueHandle>();

  constructor(private readonly backend: QueueBackend) {}

  get backendKind(): QueueBackend['kind'] {
    return this.backend.kind;
  }

  /**
   * Adds a job. While a job with the same id waits, runs or is delayed, this does nothing; one that has failed is
   * replaced (completed ones are removed by the queue), so the id never blocks work that is needed again.
   *
   * @returns whether a job was added.
   * @throws ZodError when the payload does not fit; QueueUnavailableError when the queue's server does not answer.
   */
  async enqueue<Payload extends JobPayload>(
    job: JobDefinition<Payload>,
    payload: NewPayload<Payload>,
    options: { jobId: string },
  ): Promise<boolean> {
    if (options.jobId.includes(':')) throw new Error(`A job id must not contain ":": ${options.jobId}`);
    const data = job.payload.parse({ ...payload, version: job.version });
    return this.call(job.name, 'adding a job', async (queue) => {
      const existing = await queue.getJob(options.jobId);
      if (existing) {
        if (PENDING_STATES.has(await existing.getState())) return false;
        await queue.remove(options.jobId);
      }
      await queue.add(job.name, data, {
        jobId: options.jobId,
        attempts: job.attempts,
        backoff: { type: 'exponential', delay: job.backoff.delayMs, jitter: 0.5 },
        removeOnComplete: true,
        removeOnFail: { count: FAILED_KEPT },
      });
      return true;
    });
  }

  /** @throws QueueUnavailableError when the queue's server does not answer. */
  async depth(job: Pick<JobDefinition, 'name'>): Promise<QueueDepth> {
    const counts = await this.call(job.name, 'counting jobs', (queue) =>
      queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
    );
    const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
    return { waiting, active, delayed, failed };
  }

  /** @throws QueueUnavailableError when the queue's server does not answer. */
  async ping(): Promise<void> {
    await this.depth({ name: 'ping' });
  }

  async close(): Promise<void> {
    const queues = [...this.queues.values()];
    this.queues.clear();
    await Promise.allSettled(queues.map((queue) => within(QUEUE_TIMEOUT_MS, 'closing', queue.close())));
    await this.backend.close();
  }

  private async call<T>(name: string, what: string, action: (queue: QueueHandle) => Promise<T>): Promise<T> {
    const queue = this.open(name);
    try {
      return await within(
        QUEUE_TIMEOUT_MS,
        what,
        queue.waitUntilReady().then(() => action(queue)),
      );
    } catch (error) {
      this.discard(name, queue);
      if (error instanceof QueueUnavailableError) throw error;
      throw new QueueUnavailableError(`${what} failed`, { cause: error });
    }
  }

  private open(name: string): QueueHandle {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = this.backend.openQueue(name);
      const errors = new RepeatedErrorLog(this.log, `queue ${name}`);
      queue.on('error', (error) => errors.report(error));
      this.queues.set(name, queue);
    }
    return queue;
  }

  /** BullMQ remembers a failed first connection for ever, so after an error the next call starts afresh. */
  private discard(name: string, queue: QueueHandle): void {
    if (this.queues.get(name) === queue) this.queues.delete(name);
    queue.close().catch(() => undefined);
  }
}
