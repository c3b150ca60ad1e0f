import { testStack } from '../../harness/test-stack';
import { freshQueuePrefix } from '../../harness/environment';
import { describeLimiter } from './limiter-contract';

describeLimiter('memory', () => ({
  backend: 'postgres',
  databaseUrl: testStack().env.DATABASE_URL,
  prefix: freshQueuePrefix(),
}));
