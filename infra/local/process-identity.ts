import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** True while a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The command line of a process with blanks between its arguments; empty when it is gone or a zombie. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/**
 * A text that tells two processes with the same id apart (ids are reused): the start time, and on Linux also the
 * boot, because start times count from it. Empty when the process is gone.
 */
export function processIdentity(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  try {
    // The name in parentheses may hold blanks; start time is field 22 of proc(5), the 20th after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startTicks}`;
  } catch {
    return '';
  }
}

/** Resolves to true once the process is gone, or to false after `boundMs`. */
export async function waitUntilGone(pid: number, boundMs: number): Promise<boolean> {
  const deadline = Date.now() + boundMs;
  while (isAlive(pid)) {
    // A zombie (dead, not yet waited for by a stopped or killed parent) has no command line any more.
    if (commandLine(pid) === '') return true;
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

function ps(pid: number, column: string): string {
  return spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
}
