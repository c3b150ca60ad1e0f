import { Injectable, Logger } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { type Actor } from '../../../platform/audit';
import { type ApiConfig, InjectConfig } from '../../../platform/config';
import { type FoundMembership } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { type Principal } from '../principal';
import { TeamsRepository } from '../teams.repository';
import { tokenHash } from '../tokens/api-token';
import { chooseTeam } from './choose-team';
import { refreshTokenKind } from './refresh-token';
import { sessionAlgorithm, sessionAudience, sessionClaimsSchema, sessionIssuer } from './session-claims';
import { SessionsRepository, type SignInMethod } from './sessions.repository';

/** Whom a session is for. */
export interface Person {
  id: string;
  email: string;
}

/** Where a request to sign in came from. */
export interface Client {
  /** Nobody known yet; where the request came from. */
  actor: Actor;
  userAgent: string | undefined;
}

/** What somebody who signed in is given. */
export interface IssuedSession {
  accessToken: string;
  expiresInS: number;
  refreshToken: string;
  team: { id: string; slug: string; name: string };
}

const longestUserAgent = 300;
/** A page that is left or loaded again while it renews its session never sees the next cookie, and sends the last one again. */
const cookieLeewayMs = 10_000;

/** Starts sessions of people, renews them with refresh tokens, and ends them. */
@Injectable()
export class SessionsService {
  private readonly log = new Logger(SessionsService.name);

  constructor(
    @InjectConfig() private readonly config: ApiConfig,
    private readonly repository: SessionsRepository,
    private readonly teams: TeamsRepository,
    private readonly jwt: JwtService,
  ) {}

  /**
   * A new session of somebody whose identity was proven. Undefined when `passwordHash`, by which it was, is theirs no more.
   */
  async start(
    person: Person,
    membership: FoundMembership,
    { method, client, passwordHash }: { method: SignInMethod; client: Client; passwordHash?: string },
  ): Promise<IssuedSession | undefined> {
    const refreshToken = refreshTokenKind.create();
    const { refreshTtlS, sessionMaxS } = this.config.auth;
    const session = {
      userId: person.id,
      teamId: membership.teamId,
      method,
      userAgent: storableUserAgent(client.userAgent),
      address: client.actor.address,
      expiresAt: new Date(Date.now() + Math.min(refreshTtlS, sessionMaxS) * 1000),
      tokenHash: tokenHash(refreshToken),
    };
    const id = await this.repository.start(session, personAt(client.actor, person), passwordHash);
    return id === undefined ? undefined : this.issue(person, membership, id, refreshToken);
  }

  /**
   * Uses a refresh token up for a new access token and the successor, in another team of the person where `team` names it.
   * One from a cookie may come again for a moment: then the successor that nobody used is used up in its place.
   * Throws `refresh-token-unknown`, `refresh-token-reused` (which ends the session), `refresh-token-in-use`,
   * `session-ended`, `membership-ended` or `not-a-member`.
   */
  async refresh(
    refreshToken: string,
    team: string | undefined,
    actor: Actor,
    { isCookie = false }: { isCookie?: boolean } = {},
  ): Promise<IssuedSession> {
    const found = await this.findToken(refreshToken);
    if (!found) throw new ProblemError('refresh-token-unknown', 'No session has this refresh token.');
    const { session, usedAt } = found;
    if (session.endedAt || session.expiresAt <= new Date()) {
      throw new ProblemError('session-ended', 'The session of this refresh token has ended.');
    }
    const usedHash = usedAt
      ? await this.findLostSuccessor(session.id, usedAt, isCookie)
      : tokenHash(refreshToken);
    if (!usedHash) return this.refuseReuse(session, actor);
    const membership = await this.membershipOf(session, team);
    const successor = refreshTokenKind.create();
    const rotation = {
      usedHash,
      successorHash: tokenHash(successor),
      teamId: membership.teamId,
      idleS: this.config.auth.refreshTtlS,
      maxS: this.config.auth.sessionMaxS,
    };
    const rotated =
      membership.teamId === session.teamId
        ? await this.repository.rotate(rotation)
        : await this.repository.rotateInto(session, rotation, personAt(actor, session.user));
    // Unused a moment ago: the two requests were under way at once. Only whoever comes after an answer is a thief.
    if (!rotated)
      throw new ProblemError('refresh-token-in-use', 'It was used while this request was served.');
    return this.issue(session.user, membership, session.id, successor);
  }

