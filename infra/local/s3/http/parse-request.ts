import { type IncomingMessage } from 'node:http';
import { S3Error } from './s3-error';

const MAX_KEY_BYTES = 1024;
// S3's rule for new buckets; it also makes the name safe as a folder name.
const BUCKET_NAME = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** A request taken apart: path style only (`/bucket/key`). Nothing in it is trusted before its signature is. */
export interface S3Request {
  method: string;
  /** Decoded path; not normalised, because keys such as `a/../b` are ordinary keys. */
  path: string;
  /** Empty for the service itself. */
  bucket: string;
  /** Empty for the bucket itself. */
  key: string;
  /** Decoded query parameters in order. */
  query: readonly (readonly [string, string])[];
  /** Lower-case names; repeated headers are joined by a comma, as signing does. Values are Latin-1. */
  headers: ReadonlyMap<string, string>;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI');
  }
}

function parseQuery(text: string): [string, string][] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decode(name.replace(/\+/g, ' ')), decode(value.replace(/\+/g, ' '))];
    });
}

function parseHeaders(rawHeaders: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i].toLowerCase();
    const value = rawHeaders[i + 1];
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
}

/** Takes the request line and headers apart; checks form only. */
export function parseRequest(raw: IncomingMessage): S3Request {
  const url = raw.url ?? '';
  if (!url.startsWith('/')) throw new S3Error('InvalidURI');
  const question = url.indexOf('?');
  const path = decode(question === -1 ? url : url.slice(0, question));
  const slash = path.indexOf('/', 1);
  return {
    method: raw.method ?? '',
    path,
    bucket: slash === -1 ? path.slice(1) : path.slice(1, slash),
    key: slash === -1 ? '' : path.slice(slash + 1),
    query: parseQuery(question === -1 ? '' : url.slice(question + 1)),
    headers: parseHeaders(raw.rawHeaders),
  };
}

/**
 * A presigned URL may carry `x-amz-…` headers in its (signed) query; S3 reads them from there, so a checksum that a
 * signer put in the URL is enforced. A header of that name was signed as well and comes first.
 */
export function withQueryHeaders(request: S3Request): S3Request {
  const headers = new Map(request.headers);
  for (const [name, value] of request.query) {
    if (name.startsWith('x-amz-') && !headers.has(name)) headers.set(name, value);
  }
  return { ...request, headers };
}

/** First value of a query parameter; `''` when it is there without one. */
export function queryValue(request: S3Request, name: string): string | undefined {
  return request.query.find(([candidate]) => candidate === name)?.[1];
}

/** A whole number from the query within bounds, or the fallback when it is absent. */
export function queryInteger(
  request: S3Request,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const text = queryValue(request, name);
  if (text === undefined || text === '') return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) {
    throw new S3Error('InvalidArgument', `${name} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}

export function checkBucketName(name: string): void {
  if (!BUCKET_NAME.test(name)) throw new S3Error('InvalidBucketName');
}

export function checkKey(key: string): void {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError');
}
