import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type S3Request } from '../http/parse-request';
import { S3Error } from '../http/s3-error';
import { type Authenticated } from '../sigv4/authenticate';
import { chunkedForm, decodeAwsChunked } from './aws-chunked';
import {
  type Checksum,
  checksumHeader,
  type DeclaredChecksum,
  declaredChecksum,
  startChecksum,
} from './checksums';

/** Largest single upload or part, as in S3: 5 GiB. */
export const MAX_BODY_BYTES = 5 * 1024 ** 3;

/** A verified body. */
export interface ReceivedBody {
  sizeBytes: number;
  md5: Buffer;
  checksum?: Checksum;
}

function announcedSizeBytes(request: S3Request, chunked: boolean): number | undefined {
  const text = request.headers.get(chunked ? 'x-amz-decoded-content-length' : 'content-length');
  if (text === undefined) {
    if (chunked || request.headers.get('transfer-encoding') === undefined)
      throw new S3Error('MissingContentLength');
    return undefined;
  }
  if (!/^\d{1,15}$/.test(text)) throw new S3Error('InvalidArgument', 'The content length is not a number.');
  return Number(text);
}

function announcedMd5(request: S3Request): Buffer | undefined {
  const text = request.headers.get('content-md5');
  if (text === undefined) return undefined;
  const md5 = Buffer.from(text, 'base64');
  if (md5.length !== 16 || md5.toString('base64') !== text.trim()) throw new S3Error('InvalidDigest');
  return md5;
}

/** Everything that must hold once the last byte is there. */
class BodyChecks {
  private readonly md5 = createHash('md5');
  private readonly sha256;
  private readonly checksum;
  private readonly declared: DeclaredChecksum | undefined;
  private readonly expectedMd5: Buffer | undefined;
  private readonly expectedSizeBytes: number | undefined;
  private sizeBytes = 0;
  trailers: ReadonlyMap<string, string> = new Map();

  constructor(
    request: S3Request,
    private readonly payloadHash: string,
  ) {
    this.expectedSizeBytes = announcedSizeBytes(request, payloadHash.startsWith('STREAMING-'));
    this.expectedMd5 = announcedMd5(request);
    this.declared = declaredChecksum(request.headers);
    if ((this.expectedSizeBytes ?? 0) > MAX_BODY_BYTES) throw new S3Error('EntityTooLarge');
    this.sha256 = /^[0-9a-f]{64}$/.test(payloadHash) ? createHash('sha256') : undefined;
    this.checksum = this.declared && startChecksum(this.declared.algorithm);
  }

  update(piece: Buffer): void {
    this.sizeBytes += piece.length;
    if (this.sizeBytes > MAX_BODY_BYTES) throw new S3Error('EntityTooLarge');
    this.md5.update(piece);
    this.sha256?.update(piece);
    this.checksum?.update(piece);
  }

  finish(): ReceivedBody {
    if (this.expectedSizeBytes !== undefined && this.sizeBytes !== this.expectedSizeBytes) {
      throw new S3Error('IncompleteBody');
    }
    if (this.sha256 && this.sha256.digest('hex') !== this.payloadHash)
      throw new S3Error('XAmzContentSHA256Mismatch');
    const md5 = this.md5.digest();
    if (this.expectedMd5 && !this.expectedMd5.equals(md5)) throw new S3Error('BadDigest');
    return { sizeBytes: this.sizeBytes, md5, checksum: this.finishChecksum() };
  }

  private finishChecksum(): Checksum | undefined {
    if (!this.declared || !this.checksum) return undefined;
    const { algorithm, inTrailer } = this.declared;
    const expected = inTrailer ? this.trailers.get(checksumHeader(algorithm)) : this.declared.value;
    const value = this.checksum.digest().toString('base64');
    if (expected !== value) {
      throw new S3Error(
        'BadDigest',
        `The ${algorithm.toUpperCase()} you specified did not match the calculated checksum.`,
      );
    }
    return { algorithm, value };
  }
}

function decodedBody(
  body: AsyncIterable<Buffer>,
  auth: Authenticated,
  checks: BodyChecks,
): AsyncIterable<Buffer> {
  const form = chunkedForm(auth.payloadHash);
  if (form) return decodeAwsChunked(body, form, auth, (trailers) => (checks.trailers = trailers));
  if (auth.payloadHash === 'UNSIGNED-PAYLOAD' || /^[0-9a-f]{64}$/.test(auth.payloadHash)) return body;
  throw new S3Error(
    'InvalidArgument',
    'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a STREAMING- form or a SHA-256.',
  );
}

/** Passes the decoded body on and checks it at its end: size, SHA-256, MD5, checksum, chunk signatures. */
async function* checkedBody(
  body: AsyncIterable<Buffer>,
  auth: Authenticated,
  checks: BodyChecks,
  done: (b: ReceivedBody) => void,
) {
  for await (const piece of decodedBody(body, auth, checks)) {
    checks.update(piece);
    yield piece;
  }
  done(checks.finish());
}

/** Streams a request's body into a new file at `path`; the caller removes the file when this throws. */
export async function receiveToFile(
  request: S3Request,
  openBody: () => AsyncIterable<Buffer>,
  auth: Authenticated,
  path: string,
): Promise<ReceivedBody> {
  const checks = new BodyChecks(request, auth.payloadHash);
  let received: ReceivedBody | undefined;
  await pipeline(
    checkedBody(openBody(), auth, checks, (body) => (received = body)),
    createWriteStream(path, { flags: 'wx' }),
  );
  if (!received) throw new S3Error('IncompleteBody');
  return received;
}

/** Reads a small body (an XML document) into memory, verified like any other. */
export async function receiveText(
  request: S3Request,
  openBody: () => AsyncIterable<Buffer>,
  auth: Authenticated,
  maxBytes: number,
): Promise<string> {
  const checks = new BodyChecks(request, auth.payloadHash);
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of checkedBody(openBody(), auth, checks, () => undefined)) {
    sizeBytes += piece.length;
    if (sizeBytes > maxBytes) throw new S3Error('MalformedXML', 'The XML document is too large.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
