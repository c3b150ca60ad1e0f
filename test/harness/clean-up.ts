import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListBucketsCommand,
  S3Client,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import Redis from 'ioredis';
import { withAdmin } from './admin-connection';
import { type TestStack } from './test-stack';

/**
 * Removes all that carries the run's id from the servers that the environment named. Servers of our own are not
 * cleaned: their folder is removed.
 */
export async function removeEverythingOf(stack: TestStack, given: NodeJS.ProcessEnv): Promise<void> {
  if (given.DATABASE_URL) await dropDatabases(stack);
  if (given.REDIS_URL) await deleteKeys(given.REDIS_URL, stack.runId);
  if (given.S3_ENDPOINT || given.S3_BUCKET) await deleteBuckets(stack);
}

async function dropDatabases(stack: TestStack): Promise<void> {
  await withAdmin(stack, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [stack.runId],
    );
    for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

async function deleteKeys(url: string, runId: string): Promise<void> {
  const redis = new Redis(url);
  try {
    for await (const keys of redis.scanStream({ match: `${runId}*`, count: 1000 }) as AsyncIterable<
      string[]
    >) {
      if (keys.length > 0) await redis.unlink(keys);
    }
  } finally {
    redis.disconnect();
  }
}

async function deleteBuckets({ env, runId }: TestStack): Promise<void> {
  const client = new S3Client({
    region: env.S3_REGION ?? 'us-east-1',
    forcePathStyle: env.S3_FORCE_PATH_STYLE === 'true',
    ...(env.S3_ENDPOINT ? { endpoint: env.S3_ENDPOINT } : {}),
    ...(env.S3_ACCESS_KEY_ID && env.S3_SECRET_ACCESS_KEY
      ? { credentials: { accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY } }
      : {}),
  });
  try {
    const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
    for (const { Name: Bucket = '' } of Buckets.filter(({ Name }) => Name?.startsWith(`${runId}-`))) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket })) {
        for (const { Key } of page.Contents ?? [])
          await client.send(new DeleteObjectCommand({ Bucket, Key }));
      }
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      for (const { Key, UploadId } of Uploads) {
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      }
      await client.send(new DeleteBucketCommand({ Bucket }));
    }
  } finally {
    client.destroy();
  }
}
