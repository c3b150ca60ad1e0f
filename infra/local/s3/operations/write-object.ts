import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createHash } from 'node:crypto';
import { S3Error } from '../http/s3-error';
import { checksumHeader } from '../payload/checksums';
import { receiveToFile } from '../payload/receive-body';
import { type Bucket } from '../store/bucket';
import { type Segment } from '../store/segment-files';
import { type StoredObject } from '../store/stored-object';
import { parseByteRange } from './byte-range';
import { type Call, isoTime, quoted, sendEmpty, sendXml } from './call';
import { checkReadConditions, checkWriteConditions } from './conditions';
import { keptHeaders } from './object-headers';

/** Whole seconds, as `Last-Modified` has them. */
export function modifiedNow(call: Call): number {
  return Math.floor(call.nowMs / 1000) * 1000;
}

async function saveOrRemove(bucket: Bucket, call: Call, object: StoredObject): Promise<void> {
  try {
    await bucket.replace(object, (before) => checkWriteConditions(call.request.headers, before));
  } catch (error) {
    await bucket.segments.remove(object.segments);
    throw error;
  }
}

export async function putObject(call: Call): Promise<void> {
  const { request, auth, openBody } = call;
  const bucket = call.registry.get(request.bucket);
  const headers = keptHeaders(request);
  checkWriteConditions(request.headers, bucket.find(request.key));
  const { segment, filled } = await bucket.segments.create((path) =>
    receiveToFile(request, openBody, auth, path),
  );
  const etag = filled.md5.toString('hex');
  await saveOrRemove(bucket, call, {
    key: request.key,
    sizeBytes: filled.sizeBytes,
    etag,
    lastModifiedMs: modifiedNow(call),
    headers,
    checksum: filled.checksum,
    segments: [segment],
  });
  const { checksum } = filled;
  sendEmpty(call, 200, {
    etag: quoted(etag),
    ...(checksum && {
      [checksumHeader(checksum.algorithm)]: checksum.value,
      'x-amz-checksum-type': 'FULL_OBJECT',
    }),
  });
}

/** The object that `x-amz-copy-source` names, with its conditions checked. */
function copySource(call: Call): { bucket: Bucket; object: StoredObject } {
  const header = call.request.headers.get('x-amz-copy-source') ?? '';
  let path: string;
  try {
    path = decodeURIComponent(header.replace(/^\//, ''));
  } catch {
    throw new S3Error('InvalidArgument', 'x-amz-copy-source must be URL-encoded.');
  }
  const slash = path.indexOf('/');
  if (slash < 1) throw new S3Error('InvalidArgument', 'x-amz-copy-source must be BUCKET/KEY.');
  if (path.includes('?versionId=')) throw new S3Error('NotImplemented', 'Versions are not supported.');
  const bucket = call.registry.get(path.slice(0, slash));
  const object = bucket.find(path.slice(slash + 1));
  if (!object) throw new S3Error('NoSuchKey');
  checkReadConditions(call.request.headers, object, 'x-amz-copy-source-');
  return { bucket, object };
}

/** Copies the source's bytes (or the range of them) into a new segment of `target`. */
export async function copyIntoSegment(call: Call, target: Bucket) {
  const { bucket, object } = copySource(call);
  const range = parseByteRange(call.request.headers.get('x-amz-copy-source-range'), object.sizeBytes);
  const { start, end } = range ?? { start: 0, end: object.sizeBytes };
  const retained = bucket.segments.retain(object.segments);
  try {
    const { segment, filled } = await target.segments.create(async (path) => {
      const md5 = createHash('md5');
      const hashed = async function* () {
        for await (const piece of bucket.segments.read(object.segments, start, end)) {
          md5.update(piece);
          yield piece;
        }
      };
      await pipeline(hashed(), createWriteStream(path, { flags: 'wx' }));
      return { sizeBytes: end - start, etag: md5.digest('hex') };
    });
    return { source: object, segment: segment satisfies Segment, etag: filled.etag };
  } finally {
    await retained.release();
  }
}

export async function copyObject(call: Call): Promise<void> {
  const { request } = call;
  const bucket = call.registry.get(request.bucket);
  const replaceHeaders = request.headers.get('x-amz-metadata-directive')?.toUpperCase() === 'REPLACE';
  const { source, segment, etag } = await copyIntoSegment(call, bucket);
  const lastModifiedMs = modifiedNow(call);
  await saveOrRemove(bucket, call, {
    key: request.key,
    sizeBytes: source.sizeBytes,
    etag,
    lastModifiedMs,
    headers: replaceHeaders ? keptHeaders(request) : source.headers,
    checksum: source.checksum,
    segments: [segment],
  });
  sendXml(call, 'CopyObjectResult', [
    ['LastModified', isoTime(lastModifiedMs)],
    ['ETag', quoted(etag)],
  ]);
}

export async function deleteObject(call: Call): Promise<void> {
  await call.registry.get(call.request.bucket).delete(call.request.key);
  sendEmpty(call, 204);
}
