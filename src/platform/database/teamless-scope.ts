import { type Prisma } from './generated/client';
import { onDemand } from './models-on-demand';
import { type FoundMembership, type PeopleQueries, peopleQueries } from './people-queries';

type Client = Prisma.TransactionClient;

export interface FoundApiToken {
  id: string;
  teamId: string;
  name: string;
  scopes: string[];
  /** Limits; an empty list is none. */
  models: string[];
  clusters: string[];
  serviceAccountId: string | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** When its service account was disabled. */
  disabledAt: Date | null;
}

export interface FoundInvitation {
  id: string;
  teamId: string;
  teamName: string;
  teamSlug: string;
  email: string;
  role: FoundMembership['role'];
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
}

export interface LostRun extends TeamRow {
  generation: number;
  state: 'queued' | 'analyzing';
}

export interface AbandonedRun {
  id: string;
  teamId: string;
  generation: number;
  attempts: number;
}

/** A row of some team, to be worked on in that team's scope. */
export interface TeamRow {
  id: string;
  teamId: string;
}

/** Up to where the events of a run are known. */
export interface RunEventPosition {
  teamId: string;
  runId: string;
  /** Number of the last event that is known; 0 before the first. */
  after: number;
}

export interface RunEvent {
  seq: number;
  runId: string;
  type: string;
  data: unknown;
  createdAt: Date;
}

export interface DeadLetter extends TeamRow {
  teamSlug: string;
  failureCode: string;
  failureReason: string;
  failedAt: Date;
  generation: number;
}

export interface Backlog {
  state: 'queued' | 'analyzing';
  runs: number;
  /** Since when the oldest of them waits for its result. */
  oldest: Date | null;
  teams: number;
}

const PEOPLE_TABLES = ['userIdentity', 'session', 'refreshToken', 'oidcLogin', 'passwordReset'] as const;
type PeopleTables = Pick<Client, (typeof PEOPLE_TABLES)[number]>;

/**
 * What may be known before the team is known: people and their sessions, which no team owns, and narrow questions answered
 * by functions in SQL.
 */
export interface TeamlessScope extends PeopleQueries, PeopleTables {
  readonly user: Pick<Client['user'], 'create' | 'findUnique' | 'update' | 'updateMany' | 'deleteMany'>;
  /** The token with this SHA-256, whatever its team. */
  findApiToken(tokenHash: Uint8Array): Promise<FoundApiToken | undefined>;
  /**
   * Runs that are queued or analyzing and silent since the given time, of each team no more than it may have analysed now;
   * the longest silent first.
   */
  findLostRuns(silentSince: Date, defaultConcurrency: number, maxRows: number): Promise<LostRun[]>;
  /** Runs that await their upload, unchanged since before the given time, the oldest first. */
  findAbandonedRuns(unchangedSince: Date, maxRows: number): Promise<AbandonedRun[]>;
  /** The invitation whose token has this SHA-256, whatever its team. */
  findInvitation(tokenHash: Uint8Array): Promise<FoundInvitation | undefined>;
  /** The id of this installation: other databases have other ones. */
  findInstallationId(): Promise<string>;
  /** For operators. */
  findTeamId(slug: string): Promise<string | undefined>;
  /** The run to analyse next, fair over teams; `silentSince`: a worker silent since then has lost its run. */
  pickRun(
    silentSince: Date,
    defaultConcurrency: number,
  ): Promise<(TeamRow & { generation: number }) | undefined>;
  /** What waits and is being analysed over all teams; states without runs are absent. */
  measureBacklog(): Promise<Backlog[]>;
  /** Failed runs with these failure codes, the latest first. */
  findDeadLetters(codes: readonly string[], maxRows: number): Promise<DeadLetter[]>;
  /** How many runs of all teams failed with these failure codes. */
  countFailures(codes: readonly string[]): Promise<number>;
  /** For operators. */
  findTeamOfRun(runId: string): Promise<string | undefined>;
  /** Artifacts registered before the given time whose run was completed without them, the oldest first. */
  findAbandonedArtifacts(registeredBefore: Date, maxRows: number): Promise<TeamRow[]>;
  /** Finished runs older than their team keeps them. */
  findExpiredRuns(defaultRetentionDays: number, maxRows: number): Promise<TeamRow[]>;
  /** Teams whose data is to be deleted. */
  findDeletedTeams(maxRows: number): Promise<string[]>;
  /** Objects to delete, the oldest first. */
  findObjectDeletions(maxRows: number): Promise<TeamRow[]>;
  /** Deletes events created before then; gives their number, at most `maxRows`. */
  deleteOldEvents(createdBefore: Date, maxRows: number): Promise<number>;
  /** Deletes answers kept for an Idempotency-Key before then; gives their number, at most `maxRows`. */
  deleteOldAnswers(createdBefore: Date, maxRows: number): Promise<number>;
  /** Events that the webhooks were not given yet, in order. */
  findUnsentEvents(maxRows: number): Promise<TeamRow[]>;
  /** Webhook deliveries that are due, at most so many of each endpoint and each team, fair over teams. */
  findDueDeliveries(
    dueBefore: Date,
    most: { perEndpoint: number; perTeam: number; rows: number },
  ): Promise<TeamRow[]>;
  /** Since when the oldest event waits for fan-out and the oldest delivery to be sent; null when none waits. */
  measureWebhookBacklog(): Promise<{ oldestEvent: Date | null; oldestDue: Date | null }>;
  /** Deletes deliveries that ended before the given time; gives their number. */
  deleteOldDeliveries(endedBefore: Date, maxRows: number): Promise<number>;
  /** What happened to each of these runs since, in order; at most `maxPerRun` events of each. */
  findRunEvents(positions: readonly RunEventPosition[], maxPerRun: number): Promise<RunEvent[]>;
  /** Finished runs whose metrics are not in their series yet: the oldest of every team, then the second of every team. */
  findUntrendedRuns(maxRows: number): Promise<(TeamRow & { at: Date })[]>;
  /** Regressions that were not explained yet, the oldest first. */
  findUnexplainedRegressions(maxRows: number): Promise<TeamRow[]>;
  /** Open regressions since whose beginning no run is left, the oldest first. */
  findUnfoundedRegressions(maxRows: number): Promise<TeamRow[]>;
  /** Makes the partition of points for the month of the time, where it is missing. */
  ensurePointPartition(monthOf: Date): Promise<void>;
  /** Days of series whose daily values are to be made anew, those that wait longest first. */
  findTouchedDays(maxRows: number): Promise<TeamRow[]>;
  /** Deletes daily values of days before then; gives their number. */
  deleteOldPointDays(before: Date, maxRows: number): Promise<number>;
  /** Drops partitions of points of past months without rows; gives their number. */
  dropEmptyPointPartitions(): Promise<number>;
}

