import { chmodSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Log, errorMessage } from './local-stack-error';
import { installRedis } from './redis-install';
import { findRedisServer, type RedisProgram } from './redis-program';
import { startRedisServer } from './redis-server';

export interface RedisOptions {
  /** Folder for the server's data, configuration and log; made when missing. */
  dataDir: string;
  log: Log;
  /** Environment to look at: REDIS_URL, STALLSCOPE_QUEUE, PATH. Default: that of this process. */
  env?: NodeJS.ProcessEnv;
  /** Where the generated password is kept; `<dataDir>/secrets.json` by default. */
  secretsFile?: string;
}

export type QueueServer =
  | { kind: 'redis'; url: string; stop(): Promise<void> }
  /** No Redis: keep the queue in Postgres. `reason` says why, for the person at the keyboard. */
  | { kind: 'postgres-queue'; reason: string; stop(): Promise<void> };

const PRODUCTION_NOTICE = 'The queue is kept in Postgres; production installations use Redis or Valkey.';

/**
 * Finds or starts a Redis for the queue. In this order: STALLSCOPE_QUEUE=postgres (none wanted), REDIS_URL, a
 * redis-server or valkey-server on the PATH, Debian's package when we are root and have apt, else none.
 */
export async function startRedis(options: RedisOptions): Promise<QueueServer> {
  const env = options.env ?? process.env;
  if (env.STALLSCOPE_QUEUE === 'postgres')
    return postgresQueue('STALLSCOPE_QUEUE=postgres asks for it', options.log);
  if (env.REDIS_URL) return { kind: 'redis', url: env.REDIS_URL, stop: async () => undefined };
  const found = findRedisServer(env.PATH);
  const program = found.program ?? (await install(env, options.log));
  if (typeof program === 'string') {
    return postgresQueue([...found.refused, program].join('; '), options.log);
  }
  const dataDir = resolve(options.dataDir);
  if (mkdirSync(dataDir, { recursive: true })) chmodSync(dataDir, 0o700);
  return startRedisServer(program, { ...options, dataDir });
}

/** The program that was installed, or why there is none. */
async function install(env: NodeJS.ProcessEnv, log: Log): Promise<RedisProgram | string> {
  try {
    const refusal = await installRedis(env, log);
    if (refusal !== undefined) return refusal;
  } catch (error) {
    return `installing redis-server failed: ${errorMessage(error)}`;
  }
  const { program, refused } = findRedisServer(env.PATH);
  return program ?? ['redis-server was installed but is not on the PATH', ...refused].join('; ');
}

function postgresQueue(reason: string, log: Log): QueueServer {
  log(`No Redis: ${reason}. ${PRODUCTION_NOTICE}`);
  return { kind: 'postgres-queue', reason, stop: async () => undefined };
}
