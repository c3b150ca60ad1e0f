import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { ProblemError } from '../../../platform/errors';
import { type Principal } from '../principal';

/** Runs the session strategy for a request, and says why a token is not accepted. */
@Injectable()
export class SessionGuard extends AuthGuard('session') {
  /** Throws `session-expired`, `session-invalid` or what the strategy throws. */
  async authenticate(context: ExecutionContext): Promise<Principal> {
    await this.canActivate(context);
    return context.switchToHttp().getRequest<{ user: Principal }>().user;
  }

  override handleRequest<T>(error: unknown, principal: T | false, info: unknown): T {
    if (error) throw error as Error;
    if (principal) return principal;
    if (info instanceof Error && info.name === 'TokenExpiredError') {
      throw new ProblemError('session-expired', 'The access token is past its time.', { cause: info });
    }
    // What is no access token at all is more often an API token that was not copied whole.
    if (info instanceof Error && info.message === 'jwt malformed') {
      throw new ProblemError(
        'session-invalid',
        'The bearer is neither an API token, which begins with sst_, nor an access token.',
        {
          cause: info,
          action: 'Check that it was copied whole; create an API token with POST /v1/tokens if it is lost.',
        },
      );
    }
    throw new ProblemError('session-invalid', 'The access token was not made here, or was changed.', {
      cause: info,
    });
  }
}
