import { createHash, createHmac } from 'node:crypto';
import { type S3Request } from '../http/parse-request';

/** SHA-256 of nothing, as SigV4 writes it. */
export const EMPTY_SHA256 = createHash('sha256').digest('hex');

export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

export function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data, 'utf8').digest();
}

/** RFC 3986 percent-encoding as SigV4 wants it: everything but unreserved characters. */
export function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function canonicalQuery(query: S3Request['query']): string {
  return query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [uriEncode(name), uriEncode(value)] as const)
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Header values arrive as Latin-1; clients sign the text, so bytes that are UTF-8 are read as UTF-8. */
function signedHeaderText(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  const text = bytes.toString('utf8');
  return (text.includes('\ufffd') ? value : text).trim().replace(/ +/g, ' ');
}

/** AWS Signature Version 4, "Create a canonical request"; S3 encodes the path once and does not normalise it. */
export function canonicalRequest(
  request: S3Request,
  signedHeaders: readonly string[],
  payloadHash: string,
): string {
  return [
    request.method,
    request.path.split('/').map(uriEncode).join('/'),
    canonicalQuery(request.query),
    ...signedHeaders.map((name) => `${name}:${signedHeaderText(request.headers.get(name) ?? '')}`),
    '',
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
}

/** AWS Signature Version 4, "Calculate the signature": the key for one day, region and service. */
export function signingKey(secret: string, date: string, region: string): Buffer {
  return hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), 's3'), 'aws4_request');
}
