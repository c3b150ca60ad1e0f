import { join } from 'node:path';
import { applyMigrations, type MigrationResult } from '../../src/platform/database/migrations';
import { errorMessage, type Log } from './local-stack-error';
import { packageRoot } from '../../src/entry/package-root';

/** Applies this package's prisma/migrations to a database, as its owner, and says what it did. */
export async function migrate(connectionString: string, log: Log): Promise<MigrationResult> {
  const result = await applyMigrations({
    connectionString,
    folder: join(packageRoot(), 'prisma', 'migrations'),
  });
  for (const name of result.applied) log(`Applied migration ${name}.`);
  if (result.applied.length === 0)
    log(`Nothing to migrate; ${result.alreadyApplied.length} migrations are applied.`);
  for (const name of result.unknown)
    log(`The database has migration ${name}, which this release does not know.`);
  return result;
}

async function main(): Promise<void> {
  const connectionString = process.env.DATABASE_URL;
  if (!connectionString) throw new Error('Set DATABASE_URL to the connection string of the database owner.');
  await migrate(connectionString, console.log);
}

/** DATABASE_URL=… node dist/infra/local/migrate.js */
if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(errorMessage(error));
    process.exitCode = 1;
  });
}
