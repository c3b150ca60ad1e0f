import { testStack } from '../../harness/test-stack';
import { createPostgresQueueBackend } from '../../../src/platform/queue';
import { describeDelivery } from './delivery-contract';
import { describeOutages } from './outage-contract';
import { type QueueServer } from './queue-bench';

const server = (): QueueServer => {
  const url = new URL(testStack().env.DATABASE_URL);
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    connect: (port, namespace) => {
      const linked = new URL(url);
      linked.port = String(port);
      return createPostgresQueueBackend(linked.href, namespace);
    },
  };
};

describeDelivery('Postgres', server);
describeOutages('Postgres', server);
