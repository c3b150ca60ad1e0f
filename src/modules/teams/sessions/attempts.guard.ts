import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { isProblem } from '../../../platform/errors';
import { ApiProblems } from '../../../platform/http';
import { type AuthenticatedRequest } from '../access.decorators';
import { actorOf } from '../current-actor';
import { normalizeEmail } from '../normalize-email';
import { type Attempt, AttemptLimits } from './attempt-limits';
import { SignInJournal } from './sign-in-journal';

const attemptKey = 'stallscope:attempt';
const longestEmail = 320;
/** Attempts of people who are signed in, with their current password. */
const ofPersons: readonly Attempt[] = ['password-change', 'account-deletion'];

/** Slows down guessing on a route. Stands before the check itself, which costs time and memory. */
export function LimitAttempts(attempt: Attempt): MethodDecorator {
  return applyDecorators(
    SetMetadata(attemptKey, attempt),
    UseGuards(AttemptsGuard),
    ApiProblems('rate-limited'),
  );
}

@Injectable()
export class AttemptsGuard implements CanActivate {
  constructor(
    private readonly limits: AttemptLimits,
    private readonly journal: SignInJournal,
  ) {}

  /** Throws `rate-limited`. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const attempt = Reflect.getMetadata(attemptKey, context.getHandler()) as Attempt;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const email = attempt === 'login' ? emailOf(request) : undefined;
    try {
      await this.limits.admitAddress(attempt, request.ip);
      if (email !== undefined) await this.limits.admitEmail(email);
      if (request.principal) await this.limits.admitPerson(request.principal.id);
    } catch (error) {
      if (isProblem(error, 'rate-limited')) {
        const whose = ofPersons.includes(attempt) ? personOf(request) : email;
        this.journal.blocked(attempt, whose, actorOf(request, request.principal));
      }
      throw error;
    }
    return true;
  }
}

/** The address that somebody wants to log in as; the body was not checked yet. */
function emailOf({ body }: AuthenticatedRequest): string {
  const email = (body as { email?: unknown } | undefined)?.email;
  return typeof email === 'string' ? normalizeEmail(email).slice(0, longestEmail) : '';
}

/** The address of somebody who is signed in; a token has none. */
function personOf({ principal }: AuthenticatedRequest): string | undefined {
  return principal?.kind === 'user' ? principal.name : undefined;
}
