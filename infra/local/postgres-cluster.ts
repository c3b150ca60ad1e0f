import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Account } from './account';
import { LocalStackError } from './local-stack-error';
import { type PostgresBinaries } from './postgres-binaries';
import { type PostgresPlace } from './postgres-place';

/** Name of the bootstrap superuser. The product never uses it: superusers bypass row-level security. */
export const SUPERUSER = 'postgres';

/** Nothing of our environment reaches Postgres: PG* and LC_* variables would change what it does. */
export const POSTGRES_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Creates the cluster unless it exists. It is made under another name and renamed, so that a kill half-way leaves
 * no half cluster. Sorting is by code point (builtin C.UTF-8): the same on every system.
 */
export async function ensureCluster(
  { folder, clusterDir, account }: PostgresPlace,
  binaries: PostgresBinaries,
  superuserPassword: string,
  durable: boolean,
): Promise<void> {
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return;
  const draft = `${clusterDir}.new`;
  const passwordFile = join(folder, 'initdb-password');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, superuserPassword, { mode: 0o600 });
  for (const path of [draft, passwordFile]) giveTo(account, path);
  const args = [
    ['-D', draft, '-U', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-instructions'],
    ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    durable ? [] : ['--no-sync'],
  ].flat();
  try {
    await promisify(execFile)(binaries.initdb, args, { ...account, cwd: folder, env: POSTGRES_ENV });
    renameSync(draft, clusterDir);
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr ?? '';
    throw new LocalStackError(
      'postgres_initdb_failed',
      `The database cluster in ${folder} could not be created: ${said.trim()}.`,
      'Check the free space and the rights of that folder.',
      { cause },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function giveTo(account: Account | undefined, path: string): void {
  if (account) chownSync(path, account.uid, account.gid);
  else chmodSync(path, path.endsWith('.new') ? 0o700 : 0o600);
}
