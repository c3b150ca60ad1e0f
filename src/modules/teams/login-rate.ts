import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerModuleOptions } from '@nestjs/throttler';
import { ProblemError } from '../../platform/errors';

const longestEmail = 320;

/**
 * Attempts to log in, right or wrong, per process. Per address: an office behind one address still gets in. Per e-mail
 * address: guessing one password from many addresses takes years.
 */
export const loginLimits: ThrottlerModuleOptions = {
  setHeaders: false,
  throttlers: [
    { name: 'login-address', ttl: 60_000, limit: 30 },
    {
      name: 'login-email',
      ttl: 300_000,
      limit: 10,
      getTracker: (request) => {
        const email = (request.body as { email?: unknown } | undefined)?.email;
        return typeof email === 'string' ? email.trim().toLowerCase().slice(0, longestEmail) : '';
      },
    },
  ],
};

/** Slows down guessing. Stands before the password check, which costs time and memory. */
@Injectable()
export class LoginRateGuard extends ThrottlerGuard {
  protected override throwThrottlingException(
    _: ExecutionContext,
    limit: ThrottlerLimitDetail,
  ): Promise<void> {
    throw new ProblemError('rate-limited', 'There were too many attempts to log in.', {
      retryAfterS: Math.max(1, limit.timeToBlockExpire),
    });
  }
}
