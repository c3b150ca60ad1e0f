import { S3Error } from '../http/s3-error';
import { type Authenticated } from '../sigv4/authenticate';
import { signingKey } from '../sigv4/canonical';
import { type ChunkedForm, decodeAwsChunked } from './aws-chunked';

// The examples of Amazon's documentation, "Signature calculations … transferring payload in multiple chunks": 66,560
// times "a" in chunks of 65,536 and 1,024 bytes, without and with a trailing checksum.
const SIGNED: ChunkedForm = { signed: true, trailer: false };
const SIGNED_TRAILER: ChunkedForm = { signed: true, trailer: true };
const UNSIGNED_TRAILER: ChunkedForm = { signed: false, trailer: true };

function authenticated(seedSignature: string): Authenticated {
  return {
    payloadHash: '',
    signature: seedSignature,
    signingKey: signingKey('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', '20130524', 'us-east-1'),
    amzDate: '20130524T000000Z',
    scope: '20130524/us-east-1/s3/aws4_request',
  };
}

const chunk = (signature: string, data: string) =>
  `${data.length.toString(16)};chunk-signature=${signature}\r\n${data}\r\n`;

const PLAIN_AUTH = authenticated('4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9');
const PLAIN_BODY =
  chunk('ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648', 'a'.repeat(65_536)) +
  chunk('0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497', 'a'.repeat(1024)) +
  chunk('b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9', '');

const TRAILER_AUTH = authenticated('106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e');
const TRAILER_BODY =
  chunk('b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2', 'a'.repeat(65_536)) +
  chunk('1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7', 'a'.repeat(1024)) +
  '0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n' +
  'x-amz-checksum-crc32c:sOO8/Q==\r\n' +
  'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n';

async function decode(body: string, form: ChunkedForm, auth: Authenticated, pieceBytes = 10_000) {
  async function* source() {
    for (let at = 0; at < body.length; at += pieceBytes)
      yield Buffer.from(body.slice(at, at + pieceBytes), 'latin1');
  }
  let sizeBytes = 0;
  let trailers: ReadonlyMap<string, string> = new Map();
  try {
    for await (const piece of decodeAwsChunked(source(), form, auth, (found) => (trailers = found))) {
      sizeBytes += piece.length;
    }
  } catch (error) {
    if (error instanceof S3Error) return error.code;
    throw error;
  }
  return { sizeBytes, trailers: Object.fromEntries(trailers) };
}

describe('aws-chunked', () => {
  it.each([1, 7, 65_536, 1_000_000])(
    "accepts Amazon's examples in pieces of %d bytes",
    async (pieceBytes) => {
      expect(await decode(PLAIN_BODY, SIGNED, PLAIN_AUTH, pieceBytes)).toEqual({
        sizeBytes: 66_560,
        trailers: {},
      });
      expect(await decode(TRAILER_BODY, SIGNED_TRAILER, TRAILER_AUTH, pieceBytes)).toEqual({
        sizeBytes: 66_560,
        trailers: { 'x-amz-checksum-crc32c': 'sOO8/Q==' },
      });
    },
  );

  it.each([
    ['changed data', PLAIN_BODY.replace('aa', 'ab')],
    ['a changed signature', PLAIN_BODY.replace('0055627c', '0055627d')],
    ['a chunk without signature', PLAIN_BODY.replace(/;chunk-signature=0055\w+/, '')],
    ['chunks in another order', PLAIN_BODY.slice(-150 - 1024) + PLAIN_BODY.slice(0, -150 - 1024)],
    ['no last chunk', PLAIN_BODY.slice(0, -88)],
    ['a cut', PLAIN_BODY.slice(0, 60_000)],
    ['bytes behind the end', `${PLAIN_BODY}more`],
    ['a size that is no number', PLAIN_BODY.replace('10000;', '-10000;')],
    ['an endless chunk header', 'a'.repeat(100_000)],
  ])('refuses %s', async (_, body) => {
    expect(await decode(body, SIGNED, PLAIN_AUTH)).toMatch(
      /^(SignatureDoesNotMatch|IncompleteBody|InvalidRequest)$/,
    );
  });

  it.each([
    ['changed', TRAILER_BODY.replace('sOO8', 'sOO9')],
    ['unsigned', TRAILER_BODY.replace(/x-amz-trailer-signature:\w+\r\n/, '')],
    ['added', TRAILER_BODY.replace('x-amz-trailer-sig', 'x-amz-meta-a:1\r\nx-amz-trailer-sig')],
  ])('refuses a trailer that was %s', async (_, body) => {
    expect(await decode(body, SIGNED_TRAILER, TRAILER_AUTH)).toBe('SignatureDoesNotMatch');
  });

  it('reads unsigned chunks with trailers, and refuses too many of these', async () => {
    const body = '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n';
    const read = { sizeBytes: 5, trailers: { 'x-amz-checksum-crc32': 'NhCmhg==' } };
    expect(await decode(body, UNSIGNED_TRAILER, PLAIN_AUTH, 1)).toEqual(read);
    const many = Array.from({ length: 100 }, (_, i) => `t${i}:x\r\n`).join('');
    expect(await decode(`0\r\n${many}\r\n`, UNSIGNED_TRAILER, PLAIN_AUTH)).toBe('InvalidRequest');
  });
});
