import { Injectable } from '@nestjs/common';
import { type FoundInvitation } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { Passwords } from '../passwords';
import { type Principal } from '../principal';
import { AttemptLimits } from '../sessions/attempt-limits';
import { SignInJournal } from '../sessions/sign-in-journal';
import { type AccountReference, TeamsRepository } from '../teams.repository';
import { tokenHash } from '../tokens/api-token';
import { AcceptanceRepository } from './acceptance.repository';
import { invitationToken } from './invitation-token';
import { type Origin } from './joining.repository';

export interface Acceptance {
  token: string;
  /** Of the account that exists, or for the one to create. */
  password?: string;
  /** Of a new account. */
  name?: string;
}

/**
 * Shows and accepts invitations. Nothing tells whether the invited address has an account, but for the password itself:
 * it opens the account that exists, or becomes that of a new one.
 */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly repository: AcceptanceRepository,
    private readonly teams: TeamsRepository,
    private readonly passwords: Passwords,
    private readonly limits: AttemptLimits,
    private readonly journal: SignInJournal,
  ) {}

  /** The invitation while it can be accepted. Throws `invitation-unknown` or `invitation-ended`. */
  async preview(token: string): Promise<FoundInvitation> {
    const found = invitationToken.isForm(token) ? await this.repository.find(tokenHash(token)) : undefined;
    if (!found) throw new ProblemError('invitation-unknown', 'No team has made this invitation.');
    refuseEnded(found);
    return found;
  }

  /**
   * Makes whoever is signed in, or has the password, a member of the team. Throws `invitation-unknown`, `invitation-ended`,
   * `invitation-for-another`, `invitation-proof-needed`, `login-failed`, `rate-limited` or `conflict`.
   */
  async accept(acceptance: Acceptance, signedIn: Principal | undefined, origin: Origin) {
    const invitation = await this.preview(acceptance.token);
    const account = signedIn
      ? await this.accountOf(signedIn, invitation)
      : await this.accountWith(acceptance, invitation, origin);
    const role = await this.repository.accept(invitation, account, origin);
    const { teamId: id, teamSlug: slug, teamName: name, email } = invitation;
    return { team: { id, slug, name }, email, role };
  }

  private async accountOf({ id }: Principal, { email }: FoundInvitation): Promise<AccountReference> {
    // The stored address counts: an access token keeps the one of when it was made.
    const account = await this.teams.findAccount(id);
    if (account?.email === email) return { id };
    throw new ProblemError('invitation-for-another', 'You are signed in with another e-mail address.');
  }

  private async accountWith(
    { password, name }: Acceptance,
    { email }: FoundInvitation,
    origin: Origin,
  ): Promise<AccountReference> {
    if (password === undefined) {
      throw new ProblemError('invitation-proof-needed', 'There is neither a password nor an access token.');
    }
    // Together with attempts to log in: an invitation must not be another way to guess.
    await this.limits.admitEmail(email);
    const account = await this.teams.findAccountByEmail(email);
    if (!account) {
      const passwordHash = await this.passwords.hash(password);
      return { email, name: name ?? email, passwordHash, addressProven: false };
    }
    if (await this.passwords.matches(account.passwordHash, password)) return { id: account.id };
    this.journal.failed(email, { kind: 'anonymous', id: null, name: null, ...origin }, 'invitation');
    throw new ProblemError('login-failed', 'The password is not that of the account that was invited.');
  }
}

function refuseEnded({ acceptedAt, revokedAt, expiresAt }: FoundInvitation): void {
  const ended = (how: string) => new ProblemError('invitation-ended', `The invitation ${how}.`);
  if (acceptedAt) throw ended('was accepted already');
  if (revokedAt) throw ended('was revoked');
  if (expiresAt <= new Date()) throw ended('is past its time');
}
