import { join } from 'node:path';
import { loadDatabaseConfig } from '../platform/config';
import { applyMigrations } from '../platform/database/migrations';
import { packageRoot } from './package-root';

/** Brings the database up to date. DATABASE_URL must own the tables. Prints what was done, as JSON. */
export async function migrate(): Promise<void> {
  const { url } = loadDatabaseConfig();
  const result = await applyMigrations({
    connectionString: url,
    folder: join(packageRoot(), 'prisma', 'migrations'),
  });
  console.log(JSON.stringify(result));
}
