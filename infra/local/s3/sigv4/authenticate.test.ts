import { type S3Request } from '../http/parse-request';
import { S3Error } from '../http/s3-error';
import { authenticate } from './authenticate';

// The examples of Amazon's documentation of Signature Version 4 for S3 ("Authenticating Requests", "Presigned URLs").
const CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const NOW_MS = Date.parse('2013-05-24T00:00:00Z');
const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function request(
  method: string,
  path: string,
  query: [string, string][],
  headers: Record<string, string>,
): S3Request {
  return { method, path, bucket: '', key: '', query, headers: new Map(Object.entries(headers)) };
}

function signedInHeader(
  [method, path, query]: [string, string, [string, string][]],
  headers: Record<string, string>,
  signature: string,
): S3Request {
  const all: Record<string, string> = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': EMPTY_HASH,
    'x-amz-date': '20130524T000000Z',
    ...headers,
  };
  const scope = `${CREDENTIALS.accessKeyId}/20130524/us-east-1/s3/aws4_request`;
  const signedHeaders = Object.keys(all).sort().join(';');
  all.authorization = `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${signedHeaders},Signature=${signature}`;
  return request(method, path, query, all);
}

const GET_OBJECT = signedInHeader(
  ['GET', '/test.txt', []],
  { range: 'bytes=0-9' },
  'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
);

