import { S3Error } from '../http/s3-error';

/** Bytes from `start` to `end` (exclusive) of an object. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The range that a `Range` header asks for, `undefined` for the whole object. As in S3, a header that is not one
 * well-formed range is ignored, and one outside the object is refused.
 */
export function parseByteRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const first = match[1] === '' ? undefined : Number(match[1]);
  const last = match[2] === '' ? undefined : Number(match[2]);
  if (first !== undefined && last !== undefined && last < first) return undefined;
  const start = first ?? Math.max(sizeBytes - (last ?? 0), 0);
  const end = first === undefined || last === undefined ? sizeBytes : Math.min(last + 1, sizeBytes);
  if (start >= end) throw new S3Error('InvalidRange', undefined, { 'content-range': `bytes */${sizeBytes}` });
  return { start, end };
}
