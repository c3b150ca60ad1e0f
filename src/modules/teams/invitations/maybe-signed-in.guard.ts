import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type AuthenticatedRequest } from '../access.decorators';
import { SessionGuard } from '../sessions/session.guard';
import { tokenMark } from '../tokens/api-token';

const isApiToken = new RegExp(`^Bearer +${tokenMark}`, 'i');

/**
 * Lets everybody through, and puts the person on the request when there is an access token. One that is not valid is refused;
 * an API token stands for no person, and is left out of account.
 */
@Injectable()
export class MaybeSignedInGuard implements CanActivate {
  constructor(private readonly sessions: SessionGuard) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const credential = request.header('authorization');
    if (credential === undefined || isApiToken.test(credential)) return true;
    request.principal = await this.sessions.authenticate(context);
    return true;
  }
}
