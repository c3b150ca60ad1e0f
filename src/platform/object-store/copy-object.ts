import { CopyObjectCommand, HeadObjectCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3';
import {
  abortMultipartUpload,
  completeMultipartUpload,
  createMultipartUpload,
  type PartTag,
} from './multipart-upload';
import { ObjectStoreError } from './object-store-error';
import { type S3Connection } from './s3-connection';
import { translated } from './translate-error';

// S3 copies at most 5 GiB in one request; larger objects are copied in parts.
const MAX_SINGLE_COPY_BYTES = 5 * 2 ** 30;
const COPY_PART_BYTES = 2 ** 30;

/** Sizes at which a copy is cut; tests make them small. */
export interface CopySizes {
  maxSingleCopyBytes: number;
  partBytes: number;
}

function copySource(bucket: string, key: string): string {
  return `${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
}

interface CopySource {
  key: string;
  sizeBytes: number;
  etag: string | undefined;
  contentType: string | undefined;
}

async function copyInParts(
  connection: S3Connection,
  from: CopySource,
  to: string,
  partBytes: number,
): Promise<void> {
  const { client, bucket } = connection;
  const uploadId = await createMultipartUpload(connection, to, { contentType: from.contentType });
  try {
    const parts: PartTag[] = [];
    for (let start = 0; start < from.sizeBytes; start += partBytes) {
      const end = Math.min(start + partBytes, from.sizeBytes) - 1;
      const partNumber = parts.length + 1;
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({
          Bucket: bucket,
          Key: to,
          UploadId: uploadId,
          PartNumber: partNumber,
          CopySource: copySource(bucket, from.key),
          CopySourceRange: `bytes=${start}-${end}`,
        }),
      );
      parts.push({ partNumber, etag: CopyPartResult?.ETag ?? '' });
    }
    // Asked afterwards, because not every store understands a condition on the source of a part.
    const after = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: from.key }));
    if (after.ETag !== from.etag) {
      const message = `The object ${JSON.stringify(from.key)} was replaced while it was copied. Copy it again.`;
      throw new ObjectStoreError('OBJECT_CHANGED', message);
    }
    await completeMultipartUpload(connection, to, uploadId, parts);
  } catch (error) {
    await abortMultipartUpload(connection, to, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Copies within the bucket, on the store's side. */
export async function copyObject(
  connection: S3Connection,
  from: string,
  to: string,
  sizes: CopySizes = { maxSingleCopyBytes: MAX_SINGLE_COPY_BYTES, partBytes: COPY_PART_BYTES },
): Promise<void> {
  const { client, bucket } = connection;
  await translated(`copying ${JSON.stringify(from)}`, from, async () => {
    const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: from }));
    const { ContentLength: sizeBytes = 0, ETag: etag, ContentType: contentType } = head;
    if (sizeBytes > sizes.maxSingleCopyBytes) {
      await copyInParts(connection, { key: from, sizeBytes, etag, contentType }, to, sizes.partBytes);
      return;
    }
    await client.send(
      new CopyObjectCommand({ Bucket: bucket, Key: to, CopySource: copySource(bucket, from) }),
    );
  });
}
