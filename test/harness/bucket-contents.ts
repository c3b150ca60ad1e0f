import {
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

type Environment = Record<string, string>;

/** What a test's bucket holds, seen past the product. */
export interface BucketContents {
  keys: string[];
  /** Keys of multipart uploads that were neither completed nor aborted. */
  uploads: string[];
}

export async function bucketContents(env: Environment): Promise<BucketContents> {
  return withClient(env, async (client, Bucket) => {
    const objects = await client.send(new ListObjectsV2Command({ Bucket }));
    const uploads = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    return {
      keys: (objects.Contents ?? []).map(({ Key = '' }) => Key),
      uploads: (uploads.Uploads ?? []).map(({ Key = '' }) => Key),
    };
  });
}

/** Uploads a part with the store's own keys, of any size, as a client with a presigned URL cannot. */
export async function forcePart(
  env: Environment,
  part: { key: string; uploadId: string; partNumber: number; bytes: Buffer },
): Promise<void> {
  await withClient(env, (client, Bucket) =>
    client.send(
      new UploadPartCommand({
        Bucket,
        Key: part.key,
        UploadId: part.uploadId,
        PartNumber: part.partNumber,
        Body: part.bytes,
      }),
    ),
  );
}

async function withClient<T>(
  env: Environment,
  work: (client: S3Client, bucket: string) => Promise<T>,
): Promise<T> {
  const client = new S3Client({
    region: env.S3_REGION,
    endpoint: env.S3_ENDPOINT,
    forcePathStyle: env.S3_FORCE_PATH_STYLE === 'true',
    credentials: { accessKeyId: env.S3_ACCESS_KEY_ID, secretAccessKey: env.S3_SECRET_ACCESS_KEY },
  });
  try {
    return await work(client, env.S3_BUCKET);
  } finally {
    client.destroy();
  }
}
