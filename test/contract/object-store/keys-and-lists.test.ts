import {
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { createClient, ownPrefix, refusal, type S3Target, startTarget } from './s3-target';

let target: S3Target;
let client: S3Client;
let Bucket: string;

beforeAll(async () => {
  target = await startTarget();
  client = createClient(target);
  Bucket = target.bucket;
});
afterAll(async () => {
  client.destroy();
  await target.stop();
});

const put = (Key: string, Body = 'x') => client.send(new PutObjectCommand({ Bucket, Key, Body }));
const list = (input: Partial<ListObjectsV2CommandInput>) =>
  client.send(new ListObjectsV2Command({ Bucket, ...input }));

/** Keys and common prefixes of all pages. */
async function listAll(input: Partial<ListObjectsV2CommandInput>) {
  const names: string[] = [];
  let pages = 0;
  let ContinuationToken: string | undefined;
  do {
    const page = await list({ ...input, ContinuationToken });
    const entries = [
      ...(page.Contents ?? []).map(({ Key }) => Key),
      ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
    ];
    expect(page.KeyCount).toBe(entries.length);
    names.push(...entries.map((name) => name ?? ''));
    pages += 1;
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (ContinuationToken !== undefined);
  return { names, pages };
}

const ODD_NAMES = [
  '../../../../etc/passwd',
  'a/../b',
  'a/./b',
  'a//b',
  '.',
  '..',
  'trailing/',
  'percent%2Fslash %41',
  'plus+space and=equals&amp;',
  'question?hash#colon:semi;comma,at@',
  'quotes\'"`<tag>\\back|pipe',
  'caf\u00e9',
  'cafe\u0301',
  '日本語/😀',
  'con',
  'x'.repeat(255),
];

describe('keys', () => {
  it.each(ODD_NAMES)('%j is a name like any other', async (name) => {
    const Key = ownPrefix('odd') + name;
    await put(Key, name);
    expect(await (await client.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString()).toBe(
      name,
    );
    expect((await list({ Prefix: Key })).Contents?.map((object) => object.Key)).toEqual([Key]);
  });

  it('that look alike are different objects', async () => {
    const prefix = ownPrefix('alike');
    const names = ['A', 'a', 'caf\u00e9', 'cafe\u0301', 'x/y', 'x//y', 'x'];
    for (const name of names) await put(prefix + name, name);
    for (const name of names) {
      const object = await client.send(new GetObjectCommand({ Bucket, Key: prefix + name }));
      expect(await object.Body?.transformToString()).toBe(name);
    }
  });

  it('may have 1,024 bytes and no more', async () => {
    const prefix = ownPrefix('long');
    const longest = prefix + 'é'.repeat(Math.floor((1024 - prefix.length) / 2));
    await put(longest.padEnd(longest.length + 1024 - Buffer.byteLength(longest), 'x'));
    expect(await refusal(put(prefix + 'y'.repeat(1025 - prefix.length)))).toEqual({
      code: 'KeyTooLongError',
      status: 400,
    });
  });
});

describe('ListObjectsV2', () => {
  const prefix = ownPrefix('list');
  const names = ['a', 'b/1', 'b/2', 'b/c/3', 'd', 'e/4', 'z'];

  beforeAll(async () => {
    for (const name of names) await put(prefix + name, name);
  });

  it('gives size, tag and time, in order', async () => {
    const { Contents = [] } = await list({ Prefix: prefix });
    expect(Contents.map(({ Key }) => Key)).toEqual(names.map((name) => prefix + name));
    expect(Contents[1]).toMatchObject({ Size: 3, ETag: expect.stringMatching(/^"[0-9a-f]{32}"$/) as string });
  });

  it.each([1, 2, 3, 1000])('gives every key once in pages of %d', async (MaxKeys) => {
    const { names: listed, pages } = await listAll({ Prefix: prefix, MaxKeys });
    expect(listed).toEqual(names.map((name) => prefix + name));
    expect(pages).toBe(Math.ceil(names.length / MaxKeys));
  });

  it.each([1, 2, 1000])('groups at the delimiter in pages of %d', async (MaxKeys) => {
    const { names: listed } = await listAll({ Prefix: prefix, Delimiter: '/', MaxKeys });
    expect(listed.sort()).toEqual(['a', 'b/', 'd', 'e/', 'z'].map((name) => prefix + name));
    const inner = await listAll({ Prefix: `${prefix}b/`, Delimiter: '/', MaxKeys });
    expect(inner.names.sort()).toEqual(['b/1', 'b/2', 'b/c/'].map((name) => prefix + name));
  });

  it('starts behind a key', async () => {
    const { names: listed } = await listAll({ Prefix: prefix, StartAfter: `${prefix}b/2` });
    expect(listed).toEqual(['b/c/3', 'd', 'e/4', 'z'].map((name) => prefix + name));
  });

  it('gives nothing for a prefix that nothing has, and for no keys', async () => {
    expect(await listAll({ Prefix: `${prefix}nothing` })).toEqual({ names: [], pages: 1 });
    expect(await list({ Prefix: prefix, MaxKeys: 0 })).toMatchObject({ KeyCount: 0, IsTruncated: false });
  });

  it('sorts by UTF-8 bytes', async () => {
    const own = ownPrefix('order');
    const sorted = ['Z', 'a', 'é', '\uffee', '😀'];
    for (const name of [...sorted].reverse()) await put(own + name);
    expect((await listAll({ Prefix: own })).names).toEqual(sorted.map((name) => own + name));
  });

  it('refuses a continuation token that it did not give', async () => {
    const call = list({ Prefix: prefix, ContinuationToken: 'made up' });
    expect(await refusal(call)).toEqual({ code: 'InvalidArgument', status: 400 });
  });
});
