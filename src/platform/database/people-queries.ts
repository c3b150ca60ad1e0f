import { type Prisma } from './generated/client';

type Client = Prisma.TransactionClient;

export interface FoundMembership {
  teamId: string;
  slug: string;
  name: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
}

/** A team that a person may join. */
export interface OpenInvitation extends FoundMembership {
  id: string;
}

export interface TakenOidcLogin {
  nonce: string;
  codeVerifier: string;
  teamSlug: string | null;
  returnTo: string | null;
  expiresAt: Date;
}

export interface RefreshRotation {
  /** SHA-256 of the token that is used up. */
  usedHash: Uint8Array;
  /** SHA-256 of its one successor. */
  successorHash: Uint8Array;
  /** The team that the session is for from now on. */
  teamId: string;
  /** How long the successor may stay unused, and how old the session may become. */
  idleS: number;
  maxS: number;
}

/** Questions about people that one statement must answer. */
export interface PeopleQueries {
  /** The teams of a person, the oldest membership first. */
  findMemberships(userId: string): Promise<FoundMembership[]>;
  /** The same, with whether the session is one of the person's that goes on. */
  findMembershipsInSession(
    userId: string,
    sessionId: string,
  ): Promise<(FoundMembership & { isLive: boolean })[]>;
  /** What an address is invited to, the newest first. */
  findOpenInvitations(email: string): Promise<OpenInvitation[]>;
  /** Holds the account back from everybody else until the transaction ends; gives its password, undefined without account. */
  lockAccount(userId: string): Promise<{ passwordHash: string | null } | undefined>;
  /** Removes a way to a new password while it can be used and gives whose it is, to one asker only. */
  takePasswordReset(tokenHash: Uint8Array): Promise<string | undefined>;
  /** Removes a sign-in on its way through the OpenID provider and gives it, to one asker only. */
  takeOidcLogin(stateHash: Uint8Array): Promise<TakenOidcLogin | undefined>;
  /** Uses a refresh token up and stores its successor. False when it is used up or its session has ended. */
  rotateRefreshToken(rotation: RefreshRotation): Promise<boolean>;
}

/** The questions, asked of a client. */
export function peopleQueries(client: Client): PeopleQueries {
  return {
    findMemberships: (userId) => client.$queryRaw<FoundMembership[]>`
      SELECT team_id AS "teamId", slug, name, role FROM find_memberships(${userId}::uuid)`,
    findMembershipsInSession: (userId, sessionId) => client.$queryRaw<
      (FoundMembership & { isLive: boolean })[]
    >`
      SELECT m.team_id AS "teamId", m.slug, m.name, m.role, s.id IS NOT NULL AS "isLive"
      FROM find_memberships(${userId}::uuid) m
      LEFT JOIN sessions s ON s.id = ${sessionId}::uuid AND s.user_id = ${userId}::uuid
        AND s.ended_at IS NULL AND s.expires_at > now()`,
    findOpenInvitations: (email) => client.$queryRaw<OpenInvitation[]>`
      SELECT id, team_id AS "teamId", team_slug AS slug, team_name AS name, role FROM find_open_invitations(${email})`,
    lockAccount: async (userId) => {
      const rows = await client.$queryRaw<{ passwordHash: string | null }[]>`
        SELECT password_hash AS "passwordHash" FROM users WHERE id = ${userId}::uuid FOR UPDATE`;
      return rows[0];
    },
    takePasswordReset: async (tokenHash) => {
      const rows = await client.$queryRaw<{ userId: string }[]>`
        DELETE FROM password_resets WHERE token_hash = ${tokenHash} AND expires_at > now()
        RETURNING user_id AS "userId"`;
      return rows[0]?.userId;
    },
    takeOidcLogin: async (stateHash) => {
      const rows = await client.$queryRaw<TakenOidcLogin[]>`
        DELETE FROM oidc_logins WHERE state_hash = ${stateHash}
        RETURNING nonce, code_verifier AS "codeVerifier", team_slug AS "teamSlug", return_to AS "returnTo",
          expires_at AS "expiresAt"`;
      return rows[0];
    },
    // Of two uses at once the second waits for the row and finds it used; of a use and an end, the session says it ended.
    rotateRefreshToken: async ({ usedHash, successorHash, teamId, idleS, maxS }) => {
      const stored = await client.$executeRaw`
        WITH used AS (
          UPDATE refresh_tokens t SET used_at = now() FROM sessions s
          WHERE t.token_hash = ${usedHash} AND t.used_at IS NULL
            AND s.id = t.session_id AND s.ended_at IS NULL AND s.expires_at > now()
          RETURNING t.session_id
        ), renewed AS (
          UPDATE sessions s SET last_used_at = now(), team_id = ${teamId}::uuid, expires_at = least(
            now() + make_interval(secs => ${idleS}), s.created_at + make_interval(secs => ${maxS}))
          FROM used WHERE s.id = used.session_id AND s.ended_at IS NULL
          RETURNING s.id
        )
        INSERT INTO refresh_tokens (token_hash, session_id) SELECT ${successorHash}, id FROM renewed`;
      return stored === 1;
    },
  };
}
