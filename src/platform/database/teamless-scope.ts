import { type Prisma } from './generated/client';

type Client = Prisma.TransactionClient;

export interface FoundApiToken {
  id: string;
  teamId: string;
  scopes: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export interface FoundMembership {
  teamId: string;
  slug: string;
  name: string;
  role: 'owner' | 'admin' | 'member' | 'viewer';
}

export interface StalledRun {
  id: string;
  teamId: string;
  generation: number;
  state: 'queued' | 'analyzing';
  stateChangedAt: Date;
}

export interface AbandonedRun {
  id: string;
  teamId: string;
  generation: number;
  attempts: number;
}

/** What may be known before the team is known: people, and five narrow questions answered by functions in SQL. */
export interface TeamlessScope {
  readonly user: Pick<Client['user'], 'create' | 'findUnique' | 'update'>;
  /** The token with this SHA-256, whatever its team. */
  findApiToken(tokenHash: Uint8Array): Promise<FoundApiToken | undefined>;
  /** The teams of a person, the oldest membership first. */
  findMemberships(userId: string): Promise<FoundMembership[]>;
  /** Runs that are queued or analyzing and unchanged since before the given time, the oldest first. */
  findStalledRuns(unchangedSince: Date, maxRows: number): Promise<StalledRun[]>;
  /** Runs that await their upload, unchanged since before the given time, the oldest first. */
  findAbandonedRuns(unchangedSince: Date, maxRows: number): Promise<AbandonedRun[]>;
  /** How many unfinished runs are in each state over all teams; states without runs are absent. */
  countRunsByState(): Promise<{ state: string; runs: number }[]>;
}

/** Gives out what needs no team. */
export function teamlessScope(client: Client): TeamlessScope {
  return {
    user: client.user,
    findApiToken: async (tokenHash) => {
      const rows = await client.$queryRaw<FoundApiToken[]>`
        SELECT id, team_id AS "teamId", scopes, expires_at AS "expiresAt", revoked_at AS "revokedAt"
        FROM find_api_token(${tokenHash})`;
      return rows[0];
    },
    findMemberships: (userId) => client.$queryRaw<FoundMembership[]>`
      SELECT team_id AS "teamId", slug, name, role FROM find_memberships(${userId}::uuid)`,
    findStalledRuns: (unchangedSince, maxRows) => client.$queryRaw<StalledRun[]>`
      SELECT id, team_id AS "teamId", generation, state, state_changed_at AS "stateChangedAt"
      FROM find_stalled_runs(${unchangedSince}, ${maxRows}::integer)`,
    findAbandonedRuns: (unchangedSince, maxRows) => client.$queryRaw<AbandonedRun[]>`
      SELECT id, team_id AS "teamId", generation, attempts
      FROM find_abandoned_runs(${unchangedSince}, ${maxRows}::integer)`,
    countRunsByState: () => client.$queryRaw<{ state: string; runs: number }[]>`
      SELECT state, runs::integer AS runs FROM count_runs_by_state()`,
  };
}
