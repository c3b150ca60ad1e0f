import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockFolder } from './folder-lock';
import { type Log, LocalStackError } from './local-stack-error';
import { provideObjectStore } from './object-store';
import { startPostgres } from './postgres';
import { removePostgresElsewhere } from './postgres-place';
import { startRedis } from './redis';
import { readOrCreateSecrets } from './secrets';

export interface LocalStackOptions {
  /** Folder for all data of the stack, its logs and its secrets; made when missing. */
  dataDir: string;
  /** What already exists: DATABASE_URL, REDIS_URL, STALLSCOPE_QUEUE and S3_* are used instead of starting servers. */
  env: NodeJS.ProcessEnv;
  log: Log;
  /** False for tests only: a crash of the machine may destroy the database. */
  durable?: boolean;
}

export interface LocalStack {
  /**
   * The product's variables for these servers: DATABASE_URL, REDIS_URL or STALLSCOPE_QUEUE=postgres, S3_*,
   * JWT_SECRET and WEBHOOK_KEY. Names and formats are those of src/platform/config.
   */
  env: Record<string, string>;
  /** What the person at the keyboard should know, one sentence each. */
  notes: string[];
  /** Stops what was started, newest first, and frees the folder. */
  stop(): Promise<void>;
}

interface Part {
  env: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts what the product needs and the environment does not name: Postgres, Redis and an S3 server, on free ports
 * of 127.0.0.1. Throws LocalStackError; `folder_in_use` when another stack runs on this folder.
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const dataDir = resolve(options.dataDir);
  if (mkdirSync(dataDir, { recursive: true })) chmodSync(dataDir, 0o711);
  const lock = lockFolder(dataDir, 'stack');
  const notes: string[] = [];
  const note: Log = (line) => {
    notes.push(line);
    options.log(line);
  };
  const parts: Part[] = [];
  const stop = async () => {
    for (let part = parts.pop(); part; part = parts.pop()) await part.stop();
    lock.release();
  };
  try {
    const env = await startParts({ ...options, dataDir, log: note }, parts);
    return { env, notes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Deletes all data of a stack that is not running, also a database that had to live outside of its folder. Throws
 * LocalStackError `folder_in_use` while it runs, `not_a_stack` when the folder is not one that a stack made.
 */
export function removeLocalStack(folder: string): void {
  const dataDir = resolve(folder);
  if (!existsSync(join(dataDir, 'secrets.json'))) {
    throw new LocalStackError('not_a_stack', `${dataDir} holds no local stack.`, 'Nothing was deleted.');
  }
  lockFolder(dataDir, 'stack');
  removePostgresElsewhere(join(dataDir, 'postgres'));
  rmSync(dataDir, { recursive: true, force: true });
}

/** Starts the three at once; when one fails, waits for the others, so that `parts` holds all that must be stopped. */
async function startParts(options: LocalStackOptions, parts: Part[]): Promise<Record<string, string>> {
  const secretsFile = join(options.dataDir, 'secrets.json');
  // All names at once: the servers below add none of their own, so they never write the file at the same time.
  const secrets = readOrCreateSecrets(secretsFile, [
    'postgresSuperuserPassword',
    'postgresOwnerPassword',
    'redisPassword',
    's3AccessKeyId',
    's3SecretAccessKey',
    'jwtSecret',
    'webhookKey',
  ]);
  const starts = [
    startDatabase(options, secretsFile),
    startQueue(options, secretsFile),
    provideObjectStore({
      dataDir: join(options.dataDir, 's3'),
      accessKeyId: secrets.s3AccessKeyId,
      secretAccessKey: secrets.s3SecretAccessKey,
      env: options.env,
      log: options.log,
    }),
  ];
  const outcomes = await Promise.allSettled(starts);
  for (const outcome of outcomes) if (outcome.status === 'fulfilled') parts.push(outcome.value);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) throw failure.reason;
  const keys = {
    JWT_SECRET: options.env.JWT_SECRET || secrets.jwtSecret,
    WEBHOOK_KEY: options.env.WEBHOOK_KEY || secrets.webhookKey,
  };
  return Object.assign(keys, ...parts.map((part) => part.env)) as Record<string, string>;
}

async function startDatabase(
  { dataDir, env, log, durable }: LocalStackOptions,
  secretsFile: string,
): Promise<Part> {
  if (env.DATABASE_URL) return { env: { DATABASE_URL: env.DATABASE_URL }, stop: async () => undefined };
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), log, secretsFile, durable });
  return { env: { DATABASE_URL: postgres.ownerUrl }, stop: postgres.stop };
}

async function startQueue({ dataDir, env, log }: LocalStackOptions, secretsFile: string): Promise<Part> {
  const queue = await startRedis({ dataDir: join(dataDir, 'redis'), log, env, secretsFile });
  const queueEnv: Record<string, string> =
    queue.kind === 'redis' ? { REDIS_URL: queue.url } : { STALLSCOPE_QUEUE: 'postgres' };
  return { env: queueEnv, stop: queue.stop };
}
