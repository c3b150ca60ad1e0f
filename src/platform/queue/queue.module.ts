import {
  type DynamicModule,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CONFIG_TOKEN, type Config } from '../config';
import { JobConsumer } from './job-consumer';
import { JobQueue } from './job-queue';
import { createPostgresQueueBackend, createRedisQueueBackend, type QueueBackend } from './queue-backend';

const QUEUE_BACKEND = Symbol('QueueBackend');

/** The backend that the configuration names. */
export function createQueueBackend(queue: Config['queue']): QueueBackend {
  return queue.backend === 'redis'
    ? createRedisQueueBackend(queue.redisUrl, queue.prefix)
    : createPostgresQueueBackend(queue.databaseUrl, `${queue.prefix}_queue`);
}

/** Says at start where the jobs are, and closes the producer's connections at the end. */
@Injectable()
class QueueLifecycle implements OnApplicationShutdown {
  constructor(
    private readonly queue: JobQueue,
    @Inject(QUEUE_BACKEND) backend: QueueBackend,
  ) {
    const log = new Logger('Queue');
    if (backend.kind === 'postgres') {
      log.warn(
        'Jobs travel through Postgres, which suits one machine. Set REDIS_URL to use Redis in production.',
      );
    } else {
      log.log('Jobs travel through Redis.');
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.queue.close();
  }
}

/** Gives `JobQueue` to producers and `JobConsumer` to workers; neither connects before it is used. */
@Module({})
export class QueueModule {
  static forRoot(): DynamicModule {
    return {
      module: QueueModule,
      global: true,
      providers: [
        {
          provide: QUEUE_BACKEND,
          inject: [CONFIG_TOKEN],
          useFactory: (config: Config) => createQueueBackend(config.queue),
        },
        {
          provide: JobQueue,
          inject: [QUEUE_BACKEND],
          useFactory: (backend: QueueBackend) => new JobQueue(backend),
        },
        {
          provide: JobConsumer,
          inject: [QUEUE_BACKEND],
          useFactory: (backend: QueueBackend) => new JobConsumer(backend),
        },
        QueueLifecycle,
      ],
      exports: [JobQueue, JobConsumer],
    };
  }
}
