import { Injectable } from '@nestjs/common';
import { type Actor } from '../../../platform/audit';
import { ProblemError } from '../../../platform/errors';
import { Passwords } from '../passwords';
import { type Principal } from '../principal';
import { SignInJournal } from '../sessions/sign-in-journal';
import { AccountDeletionRepository } from './account-deletion.repository';

/** So long a sign-in proves who asks, where there is no password. */
const freshMs = 600_000;

/** Deletes accounts of people who want it and prove who they are. */
@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly repository: AccountDeletionRepository,
    private readonly passwords: Passwords,
    private readonly journal: SignInJournal,
  ) {}

  /**
   * Throws `password-wrong`, `fresh-sign-in-needed`, `session-ended`, `last-owner`, `conflict` when the teams of the person
   * change meanwhile, or `sign-in-busy`.
   */
  async delete(
    { id: userId, sessionId }: Principal,
    currentPassword: string | undefined,
    actor: Actor,
  ): Promise<void> {
    const session = await this.repository.findSession(userId, sessionId ?? userId);
    if (!session) throw new ProblemError('session-ended', 'Your session was ended just now.');
    const { email, passwordHash } = session.user;
    if (passwordHash !== null) {
      const matches =
        currentPassword !== undefined && (await this.passwords.matches(passwordHash, currentPassword));
      if (!matches) throw this.refuse(currentPassword, email, actor);
    } else if (session.createdAt.getTime() < Date.now() - freshMs) {
      throw new ProblemError('fresh-sign-in-needed', 'You have no password, and signed in too long ago.');
    }
    await this.repository.delete(userId, passwordHash, actor);
  }

  private refuse(given: string | undefined, email: string, actor: Actor): ProblemError {
    if (given === undefined)
      return new ProblemError('password-wrong', 'You have a password; send it in the field currentPassword.');
    // Whoever has a stolen access token guesses here.
    this.journal.failed(email, actor, 'account-deletion');
    return new ProblemError('password-wrong', 'The field currentPassword is not your password.');
  }
}
