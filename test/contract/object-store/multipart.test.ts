import { createHash, randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { createClient, ownPrefix, refusal, type S3Target, startTarget } from './s3-target';

const MIN_PART = 5 * 1024 ** 2;
let target: S3Target;
let client: S3Client;
let Bucket: string;
const prefix = ownPrefix('multipart');

beforeAll(async () => {
  target = await startTarget();
  client = createClient(target);
  Bucket = target.bucket;
});
afterAll(async () => {
  client.destroy();
  await target.stop();
});

async function start(name: string) {
  const Key = prefix + name;
  const { UploadId = '' } = await client.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'text/plain' }),
  );
  const id = { Bucket, Key, UploadId };
  return {
    id,
    part: (PartNumber: number, Body: Buffer | string) =>
      client.send(new UploadPartCommand({ ...id, PartNumber, Body })),
    complete: (Parts: { PartNumber: number; ETag?: string }[]) =>
      client.send(new CompleteMultipartUploadCommand({ ...id, MultipartUpload: { Parts } })),
    abort: () => client.send(new AbortMultipartUploadCommand(id)),
    read: async () => {
      const object = await client.send(new GetObjectCommand({ Bucket, Key }));
      return Buffer.from((await object.Body?.transformToByteArray()) ?? []);
    },
  };
}

