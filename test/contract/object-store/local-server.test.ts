import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as s3 from '@aws-sdk/client-s3';
import { type LocalS3, startLocalS3 } from '../../../infra/local/s3';
import { answerCode, createClient, refusal } from './s3-target';

// What the local server promises beyond the protocol: its disk, its start and stop, its manners on the socket.
const KEYS = { accessKeyId: 'local', secretAccessKey: 'secret' };
const Bucket = 'local-bucket';
let dataDir: string;
let server: LocalS3;
let client: S3Client;

async function start(): Promise<void> {
  server = await startLocalS3({ dataDir, ...KEYS });
  const { endpoint } = server;
  client = createClient({
    endpoint,
    region: 'eu-north-1',
    bucket: Bucket,
    ...KEYS,
    isLocal: true,
    stop: server.stop,
  });
}

async function stop(): Promise<void> {
  client.destroy();
  await server.stop();
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'local-s3-'));
  await start();
  await client.send(new s3.CreateBucketCommand({ Bucket }));
});
afterEach(async () => {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
});

const put = (Key: string, Body: string | Buffer) =>
  client.send(new s3.PutObjectCommand({ Bucket, Key, Body }));
const textOf = async (Key: string) =>
  (await client.send(new s3.GetObjectCommand({ Bucket, Key }))).Body?.transformToString();

async function filesUnder(dir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, dir), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe('the disk', () => {
  it('keeps buckets, objects and uploads over a restart', async () => {
    await put('kept/é\0', 'content');
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key: 'upload' }));
    const part = { Bucket, Key: 'upload', UploadId, PartNumber: 1 };
    const { ETag } = await client.send(new s3.UploadPartCommand({ ...part, Body: 'part' }));
    await stop();
    await start();
    expect(await textOf('kept/é\0')).toBe('content');
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    await client.send(
      new s3.CompleteMultipartUploadCommand({ Bucket, Key: 'upload', UploadId, MultipartUpload }),
    );
    await stop();
    await start();
    expect(await textOf('upload')).toBe('part');
  });

  it('frees what is replaced, deleted, aborted, refused or cut', async () => {
    for (const text of ['one', 'two']) await put('replaced', text);
    await put('deleted', 'x');
    await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'deleted' }));
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand({ Bucket, Key: 'aborted' }));
    await client.send(
      new s3.UploadPartCommand({ Bucket, Key: 'aborted', UploadId, PartNumber: 1, Body: 'x' }),
    );
    await client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key: 'aborted', UploadId }));
    const wrong = new s3.PutObjectCommand({ Bucket, Key: 'refused', Body: 'x', ChecksumCRC32: 'AAAAAA==' });
    expect((await refusal(client.send(wrong))).code).toBe('BadDigest');
    expect((await filesUnder(`buckets/${Bucket}/data`)).length).toBe(1);
    expect(await filesUnder(`buckets/${Bucket}/objects`)).toHaveLength(1);
    expect(await filesUnder(`buckets/${Bucket}/scratch`)).toEqual([]);
    expect(await readdir(join(dataDir, `buckets/${Bucket}/uploads`))).toEqual([]);
  });

  it('sweeps at its start what a killed server left unfinished', async () => {
    await put('kept', 'content');
    await stop();
    await writeFile(join(dataDir, `buckets/${Bucket}/data/orphan`), 'bytes without a record');
    await writeFile(join(dataDir, `buckets/${Bucket}/scratch/half`), 'half a bo');
    await start();
    expect(await filesUnder(`buckets/${Bucket}/data`)).not.toContain('orphan');
    expect(await filesUnder(`buckets/${Bucket}/scratch`)).toEqual([]);
    expect(await textOf('kept')).toBe('content');
  });

  it('takes no name from a key', async () => {
    await put('../../../escape', 'x');
    await put('con/aux\0.json', 'x');
    for (const file of await filesUnder('.')) {
      expect(file).toMatch(/^([0-9a-f]{64}\.json|[0-9a-f-]{36}|bucket\.json|s3-server\.lock)$/);
    }
  });

  it('is not shared by two servers', async () => {
    await expect(startLocalS3({ dataDir, ...KEYS })).rejects.toThrow(/in use/);
  });

  it('deletes a bucket only when it is empty', async () => {
    await put('x', 'x');
    expect((await refusal(client.send(new DeleteBucketCommand({ Bucket })))).code).toBe('BucketNotEmpty');
    await client.send(new s3.DeleteObjectCommand({ Bucket, Key: 'x' }));
    await client.send(new DeleteBucketCommand({ Bucket }));
    expect(await readdir(join(dataDir, 'buckets'))).toEqual([]);
  });

  it.each(['../evil', 'UPPER', 'a', 'a..b', 'a'.repeat(64), '.', 'with space'])(
    'has no bucket %j',
    async (name) => {
      const { endpoint } = server;
      const named = createClient({
        endpoint,
        region: 'x',
        bucket: name,
        ...KEYS,
        isLocal: true,
        stop: server.stop,
      });
      named.middlewareStack.add(
        (next) => (args) => {
          (args.request as { path: string }).path = `/${encodeURI(name)}`;
          return next(args);
        },
        { step: 'build' },
      );
      expect((await refusal(named.send(new s3.CreateBucketCommand({ Bucket })))).code).toMatch(
        /^(InvalidBucketName|NoSuchBucket)$/,
      );
      named.destroy();
      expect(await readdir(join(dataDir, 'buckets'))).toEqual([Bucket]);
    },
  );
});

