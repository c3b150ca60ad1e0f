import { Injectable } from '@nestjs/common';
import { type Actor, operator } from '../../../platform/audit';
import { type Database } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { normalizeEmail } from '../normalize-email';
import { Passwords } from '../passwords';
import { tokenHash } from '../tokens/api-token';
import { PasswordResetsRepository } from './password-resets.repository';
import { resetToken } from './reset-token';

const goodForMs = 3_600_000;

/** Gives people who lost their password, or never had one, a new one. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly repository: PasswordResetsRepository,
    private readonly passwords: Passwords,
  ) {}

  /** For operators: a token for the person with this address, good once and for an hour. Undefined without account. */
  async issue(email: string): Promise<{ token: string; expiresAt: Date } | undefined> {
    const token = resetToken.create();
    const expiresAt = new Date(Date.now() + goodForMs);
    const reset = { tokenHash: tokenHash(token), expiresAt };
    const isKnown = await this.repository.create(normalizeEmail(email), reset, operator);
    return isKnown ? { token, expiresAt } : undefined;
  }

  /** Uses a token up; all sessions of the person end. Throws `password-reset-unknown` or `sign-in-busy`. */
  async use(token: string, newPassword: string, actor: Actor): Promise<void> {
    const hash = tokenHash(token);
    // Before the new password is hashed, which costs time and memory.
    if (!resetToken.isForm(token) || !(await this.repository.exists(hash))) throw unknown();
    const passwordHash = await this.passwords.hash(newPassword);
    if (!(await this.repository.use(hash, passwordHash, actor))) throw unknown();
  }
}

/** The same for all that cannot be used: what it was is nobody's business. */
function unknown(): ProblemError {
  return new ProblemError(
    'password-reset-unknown',
    'It does not exist, was used already, was replaced by a newer one, or is past its time.',
  );
}

/** The service without the framework, for the command. */
export function createPasswordResetService(database: Database): PasswordResetService {
  return new PasswordResetService(new PasswordResetsRepository(database), new Passwords());
}