const PRESIGNED = request(
  'GET',
  '/test.txt',
  [
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
    ['X-Amz-Credential', `${CREDENTIALS.accessKeyId}/20130524/us-east-1/s3/aws4_request`],
    ['X-Amz-Date', '20130524T000000Z'],
    ['X-Amz-Expires', '86400'],
    ['X-Amz-SignedHeaders', 'host'],
    ['X-Amz-Signature', 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404'],
  ],
  { host: 'examplebucket.s3.amazonaws.com' },
);

function codeOf(changed: S3Request, nowMs = NOW_MS, credentials = CREDENTIALS): string {
  try {
    authenticate(changed, credentials, nowMs);
    return 'accepted';
  } catch (error) {
    if (error instanceof S3Error) return error.code;
    throw error;
  }
}

function withHeader(base: S3Request, name: string, value: string | undefined): S3Request {
  const headers = new Map(base.headers);
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
  return { ...base, headers };
}

function withQuery(name: string, value: string | undefined): S3Request {
  const query = PRESIGNED.query.filter(([other]) => other !== name);
  return { ...PRESIGNED, query: value === undefined ? query : [...query, [name, value]] };
}

describe('header signatures', () => {
  it.each<[string, S3Request]>([
    ['GET object', GET_OBJECT],
    [
      'PUT object',
      signedInHeader(
        ['PUT', '/test$file.text', []],
        {
          date: 'Fri, 24 May 2013 00:00:00 GMT',
          'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
          'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        },
        '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
      ),
    ],
    [
      'GET bucket lifecycle',
      signedInHeader(
        ['GET', '/', [['lifecycle', '']]],
        {},
        'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
      ),
    ],
    [
      'list objects',
      signedInHeader(
        [
          'GET',
          '/',
          [
            ['prefix', 'J'],
            ['max-keys', '2'],
          ],
        ],
        {},
        '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
      ),
    ],
  ])("accepts Amazon's example: %s", (_, example) => {
    expect(authenticate(example, CREDENTIALS, NOW_MS).payloadHash).toBe(
      example.headers.get('x-amz-content-sha256'),
    );
  });

  it('accepts 15 minutes of skew, and no more', () => {
    for (const sign of [-1, 1]) {
      expect(codeOf(GET_OBJECT, NOW_MS + sign * 15 * 60_000)).toBe('accepted');
      expect(codeOf(GET_OBJECT, NOW_MS + sign * (15 * 60_000 + 1))).toBe('RequestTimeTooSkewed');
    }
  });

  it.each<[string, S3Request, string]>([
    ['another method', { ...GET_OBJECT, method: 'PUT' }, 'SignatureDoesNotMatch'],
    ['another path', { ...GET_OBJECT, path: '/test.txt/' }, 'SignatureDoesNotMatch'],
    ['more query', { ...GET_OBJECT, query: [['a', '']] }, 'SignatureDoesNotMatch'],
    ['another host', withHeader(GET_OBJECT, 'host', 'other'), 'SignatureDoesNotMatch'],
    ['a signed header gone', withHeader(GET_OBJECT, 'range', undefined), 'SignatureDoesNotMatch'],
    ['an unsigned x-amz header', withHeader(GET_OBJECT, 'x-amz-acl', 'public-read'), 'AccessDenied'],
    [
      'another payload hash',
      withHeader(GET_OBJECT, 'x-amz-content-sha256', 'UNSIGNED-PAYLOAD'),
      'SignatureDoesNotMatch',
    ],
    ['no payload hash', withHeader(GET_OBJECT, 'x-amz-content-sha256', undefined), 'InvalidRequest'],
    ['no date', withHeader(GET_OBJECT, 'x-amz-date', undefined), 'AccessDenied'],
    ['another date', withHeader(GET_OBJECT, 'x-amz-date', '20130524T000001Z'), 'SignatureDoesNotMatch'],
    ['another scheme', withHeader(GET_OBJECT, 'authorization', 'Basic eDp5'), 'AuthorizationHeaderMalformed'],
    [
      'no signature',
      withHeader(GET_OBJECT, 'authorization', 'AWS4-HMAC-SHA256 '),
      'AuthorizationHeaderMalformed',
    ],
    ['nothing at all', withHeader(GET_OBJECT, 'authorization', undefined), 'AccessDenied'],
  ])('refuses %s', (_, changed, code) => {
    expect(codeOf(changed)).toBe(code);
  });

  it('refuses another day, service or region in the scope', () => {
    const scoped = (from: string, to: string) =>
      withHeader(
        GET_OBJECT,
        'authorization',
        (GET_OBJECT.headers.get('authorization') ?? '').replace(from, to),
      );
    expect(codeOf(scoped('/20130524/', '/20130525/'))).toBe('AuthorizationHeaderMalformed');
    expect(codeOf(scoped('/s3/', '/sts/'))).toBe('AuthorizationHeaderMalformed');
    expect(codeOf(scoped('/us-east-1/', '/eu-west-1/'))).toBe('SignatureDoesNotMatch');
    expect(codeOf(scoped('host;', ''))).toBe('AccessDenied');
  });

  it('refuses another secret or key', () => {
    expect(codeOf(GET_OBJECT, NOW_MS, { ...CREDENTIALS, secretAccessKey: 'other' })).toBe(
      'SignatureDoesNotMatch',
    );
    expect(codeOf(GET_OBJECT, NOW_MS, { ...CREDENTIALS, accessKeyId: 'other' })).toBe('InvalidAccessKeyId');
  });
});

describe('presigned URLs', () => {
  it("accepts Amazon's example until the second it expires", () => {
    expect(codeOf(PRESIGNED, NOW_MS + 86_400_000)).toBe('accepted');
    expect(codeOf(PRESIGNED, NOW_MS + 86_400_001)).toBe('AccessDenied');
    expect(codeOf(PRESIGNED, NOW_MS - 15 * 60_000 - 1)).toBe('AccessDenied');
  });

  it.each<[string, S3Request, string]>([
    ['a longer life', withQuery('X-Amz-Expires', '86401'), 'SignatureDoesNotMatch'],
    ['a life of no number', withQuery('X-Amz-Expires', '1e3'), 'AuthorizationQueryParametersError'],
    ['a life of eight days', withQuery('X-Amz-Expires', '691200'), 'AuthorizationQueryParametersError'],
    ['no life', withQuery('X-Amz-Expires', undefined), 'AuthorizationQueryParametersError'],
    [
      'another algorithm',
      withQuery('X-Amz-Algorithm', 'AWS4-HMAC-SHA1'),
      'AuthorizationQueryParametersError',
    ],
    ['no date', withQuery('X-Amz-Date', undefined), 'AuthorizationQueryParametersError'],
    ['an empty signature', withQuery('X-Amz-Signature', ''), 'AuthorizationQueryParametersError'],
    ['another signature', withQuery('X-Amz-Signature', 'a'.repeat(64)), 'SignatureDoesNotMatch'],
    ['no signed host', withQuery('X-Amz-SignedHeaders', 'range'), 'AccessDenied'],
    ['added query', withQuery('response-content-type', 'text/html'), 'SignatureDoesNotMatch'],
    ['an added x-amz header', withHeader(PRESIGNED, 'x-amz-meta-a', '1'), 'AccessDenied'],
    ['both ways of signing', withHeader(PRESIGNED, 'authorization', 'AWS4-HMAC-SHA256 x'), 'InvalidArgument'],
  ])('refuses %s', (_, changed, code) => {
    expect(codeOf(changed)).toBe(code);
  });
});
