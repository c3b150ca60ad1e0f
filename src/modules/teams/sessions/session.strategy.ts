import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { type ApiConfig, InjectConfig } from '../../../platform/config';
import { ProblemError } from '../../../platform/errors';
import { type Principal, scopesOfRole } from '../principal';
import { sessionAlgorithm, sessionAudience, sessionClaimsSchema, sessionIssuer } from './session-claims';
import { SessionsRepository } from './sessions.repository';

/** Recognises access tokens of people: signature, issuer, audience and expiry, then session and membership as they are now. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Strategy, 'session') {
  constructor(
    @InjectConfig() { auth }: ApiConfig,
    private readonly sessions: SessionsRepository,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKey: auth.jwtSecret,
      algorithms: [sessionAlgorithm],
      issuer: sessionIssuer,
      audience: sessionAudience,
    });
  }

  /** Called with the claims of a genuine token. Throws `session-invalid`, `session-ended` or `membership-ended`. */
  async validate(claims: unknown): Promise<Principal> {
    const result = sessionClaimsSchema.safeParse(claims);
    if (!result.success)
      throw new ProblemError('session-invalid', 'The access token lacks claims that it must have.');
    const { sub, team, email, sid } = result.data;
    // Whoever logged out, was removed, or was given another role, must not keep the old rights until the token expires.
    const memberships = await this.sessions.listMembershipsIn(sub, sid);
    const membership = memberships.find(({ teamId }) => teamId === team);
    if (memberships.some(({ isLive }) => !isLive))
      throw new ProblemError('session-ended', 'The session that the access token came from has ended.');
    if (!membership)
      throw new ProblemError('membership-ended', 'The access token is for a team that you are not in.');
    return {
      kind: 'user',
      id: sub,
      name: email,
      sessionId: sid,
      teamId: team,
      role: membership.role,
      scopes: scopesOfRole[membership.role],
    };
  }
}
