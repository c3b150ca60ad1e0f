import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Redis from 'ioredis';
import { lockFolder } from './folder-lock';
import { findFreePort } from './free-port';
import { errorMessage, type Log, LocalStackError } from './local-stack-error';
import { commandLine, waitUntilGone } from './process-identity';
import { type RedisProgram } from './redis-program';
import { readOrCreateSecrets } from './secrets';
import { type ServerProcess, startServerProcess } from './server-process';

const START_BOUND_MS = 30_000;
const STOP_BOUND_MS = 15_000;
const START_ATTEMPTS = 5;

export interface RedisServerOptions {
  dataDir: string;
  log: Log;
  secretsFile?: string;
}

export interface RedisServer {
  kind: 'redis';
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a Redis of our own on a free port of 127.0.0.1, with a password, an append-only file in `dataDir` and the
 * `noeviction` policy that BullMQ needs. Takes over from a run that was killed.
 */
export async function startRedisServer(
  program: RedisProgram,
  options: RedisServerOptions,
): Promise<RedisServer> {
  const { dataDir, log } = options;
  const lock = lockFolder(dataDir, 'redis');
  try {
    const { redisPassword } = readOrCreateSecrets(options.secretsFile ?? join(dataDir, 'secrets.json'), [
      'redisPassword',
    ]);
    await stopOrphan(dataDir, log);
    const { server, url } = await launch(program, dataDir, redisPassword);
    let stopping = false;
    void server.ended.then((how) => {
      if (!stopping) log(`The local Redis ended unexpectedly (${how}); start the stack again to recover.`);
    });
    return {
      kind: 'redis',
      url,
      stop: async () => {
        stopping = true;
        await server.stop();
        rmSync(pidFile(dataDir), { force: true });
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function launch(
  program: RedisProgram,
  dataDir: string,
  password: string,
): Promise<{ server: ServerProcess; url: string }> {
  const logFile = join(dataDir, 'redis.log');
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const config = configFile(dataDir);
    writeFileSync(config, configuration(dataDir, port, password), { mode: 0o600 });
    const server = await startServerProcess({
      command: program.path,
      args: [config],
      cwd: dataDir,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      logFile,
      stopSignal: 'SIGTERM',
      killSignal: 'SIGKILL',
      stopBoundMs: STOP_BOUND_MS,
    });
    writeFileSync(pidFile(dataDir), String(server.child.pid));
    const url = `redis://:${password}@127.0.0.1:${port}/0`;
    const refusal = await waitUntilReady(server, url);
    if (refusal === undefined) return { server, url };
    await server.stop();
    if (/address already in use/i.test(server.output()) && attempt < START_ATTEMPTS) continue;
    throw new LocalStackError(
      'redis_start_failed',
      `The local Redis does not start: ${refusal}. It said: ${server.output().trim().split('\n').slice(-4).join(' | ')}.`,
      `See ${logFile}, or set STALLSCOPE_QUEUE=postgres to do without Redis.`,
    );
  }
}

/** The command line is kept as it is (no process title), so that a later start can tell whose orphan it sees. */
function configuration(dataDir: string, port: number, password: string): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    'protected-mode yes',
    `requirepass ${password}`,
    'daemonize no',
    'set-proc-title no',
    `dir ${JSON.stringify(dataDir)}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    '',
  ].join('\n');
}

/** Resolves to undefined once the server answers, else to what went wrong. It answers LOADING while it reads its file. */
async function waitUntilReady(server: ServerProcess, url: string): Promise<string | undefined> {
  const deadline = Date.now() + START_BOUND_MS;
  let problem = `no answer in ${START_BOUND_MS / 1000} s`;
  while (Date.now() < deadline) {
    if (server.hasEnded()) return `the process ended (${await server.ended})`;
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.ping();
      return undefined;
    } catch (error) {
      problem = errorMessage(error);
      await new Promise((done) => setTimeout(done, 25));
    } finally {
      client.disconnect();
    }
  }
  return problem;
}

async function stopOrphan(dataDir: string, log: Log): Promise<void> {
  const pid = Number(readIfThere(pidFile(dataDir)));
  if (!(pid > 0) || !` ${commandLine(pid)} `.includes(` ${configFile(dataDir)} `)) return;
  log(`Stopping the Redis (process ${pid}) that an earlier run left on ${dataDir}.`);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    process.kill(pid, signal);
    if (await waitUntilGone(pid, STOP_BOUND_MS)) return;
  }
  throw new LocalStackError(
    'redis_orphan',
    `Process ${pid} does not stop.`,
    'Stop it by hand, then start again.',
  );
}

const configFile = (dataDir: string) => join(dataDir, 'redis.conf');
const pidFile = (dataDir: string) => join(dataDir, 'redis.pid');

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