const tablesOf = onDemand<Client, keyof PeopleTables | 'user'>([...PEOPLE_TABLES, 'user']);

/** Gives out what needs no team. */
export function teamlessScope(client: Client): TeamlessScope {
  return Object.assign(tablesOf(client), peopleQueries(client), questionsOverTeams(client));
}

function questionsOverTeams(
  client: Client,
): Omit<TeamlessScope, keyof PeopleTables | 'user' | keyof PeopleQueries> {
  return {
    findApiToken: async (tokenHash) => {
      const rows = await client.$queryRaw<FoundApiToken[]>`
        SELECT id, team_id AS "teamId", name, scopes, models, clusters, service_account_id AS "serviceAccountId",
          expires_at AS "expiresAt", revoked_at AS "revokedAt", disabled_at AS "disabledAt"
        FROM find_api_token(${tokenHash})`;
      return rows[0];
    },
    findLostRuns: (silentSince, defaultConcurrency, maxRows) => client.$queryRaw<LostRun[]>`
      SELECT id, team_id AS "teamId", generation, state
      FROM find_lost_runs(${silentSince}, ${defaultConcurrency}::integer, ${maxRows}::integer)`,
    findAbandonedRuns: (unchangedSince, maxRows) => client.$queryRaw<AbandonedRun[]>`
      SELECT id, team_id AS "teamId", generation, attempts
      FROM find_abandoned_runs(${unchangedSince}, ${maxRows}::integer)`,
    findInvitation: async (tokenHash) => {
      const rows = await client.$queryRaw<FoundInvitation[]>`
        SELECT id, team_id AS "teamId", team_name AS "teamName", team_slug AS "teamSlug", email, role,
          expires_at AS "expiresAt", accepted_at AS "acceptedAt", revoked_at AS "revokedAt"
        FROM find_invitation(${tokenHash})`;
      return rows[0];
    },
    findInstallationId: async () => {
      const [{ id }] = await client.$queryRaw<[{ id: string }]>`SELECT find_installation_id() AS id`;
      return id;
    },
    findTeamId: async (slug) => {
      const [{ id }] = await client.$queryRaw<[{ id: string | null }]>`SELECT find_team_id(${slug}) AS id`;
      return id ?? undefined;
    },
    pickRun: async (silentSince, defaultConcurrency) => {
      const rows = await client.$queryRaw<(TeamRow & { generation: number })[]>`
        SELECT id, team_id AS "teamId", generation FROM pick_run(${silentSince}, ${defaultConcurrency}::integer)`;
      return rows[0];
    },
    measureBacklog: () => client.$queryRaw<Backlog[]>`
      SELECT state, runs::integer AS runs, oldest, teams::integer AS teams FROM measure_backlog()`,
    findDeadLetters: (codes, maxRows) => client.$queryRaw<DeadLetter[]>`
      SELECT id, team_id AS "teamId", team_slug AS "teamSlug", failure_code AS "failureCode",
        failure_reason AS "failureReason", failed_at AS "failedAt", generation
      FROM find_dead_letters(${[...codes]}::text[], ${maxRows}::integer)`,
    countFailures: async (codes) => {
      const [{ failures }] = await client.$queryRaw<[{ failures: number }]>`
        SELECT count_failures(${[...codes]}::text[])::integer AS failures`;
      return failures;
    },
    findTeamOfRun: async (runId) => {
      const [{ id }] = await client.$queryRaw<[{ id: string | null }]>`
        SELECT find_team_of_run(${runId}::uuid) AS id`;
      return id ?? undefined;
    },
    findAbandonedArtifacts: (registeredBefore, maxRows) => client.$queryRaw<TeamRow[]>`
      SELECT id, team_id AS "teamId" FROM find_abandoned_artifacts(${registeredBefore}, ${maxRows}::integer)`,
    findExpiredRuns: (defaultRetentionDays, maxRows) => client.$queryRaw<TeamRow[]>`
      SELECT id, team_id AS "teamId" FROM find_expired_runs(${defaultRetentionDays}::integer, ${maxRows}::integer)`,
    findDeletedTeams: async (maxRows) => {
      const rows = await client.$queryRaw<
        { id: string }[]
      >`SELECT id FROM find_deleted_teams(${maxRows}::integer)`;
      return rows.map(({ id }) => id);
    },
    findObjectDeletions: (maxRows) => client.$queryRaw<TeamRow[]>`
      SELECT id, team_id AS "teamId" FROM find_object_deletions(${maxRows}::integer)`,
    deleteOldEvents: async (createdBefore, maxRows) => {
      const [{ rows }] = await client.$queryRaw<[{ rows: number }]>`
        SELECT delete_old_events(${createdBefore}, ${maxRows}::integer)::integer AS rows`;
      return rows;
    },
    deleteOldAnswers: async (createdBefore, maxRows) => {
      const [{ rows }] = await client.$queryRaw<[{ rows: number }]>`
        SELECT delete_old_answers(${createdBefore}, ${maxRows}::integer)::integer AS rows`;
      return rows;
    },
    findUnsentEvents: (maxRows) => client.$queryRaw<TeamRow[]>`
      SELECT id, team_id AS "teamId" FROM find_unsent_events(${maxRows}::integer)`,
    findDueDeliveries: (dueBefore, { perEndpoint, perTeam, rows }) => client.$queryRaw<TeamRow[]>`
      SELECT id, team_id AS "teamId"
      FROM find_due_deliveries(${dueBefore}, ${perEndpoint}::integer, ${perTeam}::integer, ${rows}::integer)`,
    measureWebhookBacklog: async () => {
      const [backlog] = await client.$queryRaw<[{ oldestEvent: Date | null; oldestDue: Date | null }]>`
        SELECT oldest_event AS "oldestEvent", oldest_due AS "oldestDue" FROM measure_webhook_backlog()`;
      return backlog;
    },
    deleteOldDeliveries: async (endedBefore, maxRows) => {
      const [{ deleted }] = await client.$queryRaw<[{ deleted: number }]>`
        SELECT delete_old_deliveries(${endedBefore}, ${maxRows}::integer)::integer AS deleted`;
      return deleted;
    },
    findRunEvents: (positions, maxPerRun) => client.$queryRaw<RunEvent[]>`
      SELECT seq::double precision AS seq, run_id AS "runId", type, data, created_at AS "createdAt"
      FROM find_run_events(${positions.map(({ teamId }) => teamId)}::uuid[],
        ${positions.map(({ runId }) => runId)}::uuid[], ${positions.map(({ after }) => after)}::bigint[],
        ${maxPerRun}::integer)`,
    findUntrendedRuns: (maxRows) => client.$queryRaw<(TeamRow & { at: Date })[]>`
      SELECT id, team_id AS "teamId", at FROM find_untrended_runs(${maxRows}::integer)`,
    findUnexplainedRegressions: (maxRows) => client.$queryRaw<TeamRow[]>`
      SELECT id, team_id AS "teamId" FROM find_unexplained_regressions(${maxRows}::integer)`,
    findUnfoundedRegressions: (maxRows) => client.$queryRaw<TeamRow[]>`
      SELECT id, team_id AS "teamId" FROM find_unfounded_regressions(${maxRows}::integer)`,
    ensurePointPartition: async (monthOf) => {
      await client.$queryRaw`SELECT ensure_point_partition(${monthOf})`;
    },
    findTouchedDays: (maxRows) => client.$queryRaw<TeamRow[]>`
      SELECT id, team_id AS "teamId" FROM find_touched_days(${maxRows}::integer)`,
    deleteOldPointDays: async (before, maxRows) => {
      const [{ deleted }] = await client.$queryRaw<[{ deleted: number }]>`
        SELECT delete_old_point_days(${before}::date, ${maxRows}::integer) AS deleted`;
      return deleted;
    },
    dropEmptyPointPartitions: async () => {
      const [{ dropped }] = await client.$queryRaw<[{ dropped: number }]>`
        SELECT drop_empty_point_partitions() AS dropped`;
      return dropped;
    },
  };
}
