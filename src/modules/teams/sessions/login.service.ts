import { Injectable } from '@nestjs/common';
import { type Actor } from '../../../platform/audit';
import { ProblemError } from '../../../platform/errors';
import { Passwords } from '../passwords';
import { type Principal } from '../principal';
import { TeamsRepository } from '../teams.repository';
import { normalizeEmail } from '../normalize-email';
import { chooseTeam } from './choose-team';
import { SessionsRepository } from './sessions.repository';
import { type Client, type IssuedSession, SessionsService } from './sessions.service';
import { SignInJournal } from './sign-in-journal';

export interface LoginRequest {
  email: string;
  password: string;
  /** Slug; needed by people who are in several teams. */
  team?: string;
}

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/** Checks and changes passwords. */
@Injectable()
export class LoginService {
  constructor(
    private readonly teams: TeamsRepository,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly repository: SessionsRepository,
    private readonly journal: SignInJournal,
  ) {}

  /** Throws `login-failed`, `not-a-member`, `team-required` or `sign-in-busy`. */
  async login({ email, password, team }: LoginRequest, client: Client): Promise<IssuedSession> {
    const address = normalizeEmail(email);
    const account = await this.teams.findAccountByEmail(address);
    const matches = await this.passwords.matches(account?.passwordHash, password);
    if (!account?.passwordHash || !matches) throw this.refuse(address, client.actor);
    const membership = chooseTeam(await this.teams.listMemberships(account.id), team);
    const { passwordHash } = account;
    const issued = await this.sessions.start(account, membership, {
      method: 'password',
      client,
      passwordHash,
    });
    // The password was changed in between.
    if (!issued) throw this.refuse(address, client.actor);
    return issued;
  }

  /** Ends all other sessions of the person. Throws `password-wrong`, `session-ended` or `sign-in-busy`. */
  async changePassword(
    { id: userId, teamId, sessionId }: Principal,
    { currentPassword, newPassword }: PasswordChange,
    actor: Actor,
  ): Promise<void> {
    const account = await this.repository.findCredentials(userId);
    const verifiedHash = account?.passwordHash;
    const matches = await this.passwords.matches(verifiedHash, currentPassword);
    if (!verifiedHash || !matches) throw this.refuseChange(account?.email, actor);
    const passwordHash = await this.passwords.hash(newPassword);
    const change = { userId, keptId: sessionId ?? userId, verifiedHash, passwordHash };
    // Checking and hashing take a while: the password may be another one, or none, by now.
    const isChanged = await this.repository.changePassword(teamId, change, actor);
    if (!isChanged) throw this.refuseChange(account.email, actor);
  }

  private refuseChange(email: string | undefined, actor: Actor): ProblemError {
    // Whoever has a stolen access token guesses here.
    if (email !== undefined) this.journal.failed(email, actor, 'password-change');
    return new ProblemError('password-wrong', 'The field currentPassword is not your password.');
  }

  private refuse(email: string, actor: Actor): ProblemError {
    this.journal.failed(email, actor);
    return new ProblemError('login-failed', 'There is no account with this e-mail address and password.');
  }
}
