import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { type Account } from './account';

/** A log file larger than this is moved to `<file>.1` at the next start. */
const LOG_ROTATE_BYTES = 16 * 1024 * 1024;

/** Waits for the end of its standard input, which comes when our process ends in whatever way, then ends the server. */
const GUARD_SCRIPT = `
while read -r _; do :; done
kill -s "$2" "$1" 2>/dev/null
i=0
while [ "$i" -lt "$4" ] && kill -0 "$1" 2>/dev/null; do sleep 1; i=$((i+1)); done
kill -s "$3" "$1" 2>/dev/null`;

export interface ServerProcessOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Standard output and error are appended here; a file, not a pipe, so that our death does not break the server. */
  logFile: string;
  account?: Account | undefined;
  /** Signal for a clean stop, and the one sent when that was not enough in time. */
  stopSignal: NodeJS.Signals;
  killSignal: NodeJS.Signals;
  /** Time between the two. */
  stopBoundMs: number;
  /** Opens an IPC channel, for Node.js children. */
  ipc?: boolean;
}

export interface ServerProcess {
  readonly child: ChildProcess;
  /** Settles when the process has ended, with words for it ("exit code 1", "signal SIGKILL"). Never rejects. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  /** What this start has written to the log file so far. */
  output(): string;
  /** Sends the stop signal, after the bound the kill signal, and waits for the end. */
  stop(): Promise<void>;
}

/**
 * Starts a server that ends when our process ends, even by kill -9: a guard process holds the reading end of a
 * pipe. It runs in a session of its own, so that Ctrl-C reaches us only and we stop things in order.
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  rotate(options.logFile);
  const log = openSync(options.logFile, 'a', 0o600);
  const logStart = statSync(options.logFile).size;
  const child = spawn(options.command, options.args, {
    ...options.account,
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: options.ipc ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
  });
  closeSync(log);
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`)),
  );
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', resolve);
  });
  const guard = startGuard(child.pid as number, options);
  void ended.then(() => guard.kill('SIGKILL'));
  child.unref();
  child.channel?.unref();
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    child,
    ended,
    hasEnded,
    output: () => readFileSync(options.logFile).subarray(logStart).toString('utf8'),
    stop: async () => {
      if (hasEnded()) return;
      child.kill(options.stopSignal);
      const timer = setTimeout(() => child.kill(options.killSignal), options.stopBoundMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

function startGuard(pid: number, options: ServerProcessOptions): ChildProcess {
  const signals = [options.stopSignal, options.killSignal].map((name) => name.replace('SIG', ''));
  const boundS = Math.ceil(options.stopBoundMs / 1000);
  const guard = spawn(
    '/bin/sh',
    ['-c', GUARD_SCRIPT, 'stallscope-guard', String(pid), ...signals, String(boundS)],
    {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}

function rotate(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && stat.size > LOG_ROTATE_BYTES) renameSync(file, `${file}.1`);
}
