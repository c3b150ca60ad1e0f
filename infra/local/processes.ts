import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, type Log, LocalStackError } from './local-stack-error';
import { type ServerProcess, startServerProcess } from './server-process';

const READY_BOUND_MS = 60_000;
const STOP_BOUND_MS = 15_000;

export interface NodeProcessOptions {
  /** Short name: that of the log file and of the process in messages. */
  name: string;
  /** Compiled entry, absolute or relative to our working folder. */
  entry: string;
  args?: readonly string[];
  /** The whole environment of the child; ours is not added. */
  env: NodeJS.ProcessEnv;
  /** Flags for node itself, such as --max-old-space-size=512. */
  nodeArgs?: readonly string[];
  /** The child is ready when this URL answers 2xx, or when its output matches this pattern. */
  readyWhen: { url: string } | { output: RegExp };
  readyBoundMs?: number;
  /** Time for a clean stop, after which the child is killed. Default: 15 s. */
  stopBoundMs?: number;
}

export interface NodeProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Settles with words for how it ended. Never rejects. */
  readonly ended: Promise<string>;
  /** What it has written since it was started. */
  output(): string;
  /** SIGTERM, after a bound SIGKILL; waits for the end. */
  stop(): Promise<void>;
  /** A crash, for tests of recovery. */
  kill(): Promise<void>;
}

/** Child processes of one stack. */
export interface ProcessSupervisor {
  /** Resolves when the child is ready. Throws LocalStackError `process_not_ready` with the end of its output. */
  start(options: NodeProcessOptions): Promise<NodeProcess>;
  /** Stops what still runs, the youngest first. */
  stopAll(): Promise<void>;
}

/**
 * Supervises Node.js children that log to `<dataDir>/logs/<name>.log`. None of them outlives us: each has an IPC
 * channel (see `exitWithParent`) and a guard that ends it when this process ends in whatever way.
 */
export function superviseProcesses(dataDir: string, log: Log): ProcessSupervisor {
  const running: NodeProcess[] = [];
  return {
    start: async (options) => {
      const child = await launch(dataDir, options);
      running.push(child.process);
      void child.process.ended.then((how) => {
        const index = running.indexOf(child.process);
        if (index < 0) return;
        running.splice(index, 1);
        log(`${options.name} ended unexpectedly (${how}); see ${child.process.logFile}.`);
      });
      const problem = await waitUntilReady(child.server, options);
      if (problem === undefined) return withoutNotice(child.process, running);
      await withoutNotice(child.process, running).stop();
      const said = child.server.output().trim().split('\n').slice(-12).join('\n');
      throw new LocalStackError(
        'process_not_ready',
        `${options.name}: ${problem}.`,
        `Its last words:\n${said}`,
      );
    },
    stopAll: async () => {
      for (let last = running.pop(); last; last = running.pop()) await last.stop();
    },
  };
}

/** Stopping or killing a child on purpose takes it off the list first, so that its end is no news. */
function withoutNotice(child: NodeProcess, running: NodeProcess[]): NodeProcess {
  const forget = () => {
    const index = running.indexOf(child);
    if (index >= 0) running.splice(index, 1);
  };
  return {
    ...child,
    stop: () => {
      forget();
      return child.stop();
    },
    kill: () => {
      forget();
      return child.kill();
    },
  };
}

async function launch(
  dataDir: string,
  options: NodeProcessOptions,
): Promise<{ process: NodeProcess; server: ServerProcess }> {
  const logs = join(dataDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const logFile = join(logs, `${options.name}.log`);
  const server = await startServerProcess({
    command: process.execPath,
    args: [...(options.nodeArgs ?? []), options.entry, ...(options.args ?? [])],
    cwd: process.cwd(),
    env: options.env,
    logFile,
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    stopBoundMs: options.stopBoundMs ?? STOP_BOUND_MS,
    ipc: true,
  });
  const child: NodeProcess = {
    name: options.name,
    pid: server.child.pid as number,
    logFile,
    ended: server.ended,
    output: server.output,
    stop: () => server.stop(),
    kill: async () => {
      server.child.kill('SIGKILL');
      await server.ended;
    },
  };
  return { process: child, server };
}

/** Resolves to undefined once the child is ready, else to what went wrong. */
async function waitUntilReady(
  server: ServerProcess,
  options: NodeProcessOptions,
): Promise<string | undefined> {
  const boundMs = options.readyBoundMs ?? READY_BOUND_MS;
  const deadline = Date.now() + boundMs;
  let problem = 'no sign of readiness';
  while (Date.now() < deadline) {
    if (server.hasEnded()) return `it ended (${await server.ended}) before it was ready`;
    const answer = await probe(server, options.readyWhen);
    if (answer === undefined) return undefined;
    problem = answer;
    await new Promise((done) => setTimeout(done, 50));
  }
  return `not ready after ${boundMs / 1000} s (${problem})`;
}

async function probe(
  server: ServerProcess,
  readyWhen: NodeProcessOptions['readyWhen'],
): Promise<string | undefined> {
  if ('output' in readyWhen) {
    return readyWhen.output.test(server.output()) ? undefined : `no output like ${readyWhen.output.source}`;
  }
  try {
    const response = await fetch(readyWhen.url, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok ? undefined : `${readyWhen.url} answers ${response.status}`;
  } catch (error) {
    return errorMessage(error);
  }
}
