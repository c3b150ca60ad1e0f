import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { type Actor } from '../../../platform/audit';
import { type RateLimiter, RateLimiters } from '../../../platform/rate-limit';
import { type Attempt } from './attempt-limits';
import { SignInAuditRepository } from './sign-in-audit.repository';

/** Entries being written at a time; a flood of attempts must not become a flood of transactions. */
const mostPending = 50;

/**
 * Writes down attempts to log in that failed or were blocked: in the log, and in the audit log of the teams of the account
 * when there is one. The answer does not wait for it, so its time does not tell whether there is.
 */
@Injectable()
export class SignInJournal implements BeforeApplicationShutdown {
  private readonly log = new Logger('SignIn');
  private readonly pending = new Set<Promise<void>>();
  private readonly blockedOnce: RateLimiter;

  constructor(
    private readonly audit: SignInAuditRepository,
    limiters: RateLimiters,
  ) {
    this.blockedOnce = limiters.limiter({ name: 'login-blocked-audit', points: 1, durationS: 300 });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }

  /** A wrong password, or no such account; `attempt` says where the password was asked for. */
  failed(email: string, actor: Actor, attempt: Attempt = 'login'): void {
    this.log.warn({ attempt, email: maskEmail(email), ...from(actor) }, 'an attempt to log in failed');
    const details = { attempt };
    this.later(() => this.audit.recordFor(email, actor, { action: 'login.failed', details }));
  }

  /** Too many attempts. An account's audit log gets one entry in five minutes, however many there are. */
  blocked(attempt: Attempt, email: string | undefined, actor: Actor): void {
    const who = email === undefined ? {} : { email: maskEmail(email) };
    this.log.warn({ attempt, ...who, ...from(actor) }, 'attempts to sign in were blocked');
    if (!email) return;
    this.later(async () => {
      const { allowed } = await this.blockedOnce.consume(email);
      if (allowed)
        await this.audit.recordFor(email, actor, { action: 'login.blocked', details: { attempt } });
    });
  }

  private later(write: () => Promise<void>): void {
    if (this.pending.size >= mostPending) {
      this.log.warn('So many attempts fail that this one stands in the log only, not in the audit log.');
      return;
    }
    const writing = write()
      .catch((error: unknown) =>
        this.log.error({ err: error }, 'An attempt to log in is missing in the audit log.'),
      )
      .finally(() => this.pending.delete(writing));
    this.pending.add(writing);
  }
}

const from = ({ address, requestId }: Actor) => ({ address, requestId });

/** Enough to recognise an address by; people also type passwords into the field. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '***' : `${email[0]}***${email.slice(at)}`;
}
