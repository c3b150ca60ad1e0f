import Redis from 'ioredis';
import { randomUUID } from 'node:crypto';
import { type QueueConfig } from '../../../src/platform/config';
import { RateLimiters } from '../../../src/platform/rate-limit';
import { type CuttableLink, linkTo } from '../../harness/cuttable-link';
import { freshQueuePrefix } from '../../harness/environment';
import { testStack } from '../../harness/test-stack';
import { until } from '../../harness/until';
import { describeLimiter } from './limiter-contract';

const freshQueue = (redisUrl = testStack().env.REDIS_URL): QueueConfig => ({
  backend: 'redis',
  redisUrl,
  prefix: freshQueuePrefix(),
});
const rule = { name: 'shared', points: 4, durationS: 60 };

describeLimiter('Redis', () => freshQueue());

describe('rate limiters of several processes', () => {
  const opened: RateLimiters[] = [];
  let link: CuttableLink;
  const open = async (queue: QueueConfig) => {
    const limiters = new RateLimiters(queue);
    opened.push(limiters);
    await limiters.onModuleInit();
    return limiters.limiter(rule);
  };

  beforeEach(async () => {
    link = await linkTo(testStack().env.REDIS_URL);
  });
  afterEach(async () => {
    for (const limiters of opened.splice(0)) limiters.onApplicationShutdown();
    await link.close();
  });

  it('count together, under keys of their installation that name nobody', async () => {
    const queue = freshQueue();
    const [one, two] = [await open(queue), await open(queue)];
    for (const limiter of [one, two, one, two]) {
      expect((await limiter.consume('somebody@example.test')).allowed).toBe(true);
    }
    expect((await one.consume('somebody@example.test')).allowed).toBe(false);
    expect((await two.consume('somebody@example.test')).allowed).toBe(false);
    expect((await (await open(freshQueue())).consume('somebody@example.test')).allowed).toBe(true);

    const redis = new Redis(testStack().env.REDIS_URL);
    const keys = await redis.keys(`${queue.prefix}*`);
    const ttlMs = await redis.pttl(keys[0]);
    redis.disconnect();
    expect(keys).toEqual([expect.stringMatching(new RegExp(`^${queue.prefix}:rate:shared:[\\w-]{43}$`))]);
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(60_000);
  });

  it.each(['cut', 'freeze'] as const)(
    'count for themselves while Redis is away (%s), and together when it is back',
    async (how) => {
      const queue = freshQueue(link.through(testStack().env.REDIS_URL));
      const [one, two] = [await open(queue), await open({ ...freshQueue(), prefix: queue.prefix })];
      await one.consume('k');
      await link[how]();
      for (let i = 0; i < 4; i++) expect((await one.consume('k')).allowed).toBe(true);
      expect((await one.consume('k')).allowed).toBe(false);
      expect((await one.consume('other')).allowed).toBe(true);
      await (how === 'cut' ? link.mend() : link.thaw());
      await until(async () => {
        // Only what both count together can be used up by the other one alone.
        const key = randomUUID();
        await two.consume(key, rule.points);
        return !(await one.consume(key)).allowed;
      }, 'counts together again');
    },
  );

  it('start without Redis', async () => {
    await link.cut();
    const limiter = await open(freshQueue(link.through(testStack().env.REDIS_URL)));
    for (let i = 0; i < 4; i++) expect((await limiter.consume('k')).allowed).toBe(true);
    expect((await limiter.consume('k')).allowed).toBe(false);
  });
});
