import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import {
  answerCode,
  createClient,
  ownPrefix,
  refusal,
  type S3Target,
  startTarget,
  type SignedRequest,
  tamper,
} from './s3-target';

let target: S3Target;
let client: S3Client;
const key = `${ownPrefix('signatures')}object`;

beforeAll(async () => {
  target = await startTarget();
  client = createClient(target);
  await client.send(new PutObjectCommand({ Bucket: target.bucket, Key: key, Body: 'signed' }));
});
afterAll(async () => {
  client.destroy();
  await target.stop();
});

async function refusedAfter(change: (request: SignedRequest) => void) {
  const tampering = createClient(target);
  tamper(tampering, 'after signing', change);
  const call = tampering.send(new ListObjectsV2Command({ Bucket: target.bucket, Prefix: key }));
  return refusal(call).finally(() => tampering.destroy());
}

describe('requests signed in the header', () => {
  it('refuses a wrong secret', async () => {
    const { accessKeyId } = target;
    const other = createClient(target, { credentials: { accessKeyId, secretAccessKey: 'not-the-secret' } });
    const call = other.send(new GetObjectCommand({ Bucket: target.bucket, Key: key }));
    expect(await refusal(call)).toEqual({ code: 'SignatureDoesNotMatch', status: 403 });
    other.destroy();
  });

  it('refuses an unknown access key', async () => {
    const other = createClient(target, { credentials: { accessKeyId: 'nobody', secretAccessKey: 'x' } });
    const call = other.send(new GetObjectCommand({ Bucket: target.bucket, Key: key }));
    expect(await refusal(call)).toEqual({ code: 'InvalidAccessKeyId', status: 403 });
    other.destroy();
  });

  it('refuses anonymous requests', async () => {
    const response = await fetch(`${target.endpoint}/${target.bucket}/${key}`);
    expect([response.status, await answerCode(response)]).toEqual([403, 'AccessDenied']);
  });

  it('refuses a changed path', async () => {
    const refused = await refusedAfter((request) => (request.path = `/${target.bucket}/${key}`));
    expect(refused).toEqual({ code: 'SignatureDoesNotMatch', status: 403 });
  });

  it('refuses a changed query', async () => {
    const refused = await refusedAfter((request) => (request.query.prefix = ''));
    expect(refused).toEqual({ code: 'SignatureDoesNotMatch', status: 403 });
  });

  it('refuses an added query parameter', async () => {
    const refused = await refusedAfter((request) => (request.query['max-keys'] = '1'));
    expect(refused).toEqual({ code: 'SignatureDoesNotMatch', status: 403 });
  });

  it('refuses a changed signed header', async () => {
    const refused = await refusedAfter((request) => (request.headers['amz-sdk-invocation-id'] = 'changed'));
    expect(refused).toEqual({ code: 'SignatureDoesNotMatch', status: 403 });
  });

  it('refuses an x-amz header that was not signed', async () => {
    const refused = await refusedAfter((request) => (request.headers['x-amz-expected-bucket-owner'] = 'me'));
    expect(refused.status).toBe(403);
  });

  it('refuses a request dated more than 15 minutes off', async () => {
    const late = createClient(target, { systemClockOffset: -16 * 60_000 });
    const call = late.send(new HeadObjectCommand({ Bucket: target.bucket, Key: key }));
    expect((await refusal(call)).status).toBe(403);
    late.destroy();
  });
});

describe('presigned URLs', () => {
  const get = () => new GetObjectCommand({ Bucket: target.bucket, Key: key });
  const tampered = async (change: (url: URL) => void, init?: RequestInit) => {
    const url = new URL(await getSignedUrl(client, get(), { expiresIn: 60 }));
    change(url);
    const response = await fetch(url, init);
    return [response.status, await answerCode(response)];
  };

  it('are good for their method, key and query', async () => {
    const response = await fetch(await getSignedUrl(client, get(), { expiresIn: 60 }));
    expect([response.status, await response.text()]).toEqual([200, 'signed']);
  });

  it('are refused once expired', async () => {
    const signingDate = new Date(Date.now() - 120_000);
    const response = await fetch(await getSignedUrl(client, get(), { expiresIn: 60, signingDate }));
    expect([response.status, await answerCode(response)]).toEqual([403, 'AccessDenied']);
  });

  it.each<[string, (url: URL) => void, RequestInit | undefined]>([
    ['key', (url) => (url.pathname += 'x'), undefined],
    ['bucket', (url) => (url.pathname = url.pathname.replace('/', '/x')), undefined],
    ['life time', (url) => url.searchParams.set('X-Amz-Expires', '3600'), undefined],
    ['query', (url) => url.searchParams.set('response-content-type', 'text/html'), undefined],
    ['method', () => undefined, { method: 'DELETE' }],
    ['signature', (url) => url.searchParams.set('X-Amz-Signature', 'a'.repeat(64)), undefined],
  ])('are refused with another %s', async (_, change, init) => {
    expect(await tampered(change, init)).toEqual([403, 'SignatureDoesNotMatch']);
  });

  it('are refused when they ask for more than seven days', async () => {
    const [status] = await tampered((url) => url.searchParams.set('X-Amz-Expires', '604801'));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(404);
  });

  it('take an upload by a plain PUT of the signed length, and no other', async () => {
    const plain = createClient(target, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    const command = new PutObjectCommand({ Bucket: target.bucket, Key: `${key}-put`, ContentLength: 5 });
    const url = await getSignedUrl(plain, command, { expiresIn: 60 });
    plain.destroy();
    for (const wrong of ['four', 'sixsix']) {
      const response = await fetch(url, { method: 'PUT', body: wrong });
      expect([response.status, await answerCode(response)]).toEqual([403, 'SignatureDoesNotMatch']);
    }
    expect((await fetch(url, { method: 'PUT', body: 'fives' })).status).toBe(200);
  });

  it('enforce a checksum that was signed into them', async () => {
    const command = new PutObjectCommand({ Bucket: target.bucket, Key: `${key}-crc`, Body: '' });
    const url = await getSignedUrl(client, command, { expiresIn: 60 });
    expect(url).toContain('x-amz-checksum-crc32');
    expect((await fetch(url, { method: 'PUT', body: 'not empty' })).status).toBe(400);
  });
});
