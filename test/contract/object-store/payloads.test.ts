import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { ChecksumAlgorithm, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { createClient, ownPrefix, refusal, type S3Target, startTarget, tamper } from './s3-target';

let target: S3Target;
let client: S3Client;
const prefix = ownPrefix('payloads');

beforeAll(async () => {
  target = await startTarget();
  client = createClient(target);
});
afterAll(async () => {
  client.destroy();
  await target.stop();
});

const put = (name: string, input: Partial<PutObjectCommand['input']>) =>
  client.send(new PutObjectCommand({ Bucket: target.bucket, Key: prefix + name, ...input }));
const get = async (name: string) => {
  const object = await client.send(
    new GetObjectCommand({ Bucket: target.bucket, Key: prefix + name, ChecksumMode: 'ENABLED' }),
  );
  return Buffer.from((await object.Body?.transformToByteArray()) ?? []);
};

describe('bodies', () => {
  it.each([0, 1, 65_536, 3_000_000])('of %d bytes come back as they went', async (sizeBytes) => {
    const body = randomBytes(sizeBytes);
    await put(`size-${sizeBytes}`, { Body: body });
    expect((await get(`size-${sizeBytes}`)).equals(body)).toBe(true);
  });

  it.each(Object.values(ChecksumAlgorithm).filter((name) => /^(CRC|SHA1|SHA256)/.test(name)))(
    'are accepted with a %s checksum that is right',
    async (ChecksumAlgorithm) => {
      const body = randomBytes(100_000);
      await put(ChecksumAlgorithm, { Body: body, ChecksumAlgorithm });
      expect((await get(ChecksumAlgorithm)).equals(body)).toBe(true);
    },
  );

  it.each([
    ['ChecksumCRC32', 'AAAAAA=='],
    ['ChecksumCRC32C', 'AAAAAA=='],
    ['ChecksumSHA1', createHash('sha1').update('other').digest('base64')],
    ['ChecksumSHA256', createHash('sha256').update('other').digest('base64')],
  ])('are refused with a wrong %s', async (name, value) => {
    expect(await refusal(put(name, { Body: 'body', [name]: value }))).toEqual({
      code: 'BadDigest',
      status: 400,
    });
    expect((await refusal(get(name))).code).toBe('NoSuchKey');
  });

  it('are refused with a wrong or malformed Content-MD5, accepted with a right one', async () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('base64');
    expect(await refusal(put('md5', { Body: 'body', ContentMD5: md5('other') }))).toEqual({
      code: 'BadDigest',
      status: 400,
    });
    expect(await refusal(put('md5', { Body: 'body', ContentMD5: 'short' }))).toEqual({
      code: 'InvalidDigest',
      status: 400,
    });
    await put('md5', { Body: 'body', ContentMD5: md5('body') });
    expect((await get('md5')).toString()).toBe('body');
  });

  it('are refused when they are not what was signed', async () => {
    const tampering = createClient(target, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    tamper(tampering, 'after signing', (request) => (request.body = 'evil'));
    const command = new PutObjectCommand({ Bucket: target.bucket, Key: `${prefix}hash`, Body: 'good' });
    expect(await refusal(tampering.send(command))).toEqual({
      code: 'XAmzContentSHA256Mismatch',
      status: 400,
    });
    expect((await refusal(get('hash'))).code).toBe('NoSuchKey');
    tampering.destroy();
  });

  it('come back from a stream, sent as aws-chunked with a trailing checksum', async () => {
    const body = randomBytes(500_000);
    const chunks = [body.subarray(0, 3), body.subarray(3, 200_000), body.subarray(200_000)];
    const watched = createClient(target);
    let form: string | undefined;
    tamper(watched, 'after signing', ({ headers }) => (form = headers['x-amz-content-sha256']));
    const Body = Readable.from(chunks);
    const command = { Bucket: target.bucket, Key: `${prefix}stream`, Body, ContentLength: body.length };
    await watched.send(new PutObjectCommand(command));
    watched.destroy();
    expect(form).toBe('STREAMING-UNSIGNED-PAYLOAD-TRAILER');
    expect((await get('stream')).equals(body)).toBe(true);
  });

  it.each([3, 5])('of four bytes are refused as a chunked stream that announced %d', async (announced) => {
    const tampering = createClient(target);
    tamper(tampering, 'before signing', ({ headers }) => {
      headers['x-amz-decoded-content-length'] = String(announced);
    });
    const Key = `${prefix}length`;
    const Body = Readable.from([Buffer.from('four')]);
    const command = new PutObjectCommand({ Bucket: target.bucket, Key, Body, ContentLength: 4 });
    expect(await refusal(tampering.send(command))).toEqual({ code: 'IncompleteBody', status: 400 });
    expect((await refusal(get('length'))).code).toBe('NoSuchKey');
    tampering.destroy();
  });

  it('leave nothing behind when the client goes away in the middle', async () => {
    const command = new PutObjectCommand({ Bucket: target.bucket, Key: `${prefix}cut` });
    const plain = createClient(target, { requestChecksumCalculation: 'WHEN_REQUIRED' });
    const url = await getSignedUrl(plain, command, { expiresIn: 60 });
    plain.destroy();
    await new Promise<void>((resolve) => {
      const request = httpRequest(url, { method: 'PUT', headers: { 'content-length': 1_000_000 } });
      request.on('error', () => undefined).on('close', resolve);
      request.write(Buffer.alloc(100_000), () => setTimeout(() => request.destroy(), 50));
    });
    expect((await refusal(get('cut'))).code).toBe('NoSuchKey');
  });
});
