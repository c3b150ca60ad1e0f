import { randomUUID } from 'node:crypto';
import { type Client } from 'pg';
import { type Migration } from './migration-folder';

/** The table as `prisma migrate` creates it, so that either tool can go on where the other one stopped. */
const CREATE_TABLE = `
CREATE TABLE _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`;

/** A row of `_prisma_migrations` that was not rolled back. */
export interface JournalRow {
  name: string;
  checksum: string;
  finished: boolean;
  logs: string | null;
}

/** Rows of the journal in the order they were started; creates the table when it is missing. */
export async function readJournal(client: Client): Promise<JournalRow[]> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  if (!rows[0]?.found) await client.query(CREATE_TABLE);
  const journal = await client.query<JournalRow>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`,
  );
  return journal.rows;
}

/** Notes that a migration begins; returns the id of its row. */
export async function recordStart(client: Client, migration: Migration): Promise<string> {
  const id = randomUUID();
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())`,
    [id, migration.checksum, migration.name],
  );
  return id;
}

/** Notes that the migration was applied. */
export async function recordSuccess(client: Client, id: string): Promise<void> {
  await client.query(
    `UPDATE _prisma_migrations
        SET finished_at = clock_timestamp(), applied_steps_count = applied_steps_count + 1 WHERE id = $1`,
    [id],
  );
}

/** Notes why it failed; without `finished_at` the row blocks every later run until somebody resolves it. */
export async function recordFailure(
  client: Client,
  id: string,
  logs: string,
  { rolledBack }: { rolledBack: boolean },
): Promise<void> {
  await client.query(
    `UPDATE _prisma_migrations SET logs = $2, rolled_back_at = CASE WHEN $3 THEN clock_timestamp() END WHERE id = $1`,
    [id, logs, rolledBack],
  );
}
