import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { type Log, LocalStackError } from './local-stack-error';
import { startLocalS3 } from './s3';

const REGION = 'us-east-1';
const BUCKET = 'stallscope';

export interface ObjectStore {
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
export async function provideObjectStore(options: ObjectStoreOptions): Promise<ObjectStore> {
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
  const {
    S3_ENDPOINT,
    S3_REGION = REGION,
    S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY,
    S3_FORCE_PATH_STYLE,
  } = env;
  const client = new S3Client({
    region: S3_REGION,
    forcePathStyle: S3_FORCE_PATH_STYLE === 'true',
    ...(S3_ENDPOINT ? { endpoint: S3_ENDPOINT } : {}),
    ...(S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY
      ? { credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } }
      : {}),
  });
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  } catch (error) {
    if ((error as Error).name !== 'BucketAlreadyOwnedByYou') throw error;
  } finally {
    client.destroy();
  }
}
