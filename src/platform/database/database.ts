import { type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { type DatabaseConfig } from '../config';
import { BriefQueryClient } from './brief-query-client';
import { appRole, connectionStringFor } from './connection';
import { DatabaseUnavailable, isConnectionLoss } from './database-error';
import { PrismaClient } from './generated/client';
import { refuseTooManyRights } from './role-check';
import { teamScope, type TeamScope } from './team-scope';
import { teamlessScope, type TeamlessScope } from './teamless-scope';

const connectTimeoutMs = 5_000;
const idleConnectionMs = 30_000;
/** How long a piece of work may wait for a free connection. */
const waitForConnectionMs = 10_000;
const defaultWorkTimeoutMs = 30_000;
const longestWorkTimeoutMs = 600_000;
const exclusiveWorkTimeoutMs = 60_000;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface DatabaseOptions {
  /** The role to work as; only tests of the role check give another. */
  role?: string;
}

/**
 * The door to Postgres. Tables are reached through `forTeam` alone; every connection works as role stallscope_app,
 * which row-level security binds. Connects when first asked; `onModuleInit` checks role and tables.
 */
export class Database implements OnModuleInit, OnApplicationShutdown {
  readonly #client: PrismaClient;

  constructor(config: DatabaseConfig, { role = appRole }: DatabaseOptions = {}) {
    const adapter = new PrismaPg(
      {
        connectionString: connectionStringFor(config.url, role),
        application_name: 'stallscope',
        max: config.poolSize,
        connectionTimeoutMillis: connectTimeoutMs,
        idleTimeoutMillis: idleConnectionMs,
        keepAlive: true,
        Client: BriefQueryClient,
      },
      // A connection lost while idle is replaced by the pool; whoever was using one gets the error itself.
      { onPoolError: () => undefined, onConnectionError: () => undefined },
    );
    this.#client = new PrismaClient({ adapter, errorFormat: 'minimal' });
  }

  /** Throws `DatabaseNotUsable` when Postgres cannot be reached, has no tables, or gives the product too many rights. */
  async onModuleInit(): Promise<void> {
    await refuseTooManyRights(this.#client);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  /** Closes every connection; work in progress is waited for. */
  async close(): Promise<void> {
    await this.#client.$disconnect();
  }

  /** Resolves when Postgres answers; throws `DatabaseUnavailable` otherwise. */
  async ping(): Promise<void> {
    await this.#guard(() => this.#client.$queryRaw`SELECT 1`);
  }

  /**
   * Runs the work for one team in one transaction: all of it is committed, or nothing when it throws. Keep round trips
   * few and do nothing slow inside (no S3, no queue): a connection is held. Do not nest: two connections could wait for
   * each other. `timeoutMs` bounds the whole, 30 s unless given, 10 min at most.
   * Throws what the work throws, `DatabaseUnavailable`, or TypeError when `teamId` is no UUID.
   */
  async forTeam<T>(
    teamId: string,
    work: (scope: TeamScope) => Promise<T>,
    { timeoutMs = defaultWorkTimeoutMs }: { timeoutMs?: number } = {},
  ): Promise<T> {
    if (!uuid.test(teamId)) throw new TypeError('A team id is a UUID.');
    const timeout = Math.min(timeoutMs, longestWorkTimeoutMs);
    return this.#guard(() =>
      this.#client.$transaction(
        async (transaction) => {
          await transaction.$executeRaw`
            SELECT set_config('app.team_id', ${teamId}, true), set_config('statement_timeout', ${String(timeout)}, true)`;
          return work(teamScope(transaction, teamId));
        },
        { maxWait: waitForConnectionMs, timeout },
      ),
    );
  }

  /** Runs work that needs no team: people, and the questions in `TeamlessScope`. Each query is its own transaction. */
  async withoutTeam<T>(work: (scope: TeamlessScope) => Promise<T>): Promise<T> {
    return this.#guard(() => work(teamlessScope(this.#client)));
  }

  /**
   * As `withoutTeam`, in one transaction: all of it is committed, or nothing when it throws. For what concerns all teams of
   * a person `enterTeam` binds the transaction to a team, until it enters the next one.
   */
  async forPeople<T>(
    work: (scope: TeamlessScope, enterTeam: (teamId: string) => Promise<TeamScope>) => Promise<T>,
  ): Promise<T> {
    return this.#guard(() =>
      this.#client.$transaction(
        (transaction) =>
          work(teamlessScope(transaction), async (teamId) => {
            await transaction.$executeRaw`SELECT set_config('app.team_id', ${teamId}, true)`;
            return teamScope(transaction, teamId);
          }),
        { maxWait: waitForConnectionMs, timeout: defaultWorkTimeoutMs },
      ),
    );
  }

  /**
   * Runs the work while no other process runs work of this name; gives undefined, at once, when one does. For chores that
   * every process would do: it holds one connection besides those of the work, so keep it to a minute (the bound).
   */
  async exclusively<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    return this.#guard(() =>
      this.#client.$transaction(
        async (transaction) => {
          const [{ locked }] = await transaction.$queryRaw<
            [{ locked: boolean }]
          >`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS locked`;
          return locked ? work() : undefined;
        },
        { maxWait: waitForConnectionMs, timeout: exclusiveWorkTimeoutMs },
      ),
    );
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw isConnectionLoss(error) ? new DatabaseUnavailable(error) : error;
    }
  }
}
