import { testStack } from '../../harness/test-stack';
import { createRedisQueueBackend } from '../../../src/platform/queue';
import { describeDelivery } from './delivery-contract';
import { describeOutages } from './outage-contract';
import { type QueueServer } from './queue-bench';

const server = (): QueueServer => {
  const url = new URL(testStack().env.REDIS_URL);
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    connect: (port, namespace) => {
      const linked = new URL(url);
      linked.port = String(port);
      return createRedisQueueBackend(linked.href, namespace);
    },
  };
};

describeDelivery('Redis', server);
describeOutages('Redis', server);