  /** Ends the session of a refresh token, used up or not. Unknown tokens and ended sessions change nothing. */
  async endByRefreshToken(refreshToken: string, actor: Actor): Promise<void> {
    const found = await this.findToken(refreshToken);
    if (found) await this.repository.end(found.session, 'logout', personAt(actor, found.session.user));
  }

  /** Ends the session of an access token. Throws `session-invalid` when it is none of ours, or past its time. */
  async endByAccessToken(accessToken: string, actor: Actor): Promise<void> {
    const verified: unknown = await this.jwt
      .verifyAsync<object>(accessToken, {
        algorithms: [sessionAlgorithm],
        issuer: sessionIssuer,
        audience: sessionAudience,
      })
      .catch(() => undefined);
    const claims = sessionClaimsSchema.safeParse(verified).data;
    if (!claims) throw new ProblemError('session-invalid', 'The access token is not one that is good here.');
    const { sub: id, email, sid } = claims;
    await this.endOwn(id, sid, 'logout', personAt(actor, { id, email }));
  }

  /** The sessions of a person that go on: one page, the newest first, and where the next one starts. */
  async list({ id, sessionId }: Principal, limit: number, cursor?: string) {
    const found = await this.repository.list(id, limit + 1, cursor);
    const items = found.slice(0, limit).map((session) => ({
      ...session,
      method: session.method as SignInMethod,
      createdAt: session.createdAt.toISOString(),
      lastUsedAt: session.lastUsedAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      current: session.id === sessionId,
    }));
    return { items, nextCursor: found.length > limit ? found[limit - 1].id : null };
  }

  /** Throws `session-not-found`, also for a session of somebody else. One that has ended stays as it is. */
  async endOwn(
    userId: string,
    id: string,
    reason: 'logout' | 'ended-by-person',
    actor: Actor,
  ): Promise<void> {
    const session = await this.repository.find(userId, id);
    if (!session) throw new ProblemError('session-not-found', `You have no session with the id ${id}.`);
    await this.repository.end(session, reason, actor);
  }

  private async findToken(refreshToken: string) {
    return refreshTokenKind.isForm(refreshToken) ? this.repository.findToken(tokenHash(refreshToken)) : null;
  }

  private async membershipOf(
    { userId, teamId }: { userId: string; teamId: string },
    team: string | undefined,
  ): Promise<FoundMembership> {
    const memberships = await this.teams.listMemberships(userId);
    if (team !== undefined) return chooseTeam(memberships, team);
    const membership = memberships.find((one) => one.teamId === teamId);
    if (membership) return membership;
    throw new ProblemError('membership-ended', 'The session is for a team that you are not in any more.');
  }

  /** The hash of the session's token that is not used yet, where the one before it came in a cookie a moment ago. */
  private async findLostSuccessor(sessionId: string, usedAt: Date, isCookie: boolean) {
    if (!isCookie || Date.now() - usedAt.getTime() > cookieLeewayMs) return undefined;
    return this.repository.findUnusedToken(sessionId);
  }

  private async refuseReuse(
    session: { id: string; teamId: string; user: Person },
    actor: Actor,
  ): Promise<never> {
    const by = personAt(actor, session.user);
    // Nobody knows which of the two is the thief, so neither goes on.
    await this.repository.end(session, 'refresh-token-reused', by, 'session.reuse-detected');
    this.log.warn(
      { sessionId: session.id, userId: session.user.id, address: actor.address, requestId: actor.requestId },
      'a refresh token was used a second time; its session was ended',
    );
    throw new ProblemError('refresh-token-reused', 'It was used before, so its session was ended just now.');
  }

  private async issue(
    person: Person,
    membership: FoundMembership,
    sessionId: string,
    refreshToken: string,
  ): Promise<IssuedSession> {
    const { teamId, slug, name, role } = membership;
    const claims = { sub: person.id, team: teamId, role, email: person.email, sid: sessionId };
    return {
      accessToken: await this.jwt.signAsync(claims),
      expiresInS: this.config.auth.jwtTtlS,
      refreshToken,
      team: { id: teamId, slug, name },
    };
  }
}

/** Who acts, once it is known who it is. */
function personAt(actor: Actor, { id, email }: Person): Actor {
  return { ...actor, kind: 'user', id, name: email };
}

/** Header values may hold any byte. */
function storableUserAgent(userAgent: string | undefined): string | null {
  return userAgent?.replace(/[^ -~]/g, '?').slice(0, longestUserAgent) ?? null;
}
