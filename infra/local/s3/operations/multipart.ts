import { queryInteger, queryValue } from '../http/parse-request';
import { S3Error } from '../http/s3-error';
import { type XmlContent } from '../http/xml-write';
import { checksumElement, checksumHeader, isChecksumAlgorithm } from '../payload/checksums';
import { receiveToFile } from '../payload/receive-body';
import { type Part } from '../store/uploads';
import { type Call, isoTime, quoted, sendEmpty, sendXml } from './call';
import { keptHeaders } from './object-headers';
import { copyIntoSegment, modifiedNow } from './write-object';

/** Largest part number, as in S3. */
export const MAX_PART_NUMBER = 10_000;
const MAX_LISTED = 1000;

export function uploadIdOf(call: Call): string {
  return queryValue(call.request, 'uploadId') ?? '';
}

export async function createMultipartUpload(call: Call): Promise<void> {
  const { request } = call;
  const bucket = call.registry.get(request.bucket);
  const algorithm = request.headers.get('x-amz-checksum-algorithm')?.toLowerCase();
  if (algorithm !== undefined && !isChecksumAlgorithm(algorithm)) throw new S3Error('InvalidRequest');
  const upload = await bucket.uploads.create({
    key: request.key,
    initiatedMs: call.nowMs,
    headers: keptHeaders(request),
    checksumAlgorithm: algorithm,
  });
  sendXml(
    call,
    'InitiateMultipartUploadResult',
    [
      ['Bucket', bucket.name],
      ['Key', request.key],
      ['UploadId', upload.id],
    ],
    algorithm ? { 'x-amz-checksum-algorithm': algorithm.toUpperCase() } : {},
  );
}

/** UploadPart, and UploadPartCopy when `x-amz-copy-source` is there. */
export async function uploadPart(call: Call): Promise<void> {
  const { request, auth, openBody } = call;
  const bucket = call.registry.get(request.bucket);
  const id = uploadIdOf(call);
  const number = queryInteger(request, 'partNumber', NaN, 1, MAX_PART_NUMBER);
  if (Number.isNaN(number)) throw new S3Error('InvalidArgument', 'partNumber is missing.');
  bucket.uploads.get(id, request.key);
  const lastModifiedMs = modifiedNow(call);
  if (request.headers.has('x-amz-copy-source')) {
    const { segment, etag } = await copyIntoSegment(call, bucket);
    await bucket.uploads.savePart(id, { number, etag, lastModifiedMs, segment });
    sendXml(call, 'CopyPartResult', [
      ['LastModified', isoTime(lastModifiedMs)],
      ['ETag', quoted(etag)],
    ]);
    return;
  }
  const { segment, filled } = await bucket.segments.create((path) =>
    receiveToFile(request, openBody, auth, path),
  );
  const { checksum } = filled;
  const etag = filled.md5.toString('hex');
  await bucket.uploads.savePart(id, { number, etag, lastModifiedMs, checksum, segment });
  sendEmpty(call, 200, {
    etag: quoted(etag),
    ...(checksum && { [checksumHeader(checksum.algorithm)]: checksum.value }),
  });
}

function partXml(part: Part): readonly [string, XmlContent] {
  return [
    'Part',
    [
      ['PartNumber', part.number],
      ['LastModified', isoTime(part.lastModifiedMs)],
      ['ETag', quoted(part.etag)],
      ['Size', part.segment.sizeBytes],
      part.checksum ? [checksumElement(part.checksum.algorithm), part.checksum.value] : undefined,
    ],
  ];
}

export async function listParts(call: Call): Promise<void> {
  const { request } = call;
  const bucket = call.registry.get(request.bucket);
  const { upload, parts } = bucket.uploads.get(uploadIdOf(call), request.key);
  const maxParts = Math.min(queryInteger(request, 'max-parts', MAX_LISTED, 0, 2 ** 31 - 1), MAX_LISTED);
  const marker = queryInteger(request, 'part-number-marker', 0, 0, 2 ** 31 - 1);
  const rest = parts.filter((part) => part.number > marker);
  const page = rest.slice(0, maxParts);
  const truncated = page.length < rest.length;
  sendXml(call, 'ListPartsResult', [
    ['Bucket', bucket.name],
    ['Key', upload.key],
    ['UploadId', upload.id],
    ['PartNumberMarker', marker],
    truncated ? ['NextPartNumberMarker', page[page.length - 1]?.number ?? marker] : undefined,
    ['MaxParts', maxParts],
    ['IsTruncated', truncated],
    ['StorageClass', 'STANDARD'],
    ...page.map(partXml),
  ]);
}

export async function abortMultipartUpload(call: Call): Promise<void> {
  const { request } = call;
  const { uploads } = call.registry.get(request.bucket);
  const id = uploadIdOf(call);
  const { parts } = uploads.get(id, request.key);
  uploads.claim(id, request.key);
  await uploads.discard(
    id,
    parts.map((part) => part.segment),
  );
  sendEmpty(call, 204);
}
