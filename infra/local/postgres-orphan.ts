import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, LocalStackError } from './local-stack-error';
import { commandLine, isAlive, waitUntilGone } from './process-identity';

/** A fast shutdown writes a checkpoint; after this an immediate one, which recovers from the log at the next start. */
const FAST_SHUTDOWN_MS = 20_000;

/**
 * Stops a server that an earlier supervisor left running on this cluster, found through postmaster.pid. Call it
 * only with the folder's lock held: then no living supervisor owns that server.
 */
export async function stopOrphanedPostgres(clusterDir: string, log: Log): Promise<void> {
  const file = join(clusterDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const content = readFileSync(file, 'utf8');
  const pid = Number(content.split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return;
  if (!isPostgresOf(clusterDir, pid)) {
    forgetReusedPid(file, content);
    return;
  }
  log(`Stopping the Postgres (process ${pid}) that an earlier run left on ${clusterDir}.`);
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    kill(pid, signal);
    if (await waitUntilGone(pid, FAST_SHUTDOWN_MS)) return;
  }
  throw new LocalStackError(
    'postgres_orphan',
    `Process ${pid} still uses ${clusterDir} and does not stop.`,
    'Stop it by hand, then start again.',
  );
}

/** True when the process is a Postgres that was started on this very folder. */
export function isPostgresOf(clusterDir: string, pid: number): boolean {
  return ` ${commandLine(pid)} `.includes(`/postgres -D ${clusterDir} `);
}

/**
 * The id now belongs to another program, which Postgres cannot know: it would refuse to start. Deleting the file
 * would also delete its guard against surviving children (shared memory, line 7), so only the id is replaced.
 */
function forgetReusedPid(file: string, content: string): void {
  const gone = spawnSync('/bin/sh', ['-c', ':']).pid;
  writeFileSync(file, content.replace(/^\d+/, String(gone)));
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in between, or belongs to somebody else: the wait that follows tells.
  }
}
