import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { createClient, ownPrefix, refusal, type S3Target, startTarget } from './s3-target';

let target: S3Target;
let client: S3Client;
let Bucket: string;
const prefix = ownPrefix('objects');

beforeAll(async () => {
  target = await startTarget();
  client = createClient(target);
  Bucket = target.bucket;
});
afterAll(async () => {
  client.destroy();
  await target.stop();
});

const put = (Key: string, Body: string | Buffer, more = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const get = (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  client.send(new GetObjectCommand({ Bucket, Key, ...more }));
const textOf = async (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  (await get(Key, more)).Body?.transformToString();

describe('buckets', () => {
  it('are found and listed; one that does not exist is 404', async () => {
    await client.send(new HeadBucketCommand({ Bucket }));
    const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
    expect(Buckets.map(({ Name }) => Name)).toContain(Bucket);
    expect(
      (await refusal(client.send(new HeadBucketCommand({ Bucket: 'no-such-bucket-here' })))).status,
    ).toBe(404);
    const call = client.send(new GetObjectCommand({ Bucket: 'no-such-bucket-here', Key: 'x' }));
    expect(await refusal(call)).toEqual({ code: 'NoSuchBucket', status: 404 });
  });
});

describe('versions', () => {
  it('were never turned on', async () => {
    expect((await client.send(new GetBucketVersioningCommand({ Bucket }))).Status).toBeUndefined();
  });
});

describe('objects', () => {
  it('keep their type, disposition and metadata', async () => {
    const Key = `${prefix}meta`;
    const kept = { ContentType: 'application/json', ContentDisposition: 'inline', Metadata: { rank: '7' } };
    const { ETag } = await put(Key, '{}', kept);
    const head = await client.send(new HeadObjectCommand({ Bucket, Key }));
    expect(head).toMatchObject({ ...kept, ETag, ContentLength: 2 });
    expect(Math.abs(Date.now() - (head.LastModified?.getTime() ?? 0))).toBeLessThan(60_000);
  });

  it('are replaced as a whole, with another tag', async () => {
    const Key = `${prefix}replace`;
    const first = await put(Key, 'first', { Metadata: { a: '1' } });
    const second = await put(Key, 'second');
    expect(second.ETag).not.toBe(first.ETag);
    const object = await get(Key);
    expect([await object.Body?.transformToString(), object.Metadata]).toEqual(['second', {}]);
  });

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-4', '4', 'bytes 4-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
    ['bytes=-100', '0123456789', 'bytes 0-9/10'],
  ])('give the range %s', async (Range, text, ContentRange) => {
    const Key = `${prefix}range`;
    await put(Key, '0123456789');
    const object = await get(Key, { Range });
    expect([await object.Body?.transformToString(), object.ContentRange]).toEqual([text, ContentRange]);
    expect(object.$metadata.httpStatusCode).toBe(206);
  });

  it('refuse a range behind their end', async () => {
    const Key = `${prefix}short`;
    await put(Key, '0123456789');
    expect(await refusal(get(Key, { Range: 'bytes=10-20' }))).toEqual({ code: 'InvalidRange', status: 416 });
  });

  it('are read under conditions', async () => {
    const Key = `${prefix}conditions`;
    const { ETag } = await put(Key, 'x');
    const { LastModified: modified = new Date() } = await client.send(new HeadObjectCommand({ Bucket, Key }));
    const before = new Date(modified.getTime() - 10_000);
    expect(await textOf(Key, { IfMatch: ETag })).toBe('x');
    expect((await refusal(get(Key, { IfMatch: '"other"' }))).status).toBe(412);
    expect(await textOf(Key, { IfNoneMatch: '"other"' })).toBe('x');
    expect((await refusal(get(Key, { IfNoneMatch: ETag }))).status).toBe(304);
    expect(await textOf(Key, { IfModifiedSince: before })).toBe('x');
    expect((await refusal(get(Key, { IfModifiedSince: modified }))).status).toBe(304);
    expect(await textOf(Key, { IfUnmodifiedSince: modified })).toBe('x');
    expect((await refusal(get(Key, { IfUnmodifiedSince: before }))).status).toBe(412);
  });

  it('are written under conditions', async () => {
    const Key = `${prefix}create-only`;
    const { ETag } = await put(Key, 'first', { IfNoneMatch: '*' });
    expect((await refusal(put(Key, 'second', { IfNoneMatch: '*' }))).status).toBe(412);
    expect((await refusal(put(Key, 'second', { IfMatch: '"other"' }))).status).toBe(412);
    expect(await textOf(Key)).toBe('first');
    await put(Key, 'second', { IfMatch: ETag });
    expect(await textOf(Key)).toBe('second');
  });

  it('are missing with NoSuchKey and a request id', async () => {
    expect(await refusal(get(`${prefix}none`))).toEqual({ code: 'NoSuchKey', status: 404 });
    const error = await get(`${prefix}none`).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ $metadata: { requestId: expect.stringMatching(/\w+/) as string } });
    expect((await refusal(client.send(new HeadObjectCommand({ Bucket, Key: `${prefix}none` })))).status).toBe(
      404,
    );
  });

  it('are deleted, and deleting again is no error', async () => {
    const Key = `${prefix}delete`;
    await put(Key, 'x');
    for (let i = 0; i < 2; i++) await client.send(new DeleteObjectCommand({ Bucket, Key }));
    expect((await refusal(get(Key))).code).toBe('NoSuchKey');
  });

  it('are deleted many at a time, odd names and missing ones included', async () => {
    const keys = ['a', 'b & <c> "d" \'e\'', 'é/ü', 'missing'].map((name) => `${prefix}many/${name}`);
    for (const Key of keys.slice(0, 3)) await put(Key, 'x');
    const Objects = keys.map((Key) => ({ Key }));
    const { Deleted, Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects } }),
    );
    expect(Errors).toEqual([]);
    expect(Deleted?.map(({ Key }) => Key).sort()).toEqual([...keys].sort());
    for (const Key of keys) expect((await refusal(get(Key))).code).toBe('NoSuchKey');
  });

  it('are copied with their metadata', async () => {
    const Key = `${prefix}copy of ü`;
    await put(`${prefix}source ü`, 'content', { ContentType: 'text/plain', Metadata: { a: '1' } });
    const CopySource = `${Bucket}/${encodeURIComponent(`${prefix}source ü`)}`;
    await client.send(new CopyObjectCommand({ Bucket, Key, CopySource }));
    const copy = await get(Key);
    expect(await copy.Body?.transformToString()).toBe('content');
    expect(copy).toMatchObject({ ContentType: 'text/plain', Metadata: { a: '1' } });
    const missing = client.send(
      new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${prefix}none` }),
    );
    expect(await refusal(missing)).toEqual({ code: 'NoSuchKey', status: 404 });
  });
});

describe('many at once', () => {
  it('the last of concurrent writes wins as a whole', async () => {
    const Key = `${prefix}race`;
    const bodies = Array.from({ length: 12 }, (_, i) => Buffer.alloc(200_000 + i, i));
    await Promise.all(bodies.map((body) => put(Key, body)));
    const stored = Buffer.from((await (await get(Key)).Body?.transformToByteArray()) ?? []);
    expect(bodies.some((body) => body.equals(stored))).toBe(true);
  });

  it('readers see whole objects while they are replaced and deleted', async () => {
    const Key = `${prefix}replaced`;
    const whole = (bytes: Uint8Array) => bytes.length === 300_000 && bytes.every((byte) => byte === bytes[0]);
    await put(Key, Buffer.alloc(300_000, 0));
    const reads = Array.from({ length: 20 }, async () => {
      const object = await get(Key);
      return object.Body?.transformToByteArray() ?? new Uint8Array();
    });
    const writes = Array.from({ length: 10 }, (_, i) => put(Key, Buffer.alloc(300_000, i + 1)));
    await Promise.all(writes);
    for (const bytes of await Promise.all(reads)) expect(whole(bytes)).toBe(true);
    const open = await get(Key);
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
    expect(whole((await open.Body?.transformToByteArray()) ?? new Uint8Array())).toBe(true);
  });
});
