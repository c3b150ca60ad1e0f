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
    throw new ProblemError('session-invalid', 'The access token was not made here, or was changed.', {
      cause: info,
    });
  }
}
