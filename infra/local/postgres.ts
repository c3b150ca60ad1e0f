import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { lockFolder } from './folder-lock';
import { findFreePort } from './free-port';
import { type Log, LocalStackError, errorMessage } from './local-stack-error';
import { preparePostgresBinaries, type PostgresBinaries } from './postgres-binaries';
import { ensureCluster, POSTGRES_ENV, SUPERUSER } from './postgres-cluster';
import { stopOrphanedPostgres } from './postgres-orphan';
import { ensureOwner, ownerUrl } from './postgres-owner';
import { choosePostgresPlace, type PostgresPlace } from './postgres-place';
import { readOrCreateSecrets } from './secrets';
import { type ServerProcess, startServerProcess } from './server-process';

const START_BOUND_MS = 60_000;
const STOP_BOUND_MS = 30_000;
const START_ATTEMPTS = 5;

export interface PostgresOptions {
  /** Folder for everything this server keeps; made when missing. */
  dataDir: string;
  log: Log;
  /** Where the generated passwords are kept; `<dataDir>/secrets.json` by default. */
  secretsFile?: string;
  /** False for tests only: no fsync, so a crash of the machine (not of Postgres) may destroy the data. */
  durable?: boolean;
}

export interface LocalPostgres {
  /** Database `stallscope` as its owner: may create roles and databases, is no superuser. */
  ownerUrl: string;
  pid: number;
  clusterDir: string;
  /** A fast shutdown: open transactions are rolled back, everything committed is kept. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded Postgres of `dataDir` on a free port of 127.0.0.1, taking over from a run that was killed.
 *
 *     const postgres = await startPostgres({ dataDir: '.stallscope/postgres', log: console.error });
 *     // … postgres.ownerUrl …
 *     await postgres.stop();
 *
 * Throws LocalStackError: `folder_in_use`, `postgres_unavailable`, `postgres_start_failed` and others.
 */
export async function startPostgres(options: PostgresOptions): Promise<LocalPostgres> {
  const dataDir = resolve(options.dataDir);
  if (mkdirSync(dataDir, { recursive: true })) chmodSync(dataDir, 0o711);
  const lock = lockFolder(dataDir, 'postgres');
  let server: ServerProcess | undefined;
  try {
    const secrets = readOrCreateSecrets(options.secretsFile ?? join(dataDir, 'secrets.json'), [
      'postgresSuperuserPassword',
      'postgresOwnerPassword',
    ]);
    const durable = options.durable ?? true;
    const place = choosePostgresPlace(dataDir, options.log);
    const binaries = await preparePostgresBinaries(place.account, place.folder, options.log);
    await stopOrphanedPostgres(place.clusterDir, options.log);
    await ensureCluster(place, binaries, secrets.postgresSuperuserPassword, durable);
    const launched = await launch(
      place,
      binaries,
      join(dataDir, 'postgres.log'),
      durable,
      secrets.postgresSuperuserPassword,
    );
    server = launched.server;
    await ensureOwner(launched.superuserUrl, secrets.postgresOwnerPassword);
    return handle(
      launched.server,
      launched.port,
      secrets.postgresOwnerPassword,
      place,
      lock.release,
      options.log,
    );
  } catch (error) {
    await server?.stop();
    lock.release();
    throw error;
  }
}

function handle(
  server: ServerProcess,
  port: number,
  ownerPassword: string,
  place: PostgresPlace,
  release: () => void,
  log: Log,
): LocalPostgres {
  let stopping = false;
  void server.ended.then((how) => {
    if (!stopping) log(`The local Postgres ended unexpectedly (${how}); start the stack again to recover.`);
  });
  return {
    ownerUrl: ownerUrl(port, ownerPassword),
    pid: server.child.pid as number,
    clusterDir: place.clusterDir,
    stop: async () => {
      stopping = true;
      await server.stop();
      release();
    },
  };
}

interface Launched {
  server: ServerProcess;
  port: number;
  superuserUrl: string;
}

async function launch(
  place: PostgresPlace,
  binaries: PostgresBinaries,
  logFile: string,
  durable: boolean,
  superuserPassword: string,
): Promise<Launched> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const server = await startServerProcess({
      command: binaries.postgres,
      args: ['-D', place.clusterDir, ...settings(port, durable)],
      cwd: place.folder,
      env: POSTGRES_ENV,
      logFile,
      account: place.account,
      stopSignal: 'SIGINT',
      killSignal: 'SIGQUIT',
      stopBoundMs: STOP_BOUND_MS,
    });
    const superuserUrl = `postgres://${SUPERUSER}:${superuserPassword}@127.0.0.1:${port}/postgres`;
    const refusal = await waitUntilReady(server, superuserUrl);
    if (refusal === undefined) return { server, port, superuserUrl };
    await server.stop();
    // A port lost to another program, or children of a killed postmaster that are still on their way out.
    const transient = /address already in use|still in use|already exists/i.test(server.output());
    if (transient && attempt < START_ATTEMPTS) {
      await new Promise((done) => setTimeout(done, 400 * attempt));
      continue;
    }
    throw new LocalStackError(
      'postgres_start_failed',
      `The local Postgres does not start: ${refusal}. It said: ${server.output().trim().split('\n').slice(-6).join(' | ')}.`,
      `See ${logFile}.`,
    );
  }
}

/** TCP on 127.0.0.1 only. The log level is `minimal` because nobody replicates this server: cheaper bulk loads. */
function settings(port: number, durable: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    wal_level: 'minimal',
    max_wal_senders: 0,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Resolves to undefined once a connection succeeds, else to what went wrong. */
async function waitUntilReady(server: ServerProcess, url: string): Promise<string | undefined> {
  const deadline = Date.now() + START_BOUND_MS;
  let problem = `no answer in ${START_BOUND_MS / 1000} s`;
  while (Date.now() < deadline) {
    if (server.hasEnded()) return `the process ended (${await server.ended})`;
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return undefined;
    } catch (error) {
      problem = errorMessage(error);
      // 28P01: it answers, but the password in the secrets file is not the one of this cluster.
      if ((error as { code?: string }).code === '28P01') return problem;
      await new Promise((done) => setTimeout(done, 25));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return problem;
}
