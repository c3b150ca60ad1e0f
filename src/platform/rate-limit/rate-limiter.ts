import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { createHash } from 'node:crypto';

/** So many points for each key, in a window that begins with the first of them. */
export interface RateRule {
  /** Kebab-case, one rule a name: part of the key under which the points are counted. */
  name: string;
  points: number;
  durationS: number;
}

/** Whether the points were there; if not, when they are again. */
export type RateDecision =
  | { allowed: true; remaining: number; /** When the window ends, seconds. */ resetS: number }
  | { allowed: false; retryAfterS: number };

/** Counts what keys consume under one rule. */
export class RateLimiter {
  constructor(
    readonly rule: RateRule,
    private readonly counter: RateLimiterAbstract,
  ) {}

  /** Takes points (a whole number) off what the key has left. What is refused counts too, and does not prolong the wait. */
  async consume(key: string, points = 1): Promise<RateDecision> {
    try {
      const { remainingPoints, msBeforeNext } = await this.counter.consume(storedKey(key), points);
      return { allowed: true, remaining: remainingPoints, resetS: seconds(msBeforeNext) };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { allowed: false, retryAfterS: seconds(refusal.msBeforeNext) };
    }
  }
}

/** Whole seconds, at least one. */
function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}

/** Keys come from outside, as long as they like, and may be e-mail addresses, which Redis need not know. */
function storedKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
