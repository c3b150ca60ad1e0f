import { type S3Request, queryValue } from '../http/parse-request';
import { S3Error } from '../http/s3-error';

/** Who a request says it is from; well formed and timely, not yet verified. */
export interface Claim {
  accessKeyId: string;
  /** `YYYYMMDD` of the credential scope. */
  date: string;
  region: string;
  /** `YYYYMMDDTHHMMSSZ`. */
  amzDate: string;
  signedHeaders: string[];
  signature: string;
  payloadHash: string;
}

const MAX_SKEW_MS = 15 * 60_000;
const MAX_EXPIRES_S = 7 * 24 * 3600;
const ALGORITHM = 'AWS4-HMAC-SHA256';

type MalformedCode = 'AuthorizationHeaderMalformed' | 'AuthorizationQueryParametersError';

/** Milliseconds since the epoch of an ISO basic time such as `20260131T235959Z`. */
function parseAmzDate(amzDate: string | undefined, code: MalformedCode | 'AccessDenied'): number {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(amzDate ?? '');
  const timeMs = match ? Date.parse(amzDate!.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')) : NaN;
  if (Number.isNaN(timeMs)) throw new S3Error(code, 'A request needs a valid X-Amz-Date (YYYYMMDDTHHMMSSZ).');
  return timeMs;
}

function parseCredential(credential: string, amzDate: string, code: MalformedCode) {
  const parts = credential.split('/');
  const [date, region, service, terminator] = parts.slice(-4);
  const accessKeyId = parts.slice(0, -4).join('/');
  if (!accessKeyId || !region || service !== 's3' || terminator !== 'aws4_request') {
    throw new S3Error(code, 'The credential must be ACCESS_KEY/YYYYMMDD/REGION/s3/aws4_request.');
  }
  if (date !== amzDate.slice(0, 8))
    throw new S3Error(code, 'The date of the credential is not that of the request.');
  return { accessKeyId, date, region };
}

function parseSignature(signature: string, code: MalformedCode): string {
  if (!/^[0-9a-f]{64}$/.test(signature))
    throw new S3Error(code, 'The signature must be 64 hexadecimal digits.');
  return signature;
}

/** The claim of an `Authorization: AWS4-HMAC-SHA256 …` header; refused when its time is over 15 minutes off. */
export function claimFromHeader(request: S3Request, authorization: string, nowMs: number): Claim {
  const code = 'AuthorizationHeaderMalformed';
  if (!authorization.startsWith(`${ALGORITHM} `)) throw new S3Error(code, `Only ${ALGORITHM} is supported.`);
  const fields = new Map(
    authorization
      .slice(ALGORITHM.length)
      .split(',')
      .map((field): [string, string] => {
        const equals = field.indexOf('=');
        return [field.slice(0, equals).trim(), field.slice(equals + 1).trim()];
      }),
  );
  const amzDate = request.headers.get('x-amz-date') ?? '';
  const timeMs = parseAmzDate(amzDate, 'AccessDenied');
  const payloadHash = request.headers.get('x-amz-content-sha256');
  if (payloadHash === undefined) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  if (Math.abs(nowMs - timeMs) > MAX_SKEW_MS) throw new S3Error('RequestTimeTooSkewed');
  return {
    ...parseCredential(fields.get('Credential') ?? '', amzDate, code),
    amzDate,
    signedHeaders: (fields.get('SignedHeaders') ?? '').split(';'),
    signature: parseSignature(fields.get('Signature') ?? '', code),
    payloadHash,
  };
}

/** The claim of a presigned URL; refused before its time, and after `X-Amz-Expires` seconds. */
export function claimFromQuery(request: S3Request, nowMs: number): Claim {
  const code = 'AuthorizationQueryParametersError';
  if (queryValue(request, 'X-Amz-Algorithm') !== ALGORITHM)
    throw new S3Error(code, `Only ${ALGORITHM} is supported.`);
  const amzDate = queryValue(request, 'X-Amz-Date') ?? '';
  const timeMs = parseAmzDate(amzDate, code);
  const expiresText = queryValue(request, 'X-Amz-Expires') ?? '';
  const expiresS = /^\d{1,7}$/.test(expiresText) ? Number(expiresText) : NaN;
  if (!(expiresS >= 1 && expiresS <= MAX_EXPIRES_S)) {
    throw new S3Error(code, `X-Amz-Expires must be from 1 to ${MAX_EXPIRES_S} seconds.`);
  }
  if (timeMs - nowMs > MAX_SKEW_MS) throw new S3Error('AccessDenied', 'Request is not valid yet');
  if (nowMs > timeMs + expiresS * 1000) throw new S3Error('AccessDenied', 'Request has expired');
  const signedHeaders = (queryValue(request, 'X-Amz-SignedHeaders') ?? '').split(';');
  const signedHash = signedHeaders.includes('x-amz-content-sha256')
    ? request.headers.get('x-amz-content-sha256')
    : undefined;
  return {
    ...parseCredential(queryValue(request, 'X-Amz-Credential') ?? '', amzDate, code),
    amzDate,
    signedHeaders,
    signature: parseSignature(queryValue(request, 'X-Amz-Signature') ?? '', code),
    payloadHash: queryValue(request, 'X-Amz-Content-Sha256') ?? signedHash ?? 'UNSIGNED-PAYLOAD',
  };
}
