import { randomBytes } from 'node:crypto';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { ObjectStore } from '../../../src/platform/object-store';
import { bytesOf, createClient, ownPrefix, type S3Target, startTarget } from './s3-target';

const MIB = 2 ** 20;
let target: S3Target;
let store: ObjectStore;
const prefix = ownPrefix('adapter-multipart');

beforeAll(async () => {
  target = await startTarget();
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = target;
  store = new ObjectStore({ endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle: true });
});
afterAll(async () => {
  store.onApplicationShutdown();
  await target.stop();
});

describe('presigned multipart upload', () => {
  it('goes through plain PUTs, is listed, completed, and completed again', async () => {
    const key = `${prefix}parts`;
    const bodies = [randomBytes(5 * MIB), randomBytes(1000)];
    const uploadId = await store.createMultipartUpload(key, { contentType: 'application/gzip' });
    for (const [i, body] of bodies.entries()) {
      const url = await store.presignPart(key, uploadId, i + 1, body.length, 60);
      expect([...new URL(url).searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
      expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host');
      expect((await fetch(url, { method: 'PUT', body })).status).toBe(200);
    }
    const parts = await store.listParts(key, uploadId);
    expect(parts.map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes])).toEqual([
      [1, 5 * MIB],
      [2, 1000],
    ]);
    await store.completeMultipartUpload(key, uploadId, [...parts].reverse());
    await store.completeMultipartUpload(key, uploadId, parts);
    expect(await store.head(key)).toMatchObject({
      sizeBytes: 5 * MIB + 1000,
      contentType: 'application/gzip',
    });
    expect((await bytesOf(await store.read(key))).equals(Buffer.concat(bodies))).toBe(true);
    const wrong = store.completeMultipartUpload(key, uploadId, [{ partNumber: 1, etag: parts[1].etag }]);
    const code = expect.stringMatching(/^(UPLOAD_NOT_FOUND|PARTS_REFUSED)$/) as string;
    await expect(wrong).rejects.toMatchObject({ code });
  });

  it('takes no other length than the one that was signed', async () => {
    const key = `${prefix}length`;
    const uploadId = await store.createMultipartUpload(key);
    const url = await store.presignPart(key, uploadId, 1, 10, 60);
    expect((await fetch(url, { method: 'PUT', body: 'eleven bytes' })).status).toBe(403);
    expect(await store.listParts(key, uploadId)).toEqual([]);
    await store.abortMultipartUpload(key, uploadId);
  });

  it('lists more parts than one page holds', async () => {
    const key = `${prefix}pages`;
    const uploadId = await store.createMultipartUpload(key);
    const numbers = Array.from({ length: 1003 }, (_, i) => i + 1);
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (const number of numbers.filter((n) => n % 8 === worker)) {
          const url = await store.presignPart(key, uploadId, number, 1, 60);
          expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(200);
        }
      }),
    );
    const parts = await store.listParts(key, uploadId);
    expect(parts.map(({ partNumber }) => partNumber)).toEqual(numbers);
    await store.abortMultipartUpload(key, uploadId);
  });

  it('says what is wrong with parts', async () => {
    const key = `${prefix}wrong-parts`;
    const uploadId = await store.createMultipartUpload(key);
    const upload = async (partNumber: number, body: string) => {
      const url = await store.presignPart(key, uploadId, partNumber, body.length, 60);
      await fetch(url, { method: 'PUT', body });
    };
    await upload(1, 'small');
    await upload(2, 'small too');
    const refused = { code: 'PARTS_REFUSED' };
    const parts = await store.listParts(key, uploadId);
    const [one, two] = parts;
    await expect(store.completeMultipartUpload(key, uploadId, parts)).rejects.toMatchObject(refused);
    await expect(store.completeMultipartUpload(key, uploadId, [])).rejects.toMatchObject(refused);
    await expect(store.completeMultipartUpload(key, uploadId, [one, one])).rejects.toMatchObject(refused);
    const swapped = [{ partNumber: 1, etag: two.etag }];
    await expect(store.completeMultipartUpload(key, uploadId, swapped)).rejects.toMatchObject(refused);
    await store.completeMultipartUpload(key, uploadId, [one]);
    expect((await bytesOf(await store.read(key))).toString()).toBe('small');
  });

  it('is aborted, twice without complaint, and is gone then', async () => {
    const key = `${prefix}abort`;
    const uploadId = await store.createMultipartUpload(key);
    await store.abortMultipartUpload(key, uploadId);
    await store.abortMultipartUpload(key, uploadId);
    await expect(store.listParts(key, uploadId)).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
  });

  it('is aborted under a prefix when it is old', async () => {
    const own = ownPrefix('stale');
    for (const name of ['a', 'b']) await store.createMultipartUpload(own + name);
    expect(await store.abortUploadsUnder(own, new Date(Date.now() - 3600_000))).toBe(0);
    expect(await store.abortUploadsUnder(own, new Date(Date.now() + 3600_000))).toBe(2);
    const client = createClient(target);
    const left = await client.send(new ListMultipartUploadsCommand({ Bucket: target.bucket, Prefix: own }));
    client.destroy();
    expect(left.Uploads ?? []).toEqual([]);
  });

  it('refuses arguments that S3 has no room for', async () => {
    await expect(store.presignPart('k', 'u', 0, 1, 60)).rejects.toThrow(RangeError);
    await expect(store.presignPart('k', 'u', 1, 6 * 2 ** 30, 60)).rejects.toThrow(RangeError);
    await expect(store.presignPart('k', 'u', 1, 1, 8 * 86_400)).rejects.toThrow(RangeError);
  });
});
