import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { ListMultipartUploadsCommand, type S3Client } from '@aws-sdk/client-s3';
import { ObjectStore, type ObjectStoreOptions } from '../../../src/platform/object-store';
import { copyObject } from '../../../src/platform/object-store/copy-object';
import { connectS3 } from '../../../src/platform/object-store/s3-connection';
import { bytesOf, createClient, ownPrefix, type S3Target, startTarget } from './s3-target';

const MIB = 2 ** 20;
let target: S3Target;
let client: S3Client;
let options: ObjectStoreOptions;
let store: ObjectStore;
const prefix = ownPrefix('adapter');

beforeAll(async () => {
  target = await startTarget();
  client = createClient(target);
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = target;
  options = { endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle: true };
  store = new ObjectStore(options);
  await store.ensureBucket();
});
afterAll(async () => {
  store.onApplicationShutdown();
  client.destroy();
  await target.stop();
});

/** A stream that knows nothing of its length. */
function streamOf(bytes: Buffer, chunkBytes = 100_000): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    })(),
  );
}

async function uploadsUnder(Prefix: string) {
  const { Uploads = [] } = await client.send(
    new ListMultipartUploadsCommand({ Bucket: target.bucket, Prefix }),
  );
  return Uploads;
}

describe('bucket', () => {
  it('is there, and making sure again changes nothing', async () => {
    await store.ping();
    await Promise.all([store.ensureBucket(), store.ensureBucket()]);
  });
});

describe('read', () => {
  const body = randomBytes(3 * MIB);
  const key = `${prefix}read`;
  beforeAll(async () => {
    await store.write(key, streamOf(body), { maxBytes: 10 * MIB });
  });

  it.each<[{ start?: number; end?: number }, number, number]>([
    [{}, 0, body.length],
    [{ start: 5 }, 5, body.length],
    [{ end: 9 }, 0, 10],
    [{ start: MIB, end: 2 * MIB }, MIB, 2 * MIB + 1],
    [{ start: body.length - 1, end: body.length + 10 }, body.length - 1, body.length],
  ])('gives %j', async (range, from, to) => {
    expect((await bytesOf(await store.read(key, range))).equals(body.subarray(from, to))).toBe(true);
  });

  it('gives nothing of an empty object, and refuses what lies behind the end', async () => {
    const empty = `${prefix}empty`;
    await store.write(empty, streamOf(Buffer.alloc(0)), { maxBytes: 10 });
    expect(await store.head(empty)).toMatchObject({ sizeBytes: 0 });
    for (const range of [{}, { end: 100 }])
      expect((await bytesOf(await store.read(empty, range))).length).toBe(0);
    await expect(store.read(key, { start: body.length })).rejects.toMatchObject({
      code: 'OBJECT_RANGE_INVALID',
    });
    await expect(store.read(key, { start: 5, end: 4 })).rejects.toThrow(RangeError);
  });

  it('says at once that there is no object', async () => {
    await expect(store.read(`${prefix}none`)).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
    expect(await store.head(`${prefix}none`)).toBeNull();
  });
});

describe('write', () => {
  it.each([0, 1, 8 * MIB, 8 * MIB + 1, 20 * MIB])('stores a stream of %d bytes', async (sizeBytes) => {
    const body = randomBytes(sizeBytes);
    const key = `${prefix}write-${sizeBytes}`;
    const written = await store.write(key, streamOf(body), { maxBytes: 64 * MIB, contentType: 'text/x' });
    expect(written).toEqual({ sizeBytes, sha256Hex: createHash('sha256').update(body).digest('hex') });
    expect((await bytesOf(await store.read(key))).equals(body)).toBe(true);
    expect((await store.head(key))?.contentType).toBe('text/x');
  });

  it.each([1000, 20 * MIB])(
    'stops one byte over a limit of %d, leaves nothing and the source open',
    async (maxBytes) => {
      const key = `${prefix}limit-${maxBytes}`;
      const source = streamOf(randomBytes(maxBytes + 300_000));
      await expect(store.write(key, source, { maxBytes })).rejects.toMatchObject({
        code: 'OBJECT_TOO_LARGE',
        maxBytes,
      });
      expect(source.destroyed).toBe(false);
      expect(await store.head(key)).toBeNull();
      expect(await uploadsUnder(key)).toEqual([]);
      await store.write(key, streamOf(Buffer.alloc(maxBytes)), { maxBytes });
    },
  );

  it('passes a failure of the source on and leaves nothing', async () => {
    const key = `${prefix}failing`;
    const failure = new Error('the client went away');
    async function* failing() {
      yield randomBytes(20 * MIB);
      throw failure;
    }
    await expect(store.write(key, failing(), { maxBytes: 64 * MIB })).rejects.toBe(failure);
    expect([await store.head(key), await uploadsUnder(key)]).toEqual([null, []]);
  });

  it('ends when it is told to, even while the source is silent', async () => {
    const key = `${prefix}aborted`;
    const aborter = new AbortController();
    async function* silent() {
      yield randomBytes(20 * MIB);
      setTimeout(() => aborter.abort(new Error('shutting down')), 200);
      await new Promise((resolve) => setTimeout(resolve, 6000));
    }
    const startedMs = performance.now();
    const writing = store.write(key, silent(), { maxBytes: 64 * MIB, signal: aborter.signal });
    await expect(writing).rejects.toThrow('shutting down');
    expect(performance.now() - startedMs).toBeLessThan(4000);
    expect([await store.head(key), await uploadsUnder(key)]).toEqual([null, []]);
  });
});