describe('the socket', () => {
  it('is on the loopback only', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address && !address.internal && address.family === 'IPv4');
    // A machine without another interface has no way in to test.
    for (const host of outside ? [outside.address] : []) {
      const socket = connect(server.port, host);
      await expect(once(socket, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    }
    expect(server.endpoint).toBe(`http://127.0.0.1:${server.port}`);
  });

  it('answers an error as XML with a request id before the body was sent, when asked to', async () => {
    const headers = { expect: '100-continue', 'content-length': 10 ** 9 };
    const request = httpRequest(`${server.endpoint}/${Bucket}/x`, { method: 'PUT', headers });
    let continued = false;
    request.on('continue', () => (continued = true)).on('error', () => undefined);
    request.flushHeaders();
    const [response] = (await once(request, 'response')) as [
      NodeJS.ReadableStream & { statusCode: number; headers: object },
    ];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    expect([response.statusCode, continued]).toEqual([403, false]);
    expect(text).toMatch(/<Error><Code>AccessDenied<\/Code>.*<RequestId>[0-9A-F]{16}<\/RequestId>/s);
    request.destroy();
  });

  it('answers an error although the client has sent megabytes already', async () => {
    const response = await fetch(`${server.endpoint}/${Bucket}/x`, {
      method: 'PUT',
      body: Buffer.alloc(5_000_000),
    });
    expect([response.status, await answerCode(response)]).toEqual([403, 'AccessDenied']);
  });

  it.each([
    'GET http://evil/ HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /%00/..%2f HTTP/1.1\r\nHost: x\r\n\r\n',
    'nonsense\r\n\r\n',
  ])('answers %j with a refusal', async (bytes) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.end(bytes);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  it('says that it does not implement what it does not', async () => {
    const call = client.send(new s3.GetObjectTaggingCommand({ Bucket, Key: 'x' }));
    expect(await refusal(call)).toEqual({ code: 'NotImplemented', status: 501 });
  });

  it('stops while a client holds a connection and another one uploads', async () => {
    const idle = connect(server.port, '127.0.0.1');
    await once(idle, 'connect');
    const plain = createClient(
      { endpoint: server.endpoint, region: 'x', bucket: Bucket, ...KEYS, isLocal: true, stop: server.stop },
      { requestChecksumCalculation: 'WHEN_REQUIRED' },
    );
    const url = await getSignedUrl(plain, new s3.PutObjectCommand({ Bucket, Key: 'cut' }), { expiresIn: 60 });
    plain.destroy();
    const upload = httpRequest(url, { method: 'PUT', headers: { 'content-length': 1000 } });
    upload.on('error', () => undefined).write('begun');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const startedMs = performance.now();
    await server.stop();
    expect(performance.now() - startedMs).toBeLessThan(3000);
    expect(await filesUnder(`buckets/${Bucket}/scratch`)).toEqual([]);
    idle.destroy();
  });
});
