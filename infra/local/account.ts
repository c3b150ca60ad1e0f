import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { LocalStackError } from './local-stack-error';

/** Ids that a child process runs under. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * The account that Postgres must run under, because it refuses to run as root: undefined (our own) unless we are
 * root; then the owner of the existing cluster folder, else `postgres`, else `nobody`.
 */
export function postgresAccount(clusterDir: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = statSync(clusterDir, { throwIfNoEntry: false });
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const account = lookUp('postgres') ?? lookUp('nobody');
  if (account) return account;
  throw new LocalStackError(
    'no_account_for_postgres',
    'Postgres refuses to run as root, and this system has neither a "postgres" nor a "nobody" account.',
    'Start the local stack as an ordinary user, or set DATABASE_URL.',
  );
}

/** True when the account may enter the folder, which needs the right to pass every parent. */
export function canEnter(folder: string, account: Account | undefined): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/' }).status === 0;
}

function lookUp(name: string): Account | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const answer = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return answer.status === 0 ? Number(answer.stdout.trim()) : NaN;
  });
  return uid !== undefined && gid !== undefined && uid > 0 && gid > 0 ? { uid, gid } : undefined;
}
