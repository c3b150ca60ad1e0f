import { createHash } from 'node:crypto';
import { S3Error } from '../http/s3-error';
import { type Authenticated, sameSignature } from '../sigv4/authenticate';
import { EMPTY_SHA256, hmac, sha256Hex } from '../sigv4/canonical';
import { ByteReader } from './byte-reader';

const MAX_CHUNK_HEADER_BYTES = 256;
const MAX_TRAILER_LINE_BYTES = 1024;
const MAX_TRAILERS = 16;

/** How an `aws-chunked` body is framed, from its `x-amz-content-sha256`. */
export interface ChunkedForm {
  signed: boolean;
  trailer: boolean;
}

/** The framing that a payload hash names, or `undefined` when the body is not `aws-chunked`. */
export function chunkedForm(payloadHash: string): ChunkedForm | undefined {
  switch (payloadHash) {
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD':
      return { signed: true, trailer: false };
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER':
      return { signed: true, trailer: true };
    case 'STREAMING-UNSIGNED-PAYLOAD-TRAILER':
      return { signed: false, trailer: true };
    default:
      return undefined;
  }
}

/** Chunk signatures, each of which covers the one before it (AWS "Signature calculations for chunked uploads"). */
class SignatureChain {
  private previous: string;

  constructor(private readonly auth: Authenticated) {
    this.previous = auth.signature;
  }

  verify(algorithm: string, parts: readonly string[], claimed: string | undefined): void {
    const toSign = [algorithm, this.auth.amzDate, this.auth.scope, this.previous, ...parts].join('\n');
    const expected = hmac(this.auth.signingKey, toSign).toString('hex');
    if (claimed === undefined || !sameSignature(expected, claimed)) {
      throw new S3Error(
        'SignatureDoesNotMatch',
        'The signature of a chunk or trailer of the body does not match.',
      );
    }
    this.previous = expected;
  }
}

function parseChunkHeader(line: string): { sizeBytes: number; signature: string | undefined } {
  const match = /^([0-9a-fA-F]{1,10})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line);
  if (!match) throw new S3Error('InvalidRequest', 'A chunk header of the aws-chunked body is not valid.');
  return { sizeBytes: parseInt(match[1], 16), signature: match[2] };
}

async function expectLineEnd(reader: ByteReader): Promise<void> {
  if ((await reader.line(2)) !== '')
    throw new S3Error('IncompleteBody', 'A chunk of the body has the wrong size.');
}

async function readTrailers(
  reader: ByteReader,
  chain: SignatureChain | undefined,
): Promise<Map<string, string>> {
  const trailers = new Map<string, string>();
  let signature: string | undefined;
  for (let line = await reader.line(MAX_TRAILER_LINE_BYTES); line !== '';) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (colon < 1 || trailers.size >= MAX_TRAILERS) throw new S3Error('InvalidRequest', 'Invalid trailer.');
    if (name === 'x-amz-trailer-signature') signature = value;
    else trailers.set(name, value);
    // Some clients end the body after the last trailer without the empty line.
    line = (await reader.atEnd()) ? '' : await reader.line(MAX_TRAILER_LINE_BYTES);
  }
  if (chain) {
    const canonical = [...trailers].map(([name, value]) => `${name}:${value}\n`).join('');
    chain.verify('AWS4-HMAC-SHA256-TRAILER', [sha256Hex(canonical)], signature);
  }
  return trailers;
}

/**
 * Decodes an `aws-chunked` body and verifies every chunk signature. Bytes are passed on before their chunk's signature
 * is checked, so a consumer must not publish them before the iteration ends. `onTrailers` gets the trailing headers.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  form: ChunkedForm,
  auth: Authenticated,
  onTrailers: (trailers: ReadonlyMap<string, string>) => void,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  const chain = form.signed ? new SignatureChain(auth) : undefined;
  for (;;) {
    const { sizeBytes, signature } = parseChunkHeader(await reader.line(MAX_CHUNK_HEADER_BYTES));
    const hash = createHash('sha256');
    for await (const piece of reader.take(sizeBytes)) {
      if (chain) hash.update(piece);
      yield piece;
    }
    chain?.verify('AWS4-HMAC-SHA256-PAYLOAD', [EMPTY_SHA256, hash.digest('hex')], signature);
    if (sizeBytes === 0) break;
    await expectLineEnd(reader);
  }
  if (form.trailer) onTrailers(await readTrailers(reader, chain));
  else if (!(await reader.atEnd())) await expectLineEnd(reader);
  if (!(await reader.atEnd())) throw new S3Error('InvalidRequest', 'The body goes on after its last chunk.');
}
