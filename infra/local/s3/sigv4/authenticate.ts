import { timingSafeEqual } from 'node:crypto';
import { type S3Request, queryValue } from '../http/parse-request';
import { S3Error } from '../http/s3-error';
import { canonicalRequest, hmac, sha256Hex, signingKey } from './canonical';
import { type Claim, claimFromHeader, claimFromQuery } from './claim';

/** The one pair of keys that the server accepts. */
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** What a verified signature vouches for, and what signed chunks continue from. */
export interface Authenticated {
  /** `UNSIGNED-PAYLOAD`, a SHA-256 in hex, or one of the `STREAMING-…` forms. */
  payloadHash: string;
  signature: string;
  signingKey: Buffer;
  amzDate: string;
  scope: string;
}

// x-amz-content-sha256 is bound through the canonical request itself.
const NEED_NOT_BE_SIGNED = new Set(['x-amz-content-sha256']);

function refuseUnsignedHeaders(request: S3Request, signedHeaders: readonly string[]): void {
  if (!signedHeaders.includes('host')) throw new S3Error('AccessDenied', 'The host header must be signed.');
  for (const name of request.headers.keys()) {
    if (name.startsWith('x-amz-') && !signedHeaders.includes(name) && !NEED_NOT_BE_SIGNED.has(name)) {
      throw new S3Error(
        'AccessDenied',
        `There were headers present in the request which were not signed: ${name}.`,
      );
    }
  }
}

/** Compares two hex signatures in constant time. */
export function sameSignature(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1')];
  return x.length === y.length && timingSafeEqual(x, y);
}

function findClaim(request: S3Request, nowMs: number): Claim {
  const authorization = request.headers.get('authorization');
  const presigned = queryValue(request, 'X-Amz-Algorithm') !== undefined;
  if (authorization !== undefined && presigned) {
    throw new S3Error('InvalidArgument', 'Only one way of signing is allowed: the header or the query.');
  }
  if (authorization !== undefined) return claimFromHeader(request, authorization, nowMs);
  if (presigned) return claimFromQuery(request, nowMs);
  throw new S3Error('AccessDenied', 'Anonymous access is not allowed: sign the request.');
}

/**
 * Verifies the SigV4 signature of a request, from its Authorization header or its presigned query. Any region is
 * accepted as long as the signature was made for it.
 */
export function authenticate(request: S3Request, credentials: Credentials, nowMs: number): Authenticated {
  const claim = findClaim(request, nowMs);
  refuseUnsignedHeaders(request, claim.signedHeaders);
  if (claim.accessKeyId !== credentials.accessKeyId) throw new S3Error('InvalidAccessKeyId');
  const key = signingKey(credentials.secretAccessKey, claim.date, claim.region);
  const scope = `${claim.date}/${claim.region}/s3/aws4_request`;
  const canonical = canonicalRequest(request, claim.signedHeaders, claim.payloadHash);
  const toSign = ['AWS4-HMAC-SHA256', claim.amzDate, scope, sha256Hex(canonical)].join('\n');
  const expected = hmac(key, toSign).toString('hex');
  if (!sameSignature(expected, claim.signature)) throw new S3Error('SignatureDoesNotMatch');
  return {
    payloadHash: claim.payloadHash,
    signature: expected,
    signingKey: key,
    amzDate: claim.amzDate,
    scope,
  };
}
