import { type S3Request, queryValue } from '../http/parse-request';
import { S3Error } from '../http/s3-error';
import { checksumHeader } from '../payload/checksums';
import { type StoredObject } from '../store/stored-object';

const KEPT = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];
const META_PREFIX = 'x-amz-meta-';
const MAX_META_BYTES = 2048;

/** The headers of an upload that S3 keeps and gives back. */
export function keptHeaders(request: S3Request): Record<string, string> {
  const kept: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  let metaBytes = 0;
  for (const [name, value] of request.headers) {
    if (name.startsWith(META_PREFIX)) metaBytes += name.length - META_PREFIX.length + value.length;
    if (name.startsWith(META_PREFIX) || KEPT.includes(name)) kept[name] = value;
  }
  if (metaBytes > MAX_META_BYTES) throw new S3Error('MetadataTooLarge');
  // aws-chunked is how the body travelled, not what the object is.
  const encodings = (kept['content-encoding'] ?? '').split(',').map((item) => item.trim());
  kept['content-encoding'] = encodings.filter((item) => item !== '' && item !== 'aws-chunked').join(',');
  if (kept['content-encoding'] === '') delete kept['content-encoding'];
  return kept;
}

/** Headers of a read; `response-…` query parameters of the (signed) request replace the kept ones. */
export function readHeaders(request: S3Request, object: StoredObject): Record<string, string> {
  const headers: Record<string, string> = {
    ...object.headers,
    'accept-ranges': 'bytes',
    etag: `"${object.etag}"`,
    'last-modified': new Date(object.lastModifiedMs).toUTCString(),
  };
  for (const name of KEPT) {
    const value = queryValue(request, `response-${name}`);
    if (value === undefined) continue;
    // eslint-disable-next-line no-control-regex
    if (/[\u0000-\u001f\u007f]/.test(value))
      throw new S3Error('InvalidArgument', `Invalid response-${name}.`);
    headers[name] = Buffer.from(value, 'utf8').toString('latin1');
  }
  if (object.checksum && request.headers.get('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED') {
    headers[checksumHeader(object.checksum.algorithm)] = object.checksum.value;
    headers['x-amz-checksum-type'] = 'FULL_OBJECT';
  }
  return headers;
}