describe('copy, delete, download', () => {
  it('copies, in one request or in parts', async () => {
    const body = randomBytes(11 * MIB);
    await store.write(`${prefix}from ü+`, streamOf(body), { maxBytes: 64 * MIB, contentType: 'text/x' });
    await store.copy(`${prefix}from ü+`, `${prefix}to`);
    expect((await bytesOf(await store.read(`${prefix}to`))).equals(body)).toBe(true);
    const connection = connectS3(options);
    const sizes = { maxSingleCopyBytes: MIB, partBytes: 5 * MIB };
    await copyObject(connection, `${prefix}from ü+`, `${prefix}in-parts`, sizes);
    connection.client.destroy();
    expect((await bytesOf(await store.read(`${prefix}in-parts`))).equals(body)).toBe(true);
    expect((await store.head(`${prefix}in-parts`))?.etag).toMatch(/-3$/);
    for (const name of ['to', 'in-parts'])
      expect((await store.head(prefix + name))?.contentType).toBe('text/x');
    await expect(store.copy(`${prefix}none`, `${prefix}to`)).rejects.toMatchObject({
      code: 'OBJECT_NOT_FOUND',
    });
  });

  it('deletes one, and all under a folder but not beside it', async () => {
    const own = ownPrefix('delete');
    for (const name of ['one/a', 'one/b/c', 'one/d', 'one-more']) {
      await store.write(own + name, streamOf(Buffer.from('x')), { maxBytes: 1 });
    }
    await store.delete(`${own}one/d`);
    await store.delete(`${own}one/d`);
    expect(await store.deletePrefix(`${own}one/`)).toBe(2);
    expect(await store.deletePrefix(`${own}one/`)).toBe(0);
    expect(await store.head(`${own}one-more`)).not.toBeNull();
    await expect(store.deletePrefix('')).rejects.toMatchObject({ code: 'OBJECT_KEY_INVALID' });
    await expect(store.deletePrefix(`${own}one`)).rejects.toMatchObject({ code: 'OBJECT_KEY_INVALID' });
  });

  it('gives a download that browsers save under its name and never show', async () => {
    const key = `${prefix}page`;
    await store.write(key, streamOf(Buffer.from('<script>')), { maxBytes: 100, contentType: 'text/html' });
    const response = await fetch(await store.presignGet(key, 'trace "ü"/../x.html', 60));
    expect(await response.text()).toBe('<script>');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="trace ____.._x.html"; filename*=UTF-8''trace%20%22%C3%BC%22_.._x.html`,
    );
  });
});

describe('refusals', () => {
  it.each(['', '/a', 'a/', 'a//b', 'a/../b', '.', 'nul\0', 'back\\slash', '\ud800', 'é'.repeat(513)])(
    'refuses the key %j before anything is sent',
    async (key) => {
      await expect(store.head(key)).rejects.toMatchObject({ code: 'OBJECT_KEY_INVALID' });
      await expect(store.presignPart(key, 'u', 1, 1, 60)).rejects.toMatchObject({
        code: 'OBJECT_KEY_INVALID',
      });
    },
  );

  it('says that keys are wrong, in one line, and that trying again is no use', async () => {
    const wrong = new ObjectStore({ ...options, secretAccessKey: 'wrong' });
    const calls = [
      () => wrong.ping(),
      () => wrong.head('x'),
      () => wrong.read('x'),
      () => wrong.deletePrefix('x/'),
    ];
    for (const call of calls) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'OBJECT_STORE_REFUSED', retryable: false });
      expect((error as Error).message).toMatch(
        /^The object store refused .*\. Check bucket, region, keys and rights/,
      );
    }
    wrong.onApplicationShutdown();
  });

  it('does not take a missing bucket for a missing object', async () => {
    const elsewhere = new ObjectStore({ ...options, bucket: 'no-such-bucket-here' });
    await expect(elsewhere.ping()).rejects.toMatchObject({ code: 'OBJECT_STORE_REFUSED' });
    await expect(elsewhere.head('x')).rejects.toMatchObject({ code: 'OBJECT_STORE_REFUSED' });
    await expect(elsewhere.read('x')).rejects.toMatchObject({ code: 'OBJECT_STORE_REFUSED' });
    elsewhere.onApplicationShutdown();
  });

  it('wants both keys or neither', () => {
    expect(() => new ObjectStore({ ...options, secretAccessKey: undefined })).toThrow(/go together/);
  });
});
