export {
  defineJob,
  type JobDefinition,
  type JobPayload,
  type NewPayload,
  type PayloadOf,
} from './define-job';
export { PermanentJobError, PostponeJobError, QueueUnavailableError } from './job-errors';
export {
  JobConsumer,
  type ConsumerHealth,
  type ConsumerOptions,
  type JobContext,
  type JobHandler,
} from './job-consumer';
export { JobQueue, type QueueDepth } from './job-queue';
export { createPostgresQueueBackend, createRedisQueueBackend, type QueueBackend } from './queue-backend';
export { createQueueBackend, QueueModule } from './queue.module';
