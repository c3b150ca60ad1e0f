import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Client, type ClientOptions, CopyConditions } from 'minio';
import { bytesOf, ownPrefix, type S3Target, startTarget } from './s3-target';

// A second client, written by others than the first: what both agree on is the protocol, not one SDK's habits.
let target: S3Target;
let client: Client;
const prefix = ownPrefix('minio');

function minioClient(options: Partial<ClientOptions> = {}): Client {
  const { hostname, port, protocol } = new URL(target.endpoint);
  const { accessKeyId: accessKey, secretAccessKey: secretKey, region } = target;
  const address = { endPoint: hostname, port: Number(port) || undefined, useSSL: protocol === 'https:' };
  return new Client({ ...address, accessKey, secretKey, region, ...options });
}

beforeAll(async () => {
  target = await startTarget();
  client = minioClient();
});
afterAll(() => target.stop());

describe('the minio client', () => {
  it('finds the bucket', async () => {
    expect(await client.bucketExists(target.bucket)).toBe(true);
    expect(await client.bucketExists('no-such-bucket-here')).toBe(false);
    expect((await client.listBuckets()).map(({ name }) => name)).toContain(target.bucket);
  });

  it('is refused with a wrong secret', async () => {
    const wrong = minioClient({ secretKey: 'wrong' });
    await expect(wrong.getObject(target.bucket, 'x')).rejects.toMatchObject({
      code: 'SignatureDoesNotMatch',
    });
  });

  it.each(['plain', '../up/../../é 😀', 'a//b+c%20d'])(
    'writes, describes, reads and removes %j',
    async (name) => {
      const key = prefix + name;
      const body = randomBytes(100_000);
      await client.putObject(target.bucket, key, body, body.length, {
        'Content-Type': 'text/x',
        'X-Amz-Meta-Rank': '3',
      });
      const { size, metaData } = await client.statObject(target.bucket, key);
      expect([size, metaData['content-type'], metaData.rank]).toEqual([body.length, 'text/x', '3']);
      expect((await bytesOf(await client.getObject(target.bucket, key))).equals(body)).toBe(true);
      const part = await client.getPartialObject(target.bucket, key, 10, 20);
      expect((await bytesOf(part)).equals(body.subarray(10, 30))).toBe(true);
      await client.removeObject(target.bucket, key);
      await expect(client.statObject(target.bucket, key)).rejects.toMatchObject({ code: 'NotFound' });
    },
  );

  it('streams a large object in parts', async () => {
    const body = randomBytes(12 * 2 ** 20);
    const parts = minioClient({ partSize: 5 * 2 ** 20 });
    const stream = Readable.from([body.subarray(0, 7), body.subarray(7)]);
    await parts.putObject(target.bucket, `${prefix}large`, stream, body.length);
    expect((await bytesOf(await client.getObject(target.bucket, `${prefix}large`))).equals(body)).toBe(true);
    expect((await client.statObject(target.bucket, `${prefix}large`)).etag).toMatch(/-\d+$/);
  });

  it('lists with both versions of the listing, flat and by folder', async () => {
    const own = ownPrefix('minio-list');
    for (const name of ['a', 'b/1', 'b/2', 'c']) await client.putObject(target.bucket, own + name, name);
    for (const list of [client.listObjects.bind(client), client.listObjectsV2.bind(client)]) {
      const namesOf = async (recursive: boolean) => {
        const names: string[] = [];
        for await (const item of list(target.bucket, own, recursive) as AsyncIterable<{
          name?: string;
          prefix?: string;
        }>) {
          names.push((item.name ?? item.prefix ?? '').slice(own.length));
        }
        return names.sort();
      };
      expect(await namesOf(true)).toEqual(['a', 'b/1', 'b/2', 'c']);
      expect(await namesOf(false)).toEqual(['a', 'b/', 'c']);
    }
    await client.removeObjects(
      target.bucket,
      ['a', 'b/1', 'b/2', 'c'].map((name) => own + name),
    );
  });

  it('copies', async () => {
    await client.putObject(target.bucket, `${prefix}source ü`, 'content');
    const source = `/${target.bucket}/${prefix}source ü`;
    await client.copyObject(target.bucket, `${prefix}copy`, source, new CopyConditions());
    expect((await bytesOf(await client.getObject(target.bucket, `${prefix}copy`))).toString()).toBe(
      'content',
    );
  });

  it('signs URLs that work', async () => {
    const key = `${prefix}presigned`;
    const put = await fetch(await client.presignedPutObject(target.bucket, key, 60), {
      method: 'PUT',
      body: 'signed',
    });
    expect(put.status).toBe(200);
    const get = await fetch(await client.presignedGetObject(target.bucket, key, 60));
    expect(await get.text()).toBe('signed');
  });

  it('starts, lists and aborts multipart uploads', async () => {
    const key = `${prefix}incomplete`;
    const id = await client.initiateNewMultipartUpload(target.bucket, key, {});
    const uploads: { key: string; uploadId: string }[] = [];
    const listed = client.listIncompleteUploads(target.bucket, key, true);
    for await (const upload of listed as AsyncIterable<{ key: string; uploadId: string }>)
      uploads.push(upload);
    expect(uploads).toMatchObject([{ key, uploadId: id }]);
    await client.removeIncompleteUpload(target.bucket, key);
    await expect(client.abortMultipartUpload(target.bucket, key, id)).rejects.toMatchObject({
      code: 'NoSuchUpload',
    });
  });
});
