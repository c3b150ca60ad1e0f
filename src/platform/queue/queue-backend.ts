import {
  createPostgresBackend,
  Queue,
  withBackend,
  Worker,
  type Processor,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';

/** Longest wait for a connection to be made or for one short command to be answered. */
export const QUEUE_TIMEOUT_MS = 5_000;

/** The few calls of BullMQ that producers need; the same for both backends. */
export type QueueHandle = Pick<
  Queue,
  'add' | 'getJob' | 'getJobCounts' | 'remove' | 'waitUntilReady' | 'close' | 'disconnect' | 'on'
>;

/** The few calls of BullMQ that consumers need. */
export type WorkerHandle = Pick<Worker, 'run' | 'pause' | 'waitUntilReady' | 'close' | 'disconnect' | 'on'>;

export type WorkerTuning = Pick<
  WorkerOptions,
  'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'runRetryDelay'
>;

/** Where the queues live. BullMQ speaks to both; this hides how they are connected to. */
export interface QueueBackend {
  readonly kind: 'redis' | 'postgres';
  openQueue(name: string): QueueHandle;
  openWorker(name: string, processor: Processor, tuning: WorkerTuning): WorkerHandle;
  close(): Promise<void>;
}

/** Grows to two seconds, so that a server that comes back is noticed soon and one that is away is not hammered. */
const retryStrategy = (times: number) => Math.min(times * 200, 2_000);

/**
 * Queues in Redis. `namespace` is the prefix of every key.
 * Producers fail fast (their caller waits); consumers wait for Redis as long as it takes.
 */
export function createRedisQueueBackend(redisUrl: string, namespace: string): QueueBackend {
  const producer = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: QUEUE_TIMEOUT_MS,
    commandTimeout: QUEUE_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy,
  });
  // Each queue reports the errors of the connection that it shares; without a listener ioredis prints them itself.
  producer.on('error', () => undefined);
  return {
    kind: 'redis',
    openQueue: (name) => {
      const options: QueueOptions = { connection: producer, prefix: namespace, skipMetasUpdate: true };
      return new Queue(name, options);
    },
    openWorker: (name, processor, tuning) =>
      new Worker(name, processor, {
        ...tuning,
        prefix: namespace,
        autorun: false,
        connection: {
          url: redisUrl,
          connectTimeout: QUEUE_TIMEOUT_MS,
          maxRetriesPerRequest: null,
          retryStrategy,
        },
      }),
    close: async () => producer.disconnect(),
  };
}

/** Connections that one queue or one worker may open to Postgres. */
const POSTGRES_POOL_SIZE = 3;

/**
 * Queues in Postgres, for machines without Redis. `namespace` is the schema, made and migrated on connecting, so the
 * role of `databaseUrl` must be allowed to create one.
 */
export function createPostgresQueueBackend(databaseUrl: string, namespace: string): QueueBackend {
  const bullmq = withBackend(createPostgresBackend);
  const connection = {
    connectionString: databaseUrl,
    schema: namespace,
    migrate: true,
    max: POSTGRES_POOL_SIZE,
    connectionTimeoutMillis: QUEUE_TIMEOUT_MS,
  };
  return {
    kind: 'postgres',
    openQueue: (name) =>
      new bullmq.Queue(name, { connection, skipMetasUpdate: true }) as unknown as QueueHandle,
    openWorker: (name, processor, tuning) =>
      new bullmq.Worker(name, processor as never, {
        ...tuning,
        autorun: false,
        connection,
      }) as unknown as WorkerHandle,
    close: async () => undefined,
  };
}
