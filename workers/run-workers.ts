import { NestFactory } from '@nestjs/core';
import { type Logger } from 'pino';
import { type Chore, ChoreRunner } from '../src/platform/chores';
import { type Config } from '../src/platform/config';
import { JobConsumer, type JobPayload } from '../src/platform/queue';
import { Metrics, NestLogger } from '../src/platform/telemetry';
import { choreClasses, jobs, workerClasses } from './index';
import { type JobWorker, refuseUnmatchedJobs } from './job-worker';
import { serveMetrics } from './metrics-server';
import { WorkerModule } from './worker.module';

/** Handlers kill their child and hand their run back at once; this is for a database that is slow to answer. */
const HAND_BACK_MS = 10_000;

export interface RunningWorkers {
  /** Takes no more jobs, hands back what is being worked on, closes every connection. */
  stop(): Promise<void>;
}

/** Starts taking jobs and looking for lost work. */
export async function runWorkers(config: Config, logger: Logger): Promise<RunningWorkers> {
  const context = await NestFactory.createApplicationContext(WorkerModule.forRoot(config, logger), {
    bufferLogs: true,
    abortOnError: false,
  });
  context.useLogger(context.get(NestLogger));
  const workers = workerClasses.map((workerClass): JobWorker => context.get<JobWorker>(workerClass));
  refuseUnmatchedJobs(jobs, workers);
  const consumer = context.get(JobConsumer);
  const { metricsPort } = config.worker;
  const metrics =
    metricsPort === undefined
      ? undefined
      : await serveMetrics(context.get(Metrics), config.http.host, metricsPort);
  for (const worker of workers) start(consumer, worker);
  const chores = context.get(ChoreRunner);
  for (const choreClass of choreClasses) chores.start(context.get<Chore>(choreClass));
  return {
    stop: async () => {
      // Consumers first: what they hand back needs the database.
      await consumer.close(HAND_BACK_MS);
      await context.close();
      await metrics?.close();
    },
  };
}

function start<Payload extends JobPayload>(consumer: JobConsumer, worker: JobWorker<Payload>): void {
  consumer.start(worker.job, (payload, job) => worker.handle(payload, job), {
    concurrency: worker.concurrency,
  });
}
