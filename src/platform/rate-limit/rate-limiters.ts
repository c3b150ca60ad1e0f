import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { type QueueConfig } from '../config';
import { RateLimiter, type RateRule } from './rate-limiter';

/** A request waits for an answer no longer than this; then it is counted in memory. */
const answerTimeoutMs = 1_000;
const connectTimeoutMs = 5_000;
const retryStrategy = (times: number) => Math.min(times * 200, 2_000);

/**
 * Makes rate limiters. With Redis all processes count together; while Redis is away each counts for itself, so that
 * guessing stays slow and nobody is locked out. Without Redis (the queue in Postgres) each process counts for itself.
 */
export class RateLimiters implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger('RateLimits');
  private readonly redis: Redis | undefined;
  private readonly keyPrefix: string;
  private isShared = true;

  constructor(queue: QueueConfig) {
    this.keyPrefix = `${queue.prefix}:rate`;
    if (queue.backend !== 'redis') return;
    this.redis = new Redis(queue.redisUrl, {
      lazyConnect: true,
      enableOfflineQueue: false,
      connectTimeout: connectTimeoutMs,
      commandTimeout: answerTimeoutMs,
      // A server that takes commands and answers none is left at once, and counted as away until it answers again.
      socketTimeout: answerTimeoutMs,
      maxRetriesPerRequest: 0,
      retryStrategy,
    });
    this.redis.on('error', () => undefined);
    this.redis.on('close', () => this.noteShared(false));
    this.redis.on('ready', () => this.noteShared(true));
  }

  /** Connects, so that the first requests are counted with those of other processes; does not wait for a Redis that is away. */
  async onModuleInit(): Promise<void> {
    if (!this.redis) {
      this.log.warn('There is no Redis: each process limits rates for itself.');
      return;
    }
    await this.redis.connect().catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.redis?.removeAllListeners('close').disconnect();
  }

  /** The limiter of a rule. Two of one name in one installation count together. */
  limiter(rule: RateRule): RateLimiter {
    const options = {
      keyPrefix: `${this.keyPrefix}:${rule.name}`,
      points: rule.points,
      duration: rule.durationS,
    };
    const memory = new RateLimiterMemory(options);
    if (!this.redis) return new RateLimiter(rule, memory);
    return new RateLimiter(
      rule,
      new RateLimiterRedis({
        ...options,
        storeClient: this.redis,
        rejectIfRedisNotReady: true,
        insuranceLimiter: memory,
        // Who is refused is refused from memory until the window ends: a flood does not reach Redis.
        inMemoryBlockOnConsumed: rule.points + 1,
      }),
    );
  }

  /** Each attempt to connect that fails closes a connection; only changes are worth a line. */
  private noteShared(isShared: boolean): void {
    if (isShared === this.isShared) return;
    this.isShared = isShared;
    if (isShared) this.log.log('Redis is back: rates are limited over all processes.');
    else this.log.warn('Redis is away: each process limits rates for itself.');
  }
}
