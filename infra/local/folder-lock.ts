import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, LocalStackError } from './local-stack-error';
import { processIdentity } from './process-identity';

export interface FolderLock {
  release(): void;
}

/**
 * Takes `<folder>/<name>.lock` for this process. A lock left by a process that died is taken over.
 * Throws LocalStackError `folder_in_use` when a living process holds it.
 */
export function lockFolder(folder: string, name: string): FolderLock {
  const file = join(folder, `${name}.lock`);
  const mine = `${process.pid} ${processIdentity(process.pid)}\n`;
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      writeFileSync(file, mine, { flag: 'wx' });
      return {
        release: () => {
          if (read(file) === mine) rmSync(file, { force: true });
        },
      };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    // Read once: what is judged stale is exactly what may be removed.
    const found = read(file);
    refuseLivingHolder(folder, name, found);
    removeStale(file, found);
  }
  throw new LocalStackError(
    'folder_in_use',
    `Several processes compete for ${file}.`,
    'Start one of them only.',
  );
}

function refuseLivingHolder(folder: string, name: string, content: string): void {
  const [pid = '', ...identity] = content.trim().split(' ');
  // An empty lock is either being written at this moment, or its writer was killed in between.
  const holds =
    pid === '' ? isYoung(join(folder, `${name}.lock`)) : isRunning(Number(pid), identity.join(' '));
  if (!holds) return;
  throw new LocalStackError(
    'folder_in_use',
    `${folder} is already in use: process ${pid || 'unknown'} holds ${name}.lock.`,
    'Stop that process, or choose another data folder.',
  );
}

function isRunning(pid: number, identity: string): boolean {
  return identity !== '' && processIdentity(pid) === identity;
}

function isYoung(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < 2_000;
}

/** Moves the file aside before deleting it, so that a lock which somebody else has just taken is given back. */
function removeStale(file: string, stale: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (read(aside) === stale) rmSync(aside, { force: true });
  else renameSync(aside, file);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
