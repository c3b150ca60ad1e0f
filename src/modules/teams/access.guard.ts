import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { isProblem, type ProblemCode, ProblemError } from '../../platform/errors';
import { isPublic } from '../../platform/http';
import { type AuthenticatedRequest, requiredScopesOf } from './access.decorators';
import { ApiTokensService } from './tokens/api-tokens.service';
import { tokenMark } from './tokens/api-token';
import { type Principal, type Scope } from './principal';
import { RunLimitsGuard } from './run-limits.guard';
import { AttemptLimits } from './sessions/attempt-limits';
import { SessionGuard } from './sessions/session.guard';

/** What is said of credentials that nobody gave out. */
const guesses: readonly ProblemCode[] = ['token-unknown', 'session-invalid'];
/** And of those that were good once. */
const ended: readonly ProblemCode[] = [
  'token-revoked',
  'token-expired',
  'session-expired',
  'session-ended',
  'membership-ended',
];

/** Guards every route: who asks, and may they? Routes that say nothing are closed. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly tokens: ApiTokensService,
    private readonly sessions: SessionGuard,
    private readonly limits: RunLimitsGuard,
    private readonly attempts: AttemptLimits,
  ) {}

  /** Throws a problem when the credential of the call is not, or not any more, one that may do this. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(context.getHandler(), context.getClass())) return true;
    const required = requiredScopesOf(context.getHandler());
    if (!required) throw new Error(`${context.getClass().name} has a route without declared access.`);

    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const principal = await this.authenticate(context, request);
    request.principal = principal;
    try {
      refuseMissingScopes(principal, required);
      await this.limits.check(context.getHandler(), request, principal);
    } catch (error) {
      if (error instanceof ProblemError)
        await this.attempts.noteForbidden(`${principal.kind}:${principal.id}`);
      throw error;
    }
    return true;
  }

  private async authenticate(context: ExecutionContext, request: AuthenticatedRequest): Promise<Principal> {
    const credential = bearerOf(request);
    try {
      return credential.startsWith(tokenMark)
        ? await this.tokens.authenticate(credential)
        : await this.sessions.authenticate(context);
    } catch (error) {
      if (guesses.some((code) => isProblem(error, code))) await this.attempts.noteBadCredential(request.ip);
      if (ended.some((code) => isProblem(error, code))) await this.attempts.noteEndedCredential(request.ip);
      throw error;
    }
  }
}

function bearerOf(request: AuthenticatedRequest): string {
  const header = request.header('authorization');
  const match = /^Bearer +(\S+) *$/i.exec(header ?? '');
  if (match) return match[1];
  const reason =
    header === undefined ? 'There is no Authorization header' : 'The Authorization header is no bearer';
  throw new ProblemError('unauthenticated', `${reason}, and this address is not public.`);
}

function refuseMissingScopes(principal: Principal, required: readonly Scope[]): void {
  const missing = required.filter((scope) => !principal.scopes.includes(scope));
  if (missing.length === 0) return;
  const holder = principal.kind === 'token' ? 'This token' : `Your role ${principal.role ?? ''}`.trim();
  throw new ProblemError(
    'scope-missing',
    `${holder} lacks the scope ${missing.join(', ')}, which this needs.`,
  );
}
