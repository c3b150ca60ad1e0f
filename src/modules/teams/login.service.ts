import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { type ApiConfig, InjectConfig } from '../../platform/config';
import { type FoundMembership } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { Passwords } from './passwords';
import { TeamsRepository } from './teams.repository';
import { normalizeEmail } from './teams.service';

export interface LoginRequest {
  email: string;
  password: string;
  /** Slug; needed by people who are in several teams. */
  team?: string;
}

/** Checks a password and gives out an access token for one team. */
@Injectable()
export class LoginService {
  constructor(
    @InjectConfig() private readonly config: ApiConfig,
    private readonly teams: TeamsRepository,
    private readonly passwords: Passwords,
    private readonly jwt: JwtService,
  ) {}

  /** Throws `login-failed`, `not-a-member` or `team-required`. */
  async login({ email, password, team }: LoginRequest) {
    const account = await this.teams.findAccountByEmail(normalizeEmail(email));
    const matches = await this.passwords.matches(account?.passwordHash, password);
    if (!account || !matches) {
      throw new ProblemError('login-failed', 'There is no account with this e-mail address and password.');
    }
    const membership = chooseTeam(await this.teams.listMemberships(account.id), team);
    const accessToken = await this.jwt.signAsync({
      sub: account.id,
      team: membership.teamId,
      role: membership.role,
      email: normalizeEmail(email),
    });
    return {
      accessToken,
      expiresInS: this.config.auth.jwtTtlS,
      team: { id: membership.teamId, slug: membership.slug, name: membership.name },
    };
  }
}

function chooseTeam(memberships: FoundMembership[], slug: string | undefined): FoundMembership {
  if (slug === undefined && memberships.length > 1) {
    const slugs = memberships.map((membership) => membership.slug).join(', ');
    throw new ProblemError('team-required', `You are in several teams: ${slugs}.`);
  }
  const chosen =
    slug === undefined ? memberships[0] : memberships.find((membership) => membership.slug === slug);
  if (chosen) return chosen;
  const detail = slug === undefined ? 'You are in no team.' : `You are in no team with the slug ${slug}.`;
  throw new ProblemError('not-a-member', detail);
}
