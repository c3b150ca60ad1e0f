import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiters } from '../../../src/platform/rate-limit';
import { type QueueConfig } from '../../../src/platform/config';

/** A fresh prefix, so that no test sees what another consumed. */
export type FreshQueue = () => QueueConfig;

/** What a rate limiter promises, wherever it counts. */
export function describeLimiter(name: string, freshQueue: FreshQueue): void {
  describe(`rate limiter, counting in ${name}`, () => {
    let limiters: RateLimiters;

    beforeEach(async () => {
      limiters = new RateLimiters(freshQueue());
      await limiters.onModuleInit();
    });
    afterEach(() => limiters.onApplicationShutdown());

    it('allows as many points as the rule has, and says when there are more', async () => {
      const limiter = limiters.limiter({ name: 'some', points: 3, durationS: 60 });
      expect(await limiter.consume('k')).toEqual({ allowed: true, remaining: 2, resetS: expect.any(Number) });
      expect(await limiter.consume('k', 2)).toMatchObject({ allowed: true, remaining: 0 });
      for (let i = 0; i < 3; i++) {
        const refused = await limiter.consume('k');
        expect(refused).toEqual({ allowed: false, retryAfterS: expect.any(Number) });
        if (refused.allowed) continue;
        expect(refused.retryAfterS).toBeGreaterThan(50);
        expect(refused.retryAfterS).toBeLessThanOrEqual(60);
      }
    });

    it('keeps keys and rules apart', async () => {
      const limiter = limiters.limiter({ name: 'one', points: 1, durationS: 60 });
      const other = limiters.limiter({ name: 'other', points: 1, durationS: 60 });
      await limiter.consume('k');
      expect((await limiter.consume('k')).allowed).toBe(false);
      expect((await limiter.consume('K')).allowed).toBe(true);
      expect((await other.consume('k')).allowed).toBe(true);
    });

    it('allows again when the window has ended', async () => {
      const limiter = limiters.limiter({ name: 'short', points: 1, durationS: 1 });
      await limiter.consume('k');
      expect(await limiter.consume('k')).toEqual({ allowed: false, retryAfterS: 1 });
      await sleep(1_100);
      expect((await limiter.consume('k')).allowed).toBe(true);
    });

    it('counts exactly when asked many times at once, whatever the key', async () => {
      const limiter = limiters.limiter({ name: 'crowd', points: 5, durationS: 60 });
      const key = `\u0000\r\nDEL * ${'x'.repeat(100_000)}`;
      const decisions = await Promise.all(Array.from({ length: 20 }, () => limiter.consume(key)));
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(5);
    });
  });
}
