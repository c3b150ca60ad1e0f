import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { type Config, InjectConfig } from '../../platform/config';
import { ProblemError } from '../../platform/errors';
import { isPublic } from '../../platform/http';
import { networkKey, type RateDecision, type RateLimiter, RateLimiters } from '../../platform/rate-limit';
import { type AuthenticatedRequest } from '../teams';

const windowS = 60;
/** Orchestrators ask often, and restart what does not answer. */
const uncounted = /^\/health\//;

/** A limiter and what the key had left under it. */
interface Count {
  whose: string;
  limiter: RateLimiter;
  decision: RateDecision;
}

/**
 * Bounds how often the API is asked: by a team, by one of its credentials, and by an address where no credential is needed.
 * Every answer says what is left, by the limit that is nearest.
 */
@Injectable()
export class RequestLimitsGuard implements CanActivate {
  private readonly ofTeam: RateLimiter;
  private readonly ofCredential: RateLimiter;
  private readonly ofAddress: RateLimiter;

  constructor(@InjectConfig() { requestsPerMinute }: Config, limiters: RateLimiters) {
    const perMinute = (name: string, points: number) =>
      limiters.limiter({ name, points, durationS: windowS });
    this.ofTeam = perMinute('requests-team', requestsPerMinute.team);
    this.ofCredential = perMinute('requests-credential', requestsPerMinute.credential);
    this.ofAddress = perMinute('requests-address', requestsPerMinute.address);
  }

  /** Throws `rate-limited`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (uncounted.test(request.path)) return true;
    const open = isPublic(context.getHandler(), context.getClass());
    const counts = await (open ? this.countAddress(request) : this.countPrincipal(request));
    const nearest = counts.reduce((a, b) => (leftOf(b) < leftOf(a) ? b : a));
    describe(context.switchToHttp().getResponse<Response>(), nearest);
    refuseWhenUsedUp(nearest);
    return true;
  }

  private async countAddress({ ip }: AuthenticatedRequest): Promise<Count[]> {
    return [await count('your network address', this.ofAddress, networkKey(ip))];
  }

  private async countPrincipal({ principal }: AuthenticatedRequest): Promise<Count[]> {
    if (!principal) throw new Error('Requests are counted before it is known whose they are.');
    const { kind, id, teamId } = principal;
    return Promise.all([
      count('your team', this.ofTeam, teamId),
      count('this credential', this.ofCredential, `${kind}:${id}`),
    ]);
  }
}

async function count(whose: string, limiter: RateLimiter, key: string): Promise<Count> {
  return { whose, limiter, decision: await limiter.consume(key) };
}

const leftOf = ({ decision }: Count) => (decision.allowed ? decision.remaining : -1);

/** Header fields of draft-ietf-httpapi-ratelimit-headers, as clients know them. */
function describe(response: Response, { limiter, decision }: Count): void {
  const { points, durationS } = limiter.rule;
  response.setHeader('RateLimit-Policy', `${points};w=${durationS}`);
  response.setHeader('RateLimit-Limit', String(points));
  response.setHeader('RateLimit-Remaining', String(decision.allowed ? decision.remaining : 0));
  response.setHeader('RateLimit-Reset', String(decision.allowed ? decision.resetS : decision.retryAfterS));
}

function refuseWhenUsedUp({ whose, limiter, decision }: Count): void {
  if (decision.allowed) return;
  throw new ProblemError(
    'rate-limited',
    `There may be ${limiter.rule.points} requests a minute by ${whose}, and there were more.`,
    { retryAfterS: decision.retryAfterS },
  );
}
