import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Logger } from 'pino';
import { askProbe, ReadinessProbes } from '../src/modules/health';
import { type Chore, ChoreRunner, observeChores } from '../src/platform/chores';
import { type Config } from '../src/platform/config';
import { JobConsumer, type JobPayload, JobQueue } from '../src/platform/queue';
import { Metrics, NestLogger, type ProcessServer, serveProcess } from '../src/platform/telemetry';
import { choreClasses, jobs, workerClasses } from './index';
import { type JobWorker, refuseUnmatchedJobs } from './job-worker';
import { WorkerHealth } from './worker-health';
import { WorkerModule } from './worker.module';

/** Handlers kill their child and hand their run back at once; this is for a database that is slow to answer. */
const HAND_BACK_MS = 10_000;

export interface RunningWorkers {
  /** Where health and metrics are, if anywhere. */
  readonly metricsPort: number | undefined;
  /** Takes no more jobs, hands back what is being worked on, closes every connection. */
  stop(): Promise<void>;
}

/** Starts taking jobs and doing chores. */
export async function runWorkers(config: Config, logger: Logger): Promise<RunningWorkers> {
  const context = await NestFactory.createApplicationContext(WorkerModule.forRoot(config, logger), {
    bufferLogs: true,
    abortOnError: false,
  });
  context.useLogger(context.get(NestLogger));
  const workers = workerClasses.map((workerClass): JobWorker => context.get<JobWorker>(workerClass));
  refuseUnmatchedJobs(jobs, workers);
  const probes = context.get(ReadinessProbes);
  const consumer = context.get(JobConsumer);
  const health = new WorkerHealth(partsOf(context, workers), config.worker.graceS);
  const server = await serveHealth(context, config, health);
  for (const worker of workers) start(consumer, worker);
  const chores = context.get(ChoreRunner);
  for (const choreClass of choreClasses) chores.start(context.get<Chore>(choreClass));
  health.start();
  return {
    metricsPort: server?.port,
    stop: async () => {
      probes.announceStop();
      health.stop();
      // Consumers first: what they hand back needs the database.
      await consumer.close(HAND_BACK_MS);
      await context.close();
      await server?.close();
    },
  };
}

function start<Payload extends JobPayload>(consumer: JobConsumer, worker: JobWorker<Payload>): void {
  consumer.start(worker.job, (payload, job) => worker.handle(payload, job), {
    concurrency: worker.concurrency,
  });
}

function partsOf(
  context: INestApplicationContext,
  workers: readonly JobWorker[],
): ConstructorParameters<typeof WorkerHealth>[0] {
  const queue = context.get(JobQueue);
  const consumer = context.get(JobConsumer);
  const chores = context.get(ChoreRunner);
  observeChores(context.get(Metrics).registry, () => chores.health());
  const longestS = new Map(workers.map((worker) => [worker.job.name, worker.longestS]));
  return {
    consumers: () => consumer.health(),
    chores: () => chores.health(),
    waiting: async (name) => (await queue.depth({ name })).waiting,
    longestS: (job) => longestS.get(job) ?? Infinity,
    missingServers: () => missingServers(context),
  };
}

async function missingServers(context: INestApplicationContext): Promise<string[]> {
  const answers = context.get(ReadinessProbes).all.map(async (probe) => {
    const problem = await askProbe(probe);
    return problem === undefined ? [] : [`${probe.name} ${problem}`];
  });
  return (await Promise.all(answers)).flat();
}

async function serveHealth(
  context: INestApplicationContext,
  { http, worker }: Config,
  health: WorkerHealth,
): Promise<ProcessServer | undefined> {
  if (worker.metricsPort === undefined) return undefined;
  const probes = context.get(ReadinessProbes);
  return serveProcess(context.get(Metrics), {
    host: http.host,
    port: worker.metricsPort,
    checks: {
      '/health/live': async () => health.stuck(Date.now()),
      '/health/ready': async () =>
        probes.stopping ? ['this process is stopping'] : await missingServers(context),
    },
  });
}
