export { networkKey } from './network-key';
export { RateLimitModule } from './rate-limit.module';
export { type RateDecision, RateLimiter, type RateRule } from './rate-limiter';
export { RateLimiters } from './rate-limiters';