describe('a multipart upload', () => {
  it('puts parts together by number, whatever order they came in, and reads across them', async () => {
    const upload = await start('whole');
    const bodies = [randomBytes(MIN_PART), randomBytes(MIN_PART + 1), randomBytes(10)];
    const tags = new Map<number, string | undefined>();
    for (const i of [2, 0, 1]) tags.set(i + 1, (await upload.part(i + 1, bodies[i])).ETag);
    expect((await refusal(upload.read())).code).toBe('NoSuchKey');
    const { ETag } = await upload.complete(
      [1, 2, 3].map((PartNumber) => ({ PartNumber, ETag: tags.get(PartNumber) })),
    );
    const md5s = Buffer.concat(bodies.map((body) => createHash('md5').update(body).digest()));
    expect(ETag).toBe(`"${createHash('md5').update(md5s).digest('hex')}-3"`);
    expect((await upload.read()).equals(Buffer.concat(bodies))).toBe(true);
    const { Key } = upload.id;
    const Range = `bytes=${MIN_PART - 2}-${2 * MIN_PART + 3}`;
    const middle = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
    const expected = Buffer.concat(bodies).subarray(MIN_PART - 2, 2 * MIN_PART + 4);
    expect(Buffer.from((await middle.Body?.transformToByteArray()) ?? []).equals(expected)).toBe(true);
    expect(middle.ContentType).toBe('text/plain');
    expect((await refusal(upload.part(4, 'late'))).code).toBe('NoSuchUpload');
  });

  it('is read to its end although it is deleted meanwhile', async () => {
    const upload = await start('deleted');
    const Parts: { PartNumber: number; ETag?: string }[] = [];
    for (const PartNumber of [1, 2, 3, 4]) {
      const { ETag } = await upload.part(PartNumber, Buffer.alloc(MIN_PART, PartNumber));
      Parts.push({ PartNumber, ETag });
    }
    await upload.complete(Parts);
    const { Key } = upload.id;
    const open = await client.send(new GetObjectCommand({ Bucket, Key }));
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
    const bytes = Buffer.from((await open.Body?.transformToByteArray()) ?? []);
    expect(bytes.equals(Buffer.concat([1, 2, 3, 4].map((n) => Buffer.alloc(MIN_PART, n))))).toBe(true);
  });

  it('takes the last version of a part, and only the parts that are named', async () => {
    const upload = await start('again');
    const { ETag: old } = await upload.part(1, 'old');
    const { ETag } = await upload.part(1, 'new');
    await upload.part(2, 'not named');
    expect(await refusal(upload.complete([{ PartNumber: 1, ETag: old }]))).toEqual({
      code: 'InvalidPart',
      status: 400,
    });
    await upload.complete([{ PartNumber: 1, ETag }]);
    expect((await upload.read()).toString()).toBe('new');
  });

  it('is refused with wrong tags, missing parts, wrong order, small parts, no parts; and can then be put right', async () => {
    const upload = await start('refused');
    const { ETag: one } = await upload.part(1, randomBytes(MIN_PART - 1));
    const { ETag: two } = await upload.part(2, 'two');
    const code = async (parts: { PartNumber: number; ETag?: string }[]) =>
      (await refusal(upload.complete(parts))).code;
    expect(await code([{ PartNumber: 1, ETag: two }])).toBe('InvalidPart');
    expect(
      await code([
        { PartNumber: 1, ETag: one },
        { PartNumber: 3, ETag: two },
      ]),
    ).toBe('InvalidPart');
    expect(
      await code([
        { PartNumber: 2, ETag: two },
        { PartNumber: 1, ETag: one },
      ]),
    ).toBe('InvalidPartOrder');
    expect(
      await code([
        { PartNumber: 1, ETag: one },
        { PartNumber: 2, ETag: two },
      ]),
    ).toBe('EntityTooSmall');
    expect(await code([])).toBe('MalformedXML');
    const { ETag: right } = await upload.part(1, randomBytes(MIN_PART));
    await upload.complete([
      { PartNumber: 1, ETag: right },
      { PartNumber: 2, ETag: two },
    ]);
    expect((await upload.read()).length).toBe(MIN_PART + 3);
  });

  it.each([0, 10_001])('has no part %d', async (PartNumber) => {
    const upload = await start('numbers');
    expect(await refusal(upload.part(PartNumber, 'x'))).toEqual({ code: 'InvalidArgument', status: 400 });
    await upload.abort();
  });

  it('lists its parts in pages', async () => {
    const upload = await start('pages');
    for (const PartNumber of [10_000, 7, 1, 300, 12]) await upload.part(PartNumber, String(PartNumber));
    const numbers: (number | undefined)[] = [];
    let PartNumberMarker: string | undefined;
    do {
      const page = await client.send(new ListPartsCommand({ ...upload.id, MaxParts: 2, PartNumberMarker }));
      for (const part of page.Parts ?? []) {
        expect(part.Size).toBe(String(part.PartNumber).length);
        numbers.push(part.PartNumber);
      }
      PartNumberMarker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (PartNumberMarker !== undefined);
    expect(numbers).toEqual([1, 7, 12, 300, 10_000]);
    await upload.abort();
  });

  it('is gone once aborted', async () => {
    const upload = await start('aborted');
    await upload.part(1, 'x');
    await upload.abort();
    const gone = { code: 'NoSuchUpload', status: 404 };
    expect(await refusal(upload.part(2, 'y'))).toEqual(gone);
    expect(await refusal(upload.complete([{ PartNumber: 1, ETag: '"x"' }]))).toEqual(gone);
    expect(await refusal(client.send(new ListPartsCommand(upload.id)))).toEqual(gone);
  });

  it('belongs to its key', async () => {
    const upload = await start('mine');
    const other = { ...upload.id, Key: `${prefix}other` };
    const call = client.send(new UploadPartCommand({ ...other, PartNumber: 1, Body: 'x' }));
    expect((await refusal(call)).code).toBe('NoSuchUpload');
    await upload.abort();
  });

  it('takes parts out of other objects', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: `${prefix}source`, Body: '0123456789' }));
    const upload = await start('from-copy');
    const copy = new UploadPartCopyCommand({
      ...upload.id,
      PartNumber: 1,
      CopySource: `${Bucket}/${prefix}source`,
      CopySourceRange: 'bytes=2-4',
    });
    const { CopyPartResult } = await client.send(copy);
    await upload.complete([{ PartNumber: 1, ETag: CopyPartResult?.ETag }]);
    expect((await upload.read()).toString()).toBe('234');
  });
});

describe('ListMultipartUploads', () => {
  it('gives every upload under a prefix once, in pages', async () => {
    const own = ownPrefix('uploads');
    const ids = new Set<string | undefined>();
    for (const name of ['b', 'a', 'a', 'c']) {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: own + name }));
      ids.add(UploadId);
    }
    const listed: (string | undefined)[] = [];
    let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
    while (marker) {
      const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
        Bucket,
        Prefix: own,
        MaxUploads: 2,
        ...marker,
      });
      const page = await client.send(command);
      for (const { Key, UploadId } of page.Uploads ?? []) {
        listed.push(Key);
        expect(ids.delete(UploadId)).toBe(true);
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      }
      marker = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
    }
    expect(listed).toEqual(['a', 'a', 'b', 'c'].map((name) => own + name));
    expect(
      (await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: own }))).Uploads ?? [],
    ).toEqual([]);
  });
});
