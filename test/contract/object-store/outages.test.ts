import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  ObjectStore,
  ObjectStoreUnavailable,
  type ObjectStoreOptions,
} from '../../../src/platform/object-store';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy';
import { ownPrefix, type S3Target, startTarget } from './s3-target';

const MIB = 2 ** 20;
let target: S3Target;
let proxy: CuttingProxy;
let options: ObjectStoreOptions;
let direct: ObjectStore;
const prefix = ownPrefix('outages');
const key = `${prefix}object`;
const body = randomBytes(8 * MIB);

beforeAll(async () => {
  target = await startTarget();
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = target;
  options = { endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle: true };
  direct = new ObjectStore(options);
  await direct.write(key, Readable.from([body]), { maxBytes: body.length });
});
afterAll(async () => {
  direct.onApplicationShutdown();
  await target.stop();
});
beforeEach(async () => {
  proxy = await startCuttingProxy(target.endpoint);
});
afterEach(() => proxy.stop());

function through(more: Partial<ObjectStoreOptions> = {}): ObjectStore {
  return new ObjectStore({ ...options, endpoint: proxy.endpoint, ...more });
}

async function failureOf(call: Promise<unknown>): Promise<ObjectStoreUnavailable> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ObjectStoreUnavailable);
  expect(error).toMatchObject({ code: 'OBJECT_STORE_UNAVAILABLE', retryable: true });
  return error as ObjectStoreUnavailable;
}

describe('a store that is down', () => {
  it('is reported as unavailable by every call, soon', async () => {
    await proxy.stop();
    const store = through();
    const startedMs = performance.now();
    const source = (async function* () {
      yield body;
    })();
    const errors = await Promise.all([
      failureOf(store.ping()),
      failureOf(store.ensureBucket()),
      failureOf(store.head(key)),
      failureOf(store.read(key)),
      failureOf(store.createMultipartUpload(key)),
      failureOf(store.listParts(key, 'id')),
      failureOf(store.completeMultipartUpload(key, 'id', [{ partNumber: 1, etag: 'x' }])),
      failureOf(store.abortMultipartUpload(key, 'id')),
      failureOf(store.write(`${key}-new`, source, { maxBytes: body.length })),
      failureOf(store.copy(key, `${key}-copy`)),
      failureOf(store.delete(key)),
      failureOf(store.deletePrefix(prefix)),
    ]);
    expect(performance.now() - startedMs).toBeLessThan(5000);
    for (const { message } of errors)
      expect(message).toMatch(/^The object store did not answer while .*Try again later/);
    store.onApplicationShutdown();
  });

  it('does not stop URLs from being signed', async () => {
    await proxy.stop();
    const store = through();
    expect(await store.presignGet(key, 'name', 60)).toContain(proxy.endpoint);
    store.onApplicationShutdown();
  });

  it('is noticed when it takes connections and says nothing', async () => {
    proxy.silent = true;
    const store = through({ idleTimeoutMs: 300, maxAttempts: 2 });
    const startedMs = performance.now();
    await failureOf(store.head(key));
    expect(performance.now() - startedMs).toBeLessThan(3000);
    expect(proxy.connections).toBe(2);
    const patient = through();
    await failureOf(patient.ping());
    expect(performance.now() - startedMs).toBeLessThan(6500);
    store.onApplicationShutdown();
    patient.onApplicationShutdown();
  });
});

describe('a read whose connection breaks', () => {
  it('goes on where it stopped, as often as it gets on', async () => {
    proxy.cutAfterBytes = [MIB, 2 * MIB, 500, MIB];
    const store = through();
    const chunks: Buffer[] = [];
    for await (const chunk of await store.read(key, { start: 10 })) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).equals(body.subarray(10))).toBe(true);
    expect(proxy.connections).toBe(5);
    store.onApplicationShutdown();
  });

  it('gives up when it gets no further, after giving what it had', async () => {
    proxy.cutAfterBytes = [MIB, ...Array<number>(50).fill(1)];
    const store = through({ maxAttempts: 1 });
    const chunks: Buffer[] = [];
    const reading = (async () => {
      for await (const chunk of await store.read(key)) chunks.push(chunk as Buffer);
    })();
    await failureOf(reading);
    const got = Buffer.concat(chunks);
    expect(got.length).toBeGreaterThan(MIB - 2000);
    expect(got.equals(body.subarray(0, got.length))).toBe(true);
    store.onApplicationShutdown();
  });

  it('does not mix two versions of an object', async () => {
    const own = `${prefix}replaced`;
    const write = (bytes: Buffer) => direct.write(own, Readable.from([bytes]), { maxBytes: bytes.length });
    await write(body);
    proxy.cutAfterBytes = [MIB];
    const store = through();
    const reading = (async () => {
      let replaced = false;
      for await (const _ of await store.read(own)) {
        if (!replaced) await write(randomBytes(body.length));
        replaced = true;
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'OBJECT_CHANGED' });
    store.onApplicationShutdown();
  });
});

describe('a read that is left early', () => {
  it('ends its connection and does not read the rest', async () => {
    const store = through();
    for await (const chunk of await store.read(key)) {
      expect((chunk as Buffer).length).toBeGreaterThan(0);
      break;
    }
    const stream = await store.read(key);
    stream.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(proxy.openConnections()).toBe(0);
    store.onApplicationShutdown();
  });

  it('reads no further ahead than buffers hold while its consumer is busy', async () => {
    const store = through();
    const stream = await store.read(key);
    stream.read(0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(proxy.answeredBytes).toBeLessThan(body.length);
    stream.destroy();
    store.onApplicationShutdown();
  });
});

describe('answers that get lost', () => {
  it('a completion whose answer is lost is repeated and succeeds', async () => {
    const own = `${prefix}complete`;
    const uploadId = await direct.createMultipartUpload(own);
    await fetch(await direct.presignPart(own, uploadId, 1, 4, 60), { method: 'PUT', body: 'part' });
    const parts = await direct.listParts(own, uploadId);
    proxy.cutAfterBytes = [1];
    const store = through();
    await store.completeMultipartUpload(own, uploadId, parts);
    expect(proxy.connections).toBeGreaterThan(1);
    expect(await direct.head(own)).toMatchObject({ sizeBytes: 4 });
    store.onApplicationShutdown();
  });
});

describe('URLs for clients', () => {
  it('name the public address and are good there', async () => {
    const store = new ObjectStore({ ...options, publicEndpoint: proxy.endpoint });
    const url = await store.presignGet(key, 'trace.json', 60);
    expect(new URL(url).origin).toBe(proxy.endpoint);
    const response = await fetch(url);
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
    await store.ping();
    expect(proxy.connections).toBe(1);
    store.onApplicationShutdown();
  });
});
