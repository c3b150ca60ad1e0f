import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { lockFolder } from '../folder-lock';
import { handleRequest, type ServerContext } from './http/handle-request';
import { BucketRegistry } from './store/bucket-registry';

export interface LocalS3Options {
  /** Folder that holds everything; created when it is missing. One server at a time may use it. */
  dataDir: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Port on 127.0.0.1; a free one when it is left out. */
  port?: number;
  /** The clock, in milliseconds since the epoch; tests set it. */
  nowMs?: () => number;
  /** Gets failures of the server itself, one text each; standard error when it is left out. */
  logFailure?: (message: string) => void;
}

export interface LocalS3 {
  endpoint: string;
  port: number;
  /** Stops accepting, lets requests under way finish for a second, then cuts them. */
  stop(): Promise<void>;
}

const IDLE_TIMEOUT_MS = 120_000;
const STOP_GRACE_MS = 1000;
const MAX_CONNECTIONS = 512;

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
    server.close(() => (clearTimeout(cut), resolve()));
    server.closeIdleConnections();
  });
}

/**
 * Starts an S3-protocol server for LOCAL use: development and tests on one machine, never production. It has one pair
 * of keys and no users, policies, versions or encryption, does not sync to disk, and listens on 127.0.0.1 only. What it
 * does have follows S3: signatures, payload checks, multipart rules, conditions, errors. Path-style requests only.
 */
export async function startLocalS3(options: LocalS3Options): Promise<LocalS3> {
  const { dataDir, accessKeyId, secretAccessKey, port = 0 } = options;
  if (accessKeyId === '' || secretAccessKey === '') throw new Error('local S3: both keys must be given');
  await mkdir(dataDir, { recursive: true });
  // A second server would sweep away the first one's unfinished files.
  const lock = lockFolder(dataDir, 's3-server');
  try {
    const context: ServerContext = {
      registry: await BucketRegistry.open(dataDir),
      credentials: { accessKeyId, secretAccessKey },
      nowMs: options.nowMs ?? Date.now,
      logFailure: options.logFailure ?? ((message) => console.error(`local S3: ${message}`)),
    };
    const underWay = new Set<Promise<void>>();
    const handle =
      (expectsContinue: boolean) =>
      (raw: Parameters<typeof handleRequest>[1], response: Parameters<typeof handleRequest>[2]) => {
        const done = handleRequest(context, raw, response, expectsContinue).finally(() =>
          underWay.delete(done),
        );
        underWay.add(done);
      };
    // Uploads may take long on purpose, so only silence ends a connection.
    const server = createServer({ requestTimeout: 0, keepAliveTimeout: 5000 }, handle(false));
    server.on('checkContinue', handle(true));
    server.maxConnections = MAX_CONNECTIONS;
    server.setTimeout(IDLE_TIMEOUT_MS);
    const actualPort = await listen(server, port);
    const stop = async () => {
      await close(server);
      await Promise.allSettled(underWay);
      lock.release();
    };
    let stopping: Promise<void> | undefined;
    return {
      endpoint: `http://127.0.0.1:${actualPort}`,
      port: actualPort,
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
