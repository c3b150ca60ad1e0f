import { Client, type DatabaseError } from 'pg';
import { MigrationError } from './migration-error';
import { matchesChecksum, type Migration, readMigrations } from './migration-folder';
import { type JournalRow, readJournal, recordFailure, recordStart, recordSuccess } from './migration-journal';

/** The advisory lock that `prisma migrate` takes: the two never run at once. */
const PRISMA_ADVISORY_LOCK = 72707369;

export interface MigrationOptions {
  /** Connection string of the database's owner. */
  connectionString: string;
  /** Folder with one `<timestamp>_<name>/migration.sql` for each migration. */
  folder: string;
  /** How long to wait for another runner, in milliseconds. Default: two minutes. */
  lockTimeoutMs?: number;
}

export interface MigrationResult {
  /** Names applied by this call, in order. */
  applied: string[];
  /** Names that were in the database already. */
  alreadyApplied: string[];
  /** Names the database has and the folder lacks: the database was migrated by a newer release. */
  unknown: string[];
}

/**
 * Brings a database up to date with `prisma/migrations`, keeping `_prisma_migrations` as Prisma does. Each file
 * runs as one batch of statements, which Postgres rolls back as a whole when one fails. Several runners may be
 * started at once: one works, the others wait and find nothing to do.
 *
 * Throws MigrationError: `migration_failed` (rolled back, so that it can be run again; of a file that commits by itself the
 * row is kept, and later runs stop with `migration_unfinished`),
 * `migration_changed` (an applied file was edited), `migration_lock_timeout`, `migrations_unreadable`,
 * `migration_file_missing`; connection errors as `pg` gives them.
 */
export async function applyMigrations(options: MigrationOptions): Promise<MigrationResult> {
  const migrations = await readMigrations(options.folder);
  // Lock and journal have their own session: nothing a script sets (role, search_path) can reach them.
  const journal = await connect(options.connectionString);
  try {
    await takeLock(journal, options.lockTimeoutMs ?? 120_000);
    const rows = await readJournal(journal);
    refuseUnfinished(rows);
    refuseChanged(migrations, rows);
    const known = new Set(rows.map((row) => row.name));
    const pending = migrations.filter((migration) => !known.has(migration.name));
    for (const migration of pending) await apply(journal, options.connectionString, migration);
    const names = new Set(migrations.map((migration) => migration.name));
    return {
      applied: pending.map((migration) => migration.name),
      alreadyApplied: [...known].filter((name) => names.has(name)),
      unknown: [...known].filter((name) => !names.has(name)),
    };
  } finally {
    // Ending the session releases the advisory lock.
    await journal.end().catch(() => undefined);
  }
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, application_name: 'stallscope-migrations' });
  // A lost connection also rejects the query in flight, which is what we report.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function takeLock(client: Client, lockTimeoutMs: number): Promise<void> {
  await client.query(`SET lock_timeout = ${Math.ceil(lockTimeoutMs)}`);
  try {
    await client.query(`SELECT pg_advisory_lock(${PRISMA_ADVISORY_LOCK})`);
  } catch (cause) {
    if ((cause as DatabaseError).code !== '55P03') throw cause;
    throw new MigrationError(
      'migration_lock_timeout',
      `Another process has held the migration lock for more than ${lockTimeoutMs} ms.`,
      'Wait for it to finish, or look for it in pg_stat_activity (application_name stallscope-migrations).',
      { cause },
    );
  }
  await client.query('SET lock_timeout = 0');
}

function refuseUnfinished(rows: readonly JournalRow[]): void {
  const failed = rows.find((row) => !row.finished);
  if (!failed) return;
  throw new MigrationError(
    'migration_unfinished',
    `Migration ${failed.name} was started and never finished${failed.logs ? `: ${failed.logs}` : '.'}`,
    'Nothing more is applied. Repair the database, then set rolled_back_at (to run it again) or finished_at ' +
      '(when it is fully applied) on its row of _prisma_migrations, as `prisma migrate resolve` does.',
  );
}

function refuseChanged(migrations: readonly Migration[], rows: readonly JournalRow[]): void {
  for (const row of rows) {
    const migration = migrations.find(({ name }) => name === row.name);
    if (!migration || matchesChecksum(migration, row.checksum)) continue;
    throw new MigrationError(
      'migration_changed',
      `Migration ${row.name} was edited after it was applied (database ${row.checksum}, file ${migration.checksum}).`,
      'Restore the file, and put the change into a new migration.',
    );
  }
}

async function apply(journal: Client, connectionString: string, migration: Migration): Promise<void> {
  const id = await recordStart(journal, migration);
  const client = await connect(connectionString);
  try {
    await client.query(migration.sql);
  } catch (cause) {
    const logs = describeFailure(cause as DatabaseError, migration.sql);
    const commits = commitsByItself(migration.sql);
    await recordFailure(journal, id, logs, { rolledBack: !commits });
    throw new MigrationError(
      'migration_failed',
      `Migration ${migration.name} failed: ${logs}`,
      commits
        ? 'The file commits by itself: look at what it left, repair that, then see _prisma_migrations.'
        : 'All of it was rolled back and later migrations were not applied: mend the cause, and run this again.',
      { cause },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
  await recordSuccess(journal, id);
}

/** Postgres rolls a batch of statements back as a whole, unless one of them ends the transaction. */
function commitsByItself(sql: string): boolean {
  return /^\s*(COMMIT|END|ROLLBACK)\b[^;]*;/im.test(sql.replace(/\$\$[\s\S]*?\$\$/g, ''));
}

function describeFailure(error: DatabaseError, sql: string): string {
  const position = Number(error.position);
  const line = position > 0 ? ` (line ${sql.slice(0, position).split('\n').length})` : '';
  return [`${error.code ?? 'no SQLSTATE'}: ${error.message}${line}`, error.detail, error.hint]
    .filter(Boolean)
    .join('\n');
}
