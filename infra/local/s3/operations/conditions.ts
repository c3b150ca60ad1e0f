import { S3Error } from '../http/s3-error';
import { type StoredObject } from '../store/stored-object';

type Headers = ReadonlyMap<string, string>;

function matches(list: string, etag: string): boolean {
  return list.split(',').some((item) => {
    const candidate = item
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1');
    return candidate === '*' || candidate === etag;
  });
}

function timeOf(header: string | undefined): number | undefined {
  const timeMs = header === undefined ? NaN : Date.parse(header);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** Conditional reads in the order of RFC 9110, section 13.2.2. `prefix` is `x-amz-copy-source-` for copies. */
export function checkReadConditions(headers: Headers, object: StoredObject, prefix = ''): void {
  const header = (name: string) => headers.get(`${prefix}${name}`);
  const { etag, lastModifiedMs } = object;
  const notModified = () =>
    prefix === ''
      ? new S3Error('NotModified', undefined, {
          etag: `"${etag}"`,
          'last-modified': new Date(lastModifiedMs).toUTCString(),
        })
      : new S3Error('PreconditionFailed');
  const ifMatch = header('if-match');
  const unmodifiedSince = timeOf(header('if-unmodified-since'));
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, etag)) throw new S3Error('PreconditionFailed');
  } else if (unmodifiedSince !== undefined && lastModifiedMs > unmodifiedSince) {
    throw new S3Error('PreconditionFailed');
  }
  const ifNoneMatch = header('if-none-match');
  const modifiedSince = timeOf(header('if-modified-since'));
  if (ifNoneMatch !== undefined) {
    if (matches(ifNoneMatch, etag)) throw notModified();
  } else if (modifiedSince !== undefined && lastModifiedMs <= modifiedSince) {
    throw notModified();
  }
}

/** Conditional writes: `If-None-Match: *` creates only, `If-Match` replaces only what the client has seen. */
export function checkWriteConditions(headers: Headers, before: StoredObject | undefined): void {
  const ifNoneMatch = headers.get('if-none-match');
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() !== '*')
      throw new S3Error('NotImplemented', 'If-None-Match on a write must be "*".');
    if (before) throw new S3Error('PreconditionFailed');
  }
  const ifMatch = headers.get('if-match');
  if (ifMatch !== undefined) {
    if (!before) throw new S3Error('NoSuchKey');
    if (!matches(ifMatch, before.etag)) throw new S3Error('PreconditionFailed');
  }
}
