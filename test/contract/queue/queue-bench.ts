import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import {
  defineJob,
  JobConsumer,
  JobQueue,
  type JobHandler,
  type PayloadOf,
  type QueueBackend,
} from '../../../src/platform/queue';
import { openCuttableLink, type CuttableLink } from '../../harness/cuttable-link';

/** A queue server, and how a backend connects to it. */
export interface QueueServer {
  host: string;
  port: number;
  connect(port: number, namespace: string): QueueBackend;
}

export const job = defineJob({
  name: 'contract-job',
  version: 2,
  payload: { value: z.number().int() },
  attempts: 3,
  backoff: { delayMs: 100 },
});
export type Payload = PayloadOf<typeof job>;

export const teamId = randomUUID();

/** Queues and consumers of one test, in a namespace of their own, behind a link that the test can cut. */
export class QueueBench {
  private readonly namespace = `test_${randomUUID().slice(0, 8)}`;
  private readonly closers: (() => Promise<void>)[] = [];

  private constructor(
    readonly server: QueueServer,
    readonly link: CuttableLink,
  ) {}

  static async open(server: QueueServer): Promise<QueueBench> {
    Logger.overrideLogger(false);
    return new QueueBench(server, await openCuttableLink(server.host, server.port));
  }

  queue(port = this.link.port): JobQueue {
    const queue = new JobQueue(this.server.connect(port, this.namespace));
    this.closers.push(() => queue.close());
    return queue;
  }

  consume(handler: JobHandler<Payload>, port = this.link.port): JobConsumer {
    const consumer = new JobConsumer(this.server.connect(port, this.namespace));
    this.closers.push(() => consumer.close(1_000));
    consumer.start(job, handler, { concurrency: 1, lockMs: 2_000, stalledCheckMs: 500 });
    return consumer;
  }

  async close(): Promise<void> {
    for (const close of this.closers.reverse()) await close();
    await this.link.close();
  }
}

/** Whether a call went through. */
export const works = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );
