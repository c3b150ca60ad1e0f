import * as zlib from 'node:zlib';
import { type InputError } from './input-error';
import { openArtifactBytes } from './open-artifact-bytes';

const LIMITS = { maxBytes: 2 ** 30, maxRatio: 200, minBytesBeforeRatio: 2 ** 20 };
/** "hello zstd" as one frame, written by the zstd of Node 24. */
const HELLO = Buffer.from('KLUv/SAKUQAAaGVsbG8genN0ZA==', 'base64');
const SKIPPABLE = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

async function open(bytes: Uint8Array, chunkBytes: number) {
  async function* source() {
    for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of openArtifactBytes(source(), LIMITS)) pieces.push(piece);
  } catch (error) {
    return {
      text: Buffer.concat(pieces).toString(),
      code: (error as InputError).code,
      message: String(error),
    };
  }
  return { text: Buffer.concat(pieces).toString(), code: undefined, message: '' };
}

/** File, then what it gives on a Node that can read zstd. */
const FILES: [string, Buffer, string, string | undefined][] = [
  ['one frame', HELLO, 'hello zstd', undefined],
  ['two frames', Buffer.concat([HELLO, HELLO]), 'hello zstdhello zstd', undefined],
  ['skippable frames around one', Buffer.concat([SKIPPABLE, HELLO, SKIPPABLE]), 'hello zstd', undefined],
  ['zero padding', Buffer.concat([HELLO, Buffer.alloc(1000)]), 'hello zstd', undefined],
  ['a cut block', HELLO.subarray(0, -1), 'hello zst', 'INPUT_TRUNCATED'],
  ['a cut header', HELLO.subarray(0, 5), '', 'INPUT_TRUNCATED'],
  ['a cut second frame', Buffer.concat([HELLO, HELLO.subarray(0, 2)]), 'hello zstd', 'INPUT_TRUNCATED'],
  [
    'a cut skippable frame',
    Buffer.concat([HELLO, SKIPPABLE.subarray(0, 9)]),
    'hello zstd',
    'INPUT_TRUNCATED',
  ],
  ['trailing garbage', Buffer.concat([HELLO, Buffer.from('garbage')]), 'hello zstd', 'INPUT_CORRUPT'],
  ['an invalid block', Buffer.concat([HELLO.subarray(0, 6), Buffer.from([7, 0, 0, 1])]), '', 'INPUT_CORRUPT'],
];

describe(`zstd on Node ${process.versions.node}`, () => {
  it.each(FILES)('reads %s, or says which Node can', async (_, file, text, code) => {
    const canRead = 'createZstdDecompress' in zlib;
    for (const chunkBytes of [1, 3, 1000]) {
      const opened = await open(file, chunkBytes);
      if (canRead) expect([opened.text, opened.code]).toEqual([text, code]);
      else {
        expect(opened.code).toBe('INPUT_CORRUPT');
        expect(opened.message).toMatch(/zstd, which Node .* cannot read .* compress it with gzip/);
      }
    }
  });
});
