import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '../../infra/local/folder-lock';
import { packageRoot } from '../../src/entry/package-root';
import { type LocalStack, startLocalStack } from '../../infra/local/stack';
import { applyMigrations } from '../../src/platform/database/migrations';
import { databaseUrl, withAdmin } from './admin-connection';
import { publishTestStack, type TestStack } from './test-stack';

const FOLDER_PREFIX = 'stallscope-test-';
/** A folder younger than this may belong to a run that is just starting. */
const LEFTOVER_AGE_MS = 10 * 60_000;

/** The handles that the teardown needs; global setup and teardown share nothing but the global object. */
export interface StartedStack {
  stack: LocalStack;
  published: TestStack;
  /** The environment as it was before, which says what servers are not ours. */
  given: NodeJS.ProcessEnv;
}

/**
 * Starts what the environment does not name (DATABASE_URL, REDIS_URL, S3_*) in a temporary folder, and migrates
 * the template database. A run that was killed left its folder, but no process: the folder is removed here.
 */
export default async function globalSetup(): Promise<void> {
  removeLeftovers();
  const dataDir = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  // As root, Postgres runs under another account, which must be able to pass this folder.
  chmodSync(dataDir, 0o711);
  const log = (line: string) => process.stderr.write(`[local stack] ${line}\n`);
  const given = { ...process.env };
  const stack = await startLocalStack({ dataDir, env: given, log, durable: false });
  try {
    const runId = `t${randomBytes(4).toString('hex')}`;
    const templateDatabase = `${runId}template`;
    const published: TestStack = { env: stack.env, runId, templateDatabase, dataDir };
    await withAdmin(published, (client) => client.query(`CREATE DATABASE ${templateDatabase}`));
    await applyMigrations({
      connectionString: databaseUrl(published, templateDatabase),
      folder: join(packageRoot(), 'prisma', 'migrations'),
    });
    publishTestStack(published);
    (globalThis as { startedStack?: StartedStack }).startedStack = { stack, published, given };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER_PREFIX))) {
    const folder = join(tmpdir(), name);
    try {
      if (Date.now() - statSync(folder).mtimeMs < LEFTOVER_AGE_MS) continue;
      lockFolder(folder, 'stack');
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // In use by another run, gone meanwhile, or somebody else's.
    }
  }
}
