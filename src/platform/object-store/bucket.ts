import { CreateBucketCommand, HeadBucketCommand, type BucketLocationConstraint } from '@aws-sdk/client-s3';
import { ObjectStoreRefused, ObjectStoreUnavailable } from './object-store-error';
import { type S3Connection } from './s3-connection';
import { hasStatus, translated, translateError } from './translate-error';

const PING_TIMEOUT_MS = 3000;
const CREATED_BY_ANOTHER = new Set(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists']);

async function bucketExists({ client, bucket }: S3Connection): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
    return true;
  } catch (error) {
    if (hasStatus(error, 404)) return false;
    throw error;
  }
}

/** Creates the bucket when it does not exist. `region` is named only towards AWS, which wants it outside us-east-1. */
export async function ensureBucket(connection: S3Connection, region: string, isAws: boolean): Promise<void> {
  const { client, bucket } = connection;
  await translated(`looking for the bucket ${bucket}`, '', async () => {
    if (await bucketExists(connection)) return;
    const LocationConstraint = region as BucketLocationConstraint;
    const CreateBucketConfiguration = isAws && region !== 'us-east-1' ? { LocationConstraint } : undefined;
    try {
      await client.send(new CreateBucketCommand({ Bucket: bucket, CreateBucketConfiguration }));
    } catch (error) {
      const raced = error instanceof Error && CREATED_BY_ANOTHER.has(error.name);
      // A second process may have created it meanwhile; somebody else's bucket is refused by this very question.
      if (!raced || !(await bucketExists(connection))) throw error;
    }
  });
}

/** One quick question to the store, for health checks: throws when the bucket cannot be used within 3 seconds. */
export async function pingBucket({ client, bucket }: S3Connection): Promise<void> {
  const doing = `looking for the bucket ${bucket}`;
  try {
    const abortSignal = AbortSignal.timeout(PING_TIMEOUT_MS);
    await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal });
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') {
      throw new ObjectStoreUnavailable(doing, `no answer within ${PING_TIMEOUT_MS} ms`, error);
    }
    if (hasStatus(error, 404)) throw new ObjectStoreRefused(doing, 'it does not exist', error);
    throw translateError(error, doing);
  }
}
