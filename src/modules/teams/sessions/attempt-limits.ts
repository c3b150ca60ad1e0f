import { Injectable } from '@nestjs/common';
import { ProblemError } from '../../../platform/errors';
import { networkKey, type RateDecision, type RateLimiter, RateLimiters } from '../../../platform/rate-limit';

/** Routes on which something could be guessed. */
export type Attempt =
  | 'login'
  | 'refresh'
  | 'oidc-start'
  | 'oidc-callback'
  | 'password-change'
  | 'password-reset'
  | 'account-deletion'
  | 'invitation';

const perMinute = (name: string, points: number) => ({ name, points, durationS: 60 });
const perPerson = (name: string) => ({ name, points: 10, durationS: 300 });

/**
 * How often something may be tried, right or wrong, over all processes. Per address: an office behind one address still
 * gets in. Per person: guessing one password from many addresses takes years.
 */
@Injectable()
export class AttemptLimits {
  private readonly byAddress: Record<Attempt, RateLimiter>;
  private readonly byEmail: RateLimiter;
  private readonly byPerson: RateLimiter;
  private readonly badCredentials: RateLimiter;
  private readonly endedCredentials: RateLimiter;
  private readonly forbidden: RateLimiter;

  constructor(limiters: RateLimiters) {
    this.byAddress = {
      login: limiters.limiter(perMinute('login-address', 30)),
      // Nobody guesses 256 bits; an office renews many sessions at the start of the day.
      refresh: limiters.limiter(perMinute('refresh-address', 60)),
      'oidc-start': limiters.limiter(perMinute('oidc-start-address', 30)),
      'oidc-callback': limiters.limiter(perMinute('oidc-callback-address', 30)),
      invitation: limiters.limiter(perMinute('invitation-address', 30)),
      'password-change': limiters.limiter(perMinute('password-change-address', 30)),
      'password-reset': limiters.limiter(perMinute('password-reset-address', 30)),
      'account-deletion': limiters.limiter(perMinute('account-deletion-address', 30)),
    };
    this.byEmail = limiters.limiter(perPerson('login-email'));
    this.byPerson = limiters.limiter(perPerson('password-change-person'));
    this.badCredentials = limiters.limiter(perMinute('bad-credentials', 60));
    this.endedCredentials = limiters.limiter(perMinute('ended-credentials', 300));
    this.forbidden = limiters.limiter(perMinute('forbidden-credential', 300));
  }

  /** Counts an attempt from an address. Throws `rate-limited`. */
  async admitAddress(attempt: Attempt, address: string | undefined): Promise<void> {
    refuse(await this.byAddress[attempt].consume(networkKey(address)), attemptDetail);
  }

  /** Counts an attempt to log in as somebody, whether or not there is such an account. Throws `rate-limited`. */
  async admitEmail(email: string): Promise<void> {
    refuse(await this.byEmail.consume(email), attemptDetail);
  }

  /** Counts an attempt of somebody who is signed in to give the current password. Throws `rate-limited`. */
  async admitPerson(userId: string): Promise<void> {
    refuse(await this.byPerson.consume(userId), attemptDetail);
  }

  /** Counts a request of a credential for what it may not do: nothing behind the access guard sees it. Throws `rate-limited`. */
  async noteForbidden(credentialId: string): Promise<void> {
    refuse(
      await this.forbidden.consume(credentialId),
      'There were too many requests for what this credential may not do.',
    );
  }

  /**
   * Counts a bearer that nobody gave out. Throws `rate-limited`. Bearers that are right are never held up: one forgotten
   * job with a dead token must not stop all others of its cluster, and 256 bits are not guessed in between.
   */
  async noteBadCredential(address: string | undefined): Promise<void> {
    refuse(
      await this.badCredentials.consume(networkKey(address)),
      'There were too many requests with credentials that do not exist.',
    );
  }

  /** Counts a bearer that was right once: nobody guesses with it, but each costs a look into the database. Throws `rate-limited`. */
  async noteEndedCredential(address: string | undefined): Promise<void> {
    refuse(
      await this.endedCredentials.consume(networkKey(address)),
      'There were too many requests with credentials that expired or were revoked.',
    );
  }
}

const attemptDetail = 'There were too many attempts.';

function refuse(decision: RateDecision, detail: string): void {
  if (decision.allowed) return;
  throw new ProblemError('rate-limited', detail, { retryAfterS: decision.retryAfterS });
}
