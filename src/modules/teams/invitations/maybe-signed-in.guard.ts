import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type AuthenticatedRequest } from '../access.decorators';
import { SessionGuard } from '../sessions/session.guard';

/** Lets everybody through, and puts the person on the request when there is an access token. A bad token is refused. */
@Injectable()
export class MaybeSignedInGuard implements CanActivate {
  constructor(private readonly sessions: SessionGuard) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (request.header('authorization') === undefined) return true;
    request.principal = await this.sessions.authenticate(context);
    return true;
  }
}
