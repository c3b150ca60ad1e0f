import { ObjectStore } from '../../src/platform/object-store';
import { type Log, LocalStackError } from './local-stack-error';
import { startLocalS3 } from './s3';

const REGION = 'us-east-1';
const BUCKET = 'stallscope';

export interface ProvidedObjectStore {
  /** The S3_* variables of the product. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

export interface ObjectStoreOptions {
  dataDir: string;
  accessKeyId: string;
  secretAccessKey: string;
  env: NodeJS.ProcessEnv;
  log: Log;
}

/**
 * The object store that the environment names (S3_ENDPOINT or S3_BUCKET), passed on as it is, or else a local
 * server with an empty bucket. Throws LocalStackError `s3_incomplete` when the environment lacks the bucket.
 */
export async function provideObjectStore(options: ObjectStoreOptions): Promise<ProvidedObjectStore> {
  const given = Object.entries(options.env).filter(([name, value]) => name.startsWith('S3_') && value);
  const named = Object.fromEntries(given) as Record<string, string>;
  if (named.S3_ENDPOINT || named.S3_BUCKET) {
    if (named.S3_BUCKET) return { env: named, stop: async () => undefined };
    throw new LocalStackError(
      's3_incomplete',
      'S3_ENDPOINT is set and S3_BUCKET is not.',
      'Set both to use that object store, or neither to start a local one.',
    );
  }
  const { dataDir, accessKeyId, secretAccessKey } = options;
  const server = await startLocalS3({ dataDir, accessKeyId, secretAccessKey });
  const env = {
    S3_ENDPOINT: server.endpoint,
    S3_REGION: REGION,
    S3_BUCKET: BUCKET,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
  };
  try {
    await ensureBucket(env, BUCKET);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { env, stop: () => server.stop() };
}

/** Creates a bucket at the object store that the S3_* variables name; one that we own already is left as it is. */
export async function ensureBucket(env: Record<string, string>, bucket: string): Promise<void> {
  const store = new ObjectStore({
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION ?? REGION,
    bucket,
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
    forcePathStyle: env.S3_FORCE_PATH_STYLE === 'true',
  });
  try {
    await store.ensureBucket();
  } finally {
    store.onApplicationShutdown();
  }
}
