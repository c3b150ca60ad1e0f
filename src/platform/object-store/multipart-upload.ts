import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
} from '@aws-sdk/client-s3';
import { PartsRefused, UploadNotFound } from './object-store-error';
import { type S3Connection } from './s3-connection';
import { isNotFound, translated } from './translate-error';

/** One part of a multipart upload, as a client reports it. `etag` with or without quotes. */
export interface PartTag {
  partNumber: number;
  etag: string;
}

/** One part as the store has it. */
export interface StoredPart extends PartTag {
  sizeBytes: number;
}

export interface NewUploadOptions {
  contentType?: string;
}

const named = (key: string) => JSON.stringify(key);

export async function createMultipartUpload(
  { client, bucket }: S3Connection,
  key: string,
  { contentType = 'application/octet-stream' }: NewUploadOptions,
): Promise<string> {
  return translated(`starting an upload of ${named(key)}`, key, async () => {
    const command = new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ContentType: contentType });
    const { UploadId } = await client.send(command);
    if (!UploadId) throw new Error('the answer has no upload id');
    return UploadId;
  });
}

export async function listParts(
  connection: S3Connection,
  key: string,
  uploadId: string,
): Promise<StoredPart[]> {
  const { client, bucket } = connection;
  return translated(`listing the parts of ${named(key)}`, key, async () => {
    const parts: StoredPart[] = [];
    let marker: string | undefined;
    do {
      const page = await client.send(
        new ListPartsCommand({ Bucket: bucket, Key: key, UploadId: uploadId, PartNumberMarker: marker }),
      );
      for (const { PartNumber, ETag, Size } of page.Parts ?? []) {
        parts.push({ partNumber: PartNumber ?? 0, etag: ETag ?? '', sizeBytes: Size ?? 0 });
      }
      const next = page.IsTruncated ? page.NextPartNumberMarker : undefined;
      marker = next === marker ? undefined : next;
    } while (marker !== undefined);
    return parts;
  });
}

function unquoted(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1');
}

/** S3's tag of a multipart object: MD5 of the parts' MD5s, and their count. Other tags (encrypted ones) give no match. */
function multipartEtag(parts: readonly PartTag[]): string {
  const md5 = createHash('md5');
  for (const { etag } of parts) md5.update(Buffer.from(unquoted(etag), 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}

/** True when the object at `key` is what completing `parts` makes: the first answer got lost on its way to us. */
async function wasCompletedBefore(
  connection: S3Connection,
  key: string,
  parts: readonly PartTag[],
): Promise<boolean> {
  try {
    const head = await connection.client.send(new HeadObjectCommand({ Bucket: connection.bucket, Key: key }));
    return unquoted(head.ETag ?? '') === multipartEtag(parts);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

export async function completeMultipartUpload(
  connection: S3Connection,
  key: string,
  uploadId: string,
  parts: readonly PartTag[],
): Promise<void> {
  const ordered = [...parts].sort((a, b) => a.partNumber - b.partNumber);
  if (ordered.length === 0) throw new PartsRefused('there are none');
  const twice = ordered.find(({ partNumber }, i) => partNumber === ordered[i - 1]?.partNumber);
  if (twice) throw new PartsRefused(`part ${twice.partNumber} is named twice`);
  const command = new CompleteMultipartUploadCommand({
    Bucket: connection.bucket,
    Key: key,
    UploadId: uploadId,
    MultipartUpload: {
      Parts: ordered.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag })),
    },
  });
  const doing = `completing the upload of ${named(key)}`;
  try {
    await translated(doing, key, () => connection.client.send(command));
  } catch (error) {
    if (!(error instanceof UploadNotFound)) throw error;
    if (!(await translated(doing, key, () => wasCompletedBefore(connection, key, ordered)))) throw error;
  }
}

/** Aborts an upload and frees its parts; one that is already gone is no error. */
export async function abortMultipartUpload(
  connection: S3Connection,
  key: string,
  uploadId: string,
): Promise<void> {
  const command = new AbortMultipartUploadCommand({
    Bucket: connection.bucket,
    Key: key,
    UploadId: uploadId,
  });
  try {
    await translated(`aborting the upload of ${named(key)}`, key, () => connection.client.send(command));
  } catch (error) {
    if (!(error instanceof UploadNotFound)) throw error;
  }
}

/** Aborts every upload under `prefix` that was started before `startedBefore`; gives their number. */
export async function abortUploadsUnder(
  connection: S3Connection,
  prefix: string,
  startedBefore: Date,
): Promise<number> {
  const { client, bucket } = connection;
  let aborted = 0;
  let markers: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (markers) {
    const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
      Bucket: bucket,
      Prefix: prefix,
      ...markers,
    });
    const page = await translated(`listing the uploads under ${named(prefix)}`, '', () =>
      client.send(command),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Key || !UploadId || (Initiated && Initiated >= startedBefore)) continue;
      await abortMultipartUpload(connection, Key, UploadId);
      aborted += 1;
    }
    const more = page.IsTruncated && page.NextKeyMarker !== undefined;
    markers = more ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined;
  }
  return aborted;
}
