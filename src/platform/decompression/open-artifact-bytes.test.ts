import { randomBytes } from 'node:crypto';
import * as zlib from 'node:zlib';
import { type InputError } from './input-error';
import { type DecompressionLimits } from './limit-bytes';
import { openArtifactBytes } from './open-artifact-bytes';

const LIMITS: DecompressionLimits = { maxBytes: 2 ** 30, maxRatio: 200, minBytesBeforeRatio: 2 ** 20 };
const MIB = 2 ** 20;

/** A source that cuts bytes into chunks and records what became of it. */
function sourceOf(bytes: Uint8Array, chunkBytes = 64 * 1024) {
  const seen = { chunks: 0, closed: false };
  async function* read() {
    try {
      for (let at = 0; at < bytes.byteLength; at += chunkBytes) {
        seen.chunks += 1;
        yield bytes.subarray(at, at + chunkBytes);
      }
    } finally {
      seen.closed = true;
    }
  }
  return { source: read(), seen };
}

async function open(bytes: Uint8Array, chunkBytes?: number, limits = LIMITS) {
  const pieces: Uint8Array[] = [];
  let error: InputError | undefined;
  try {
    for await (const piece of openArtifactBytes(sourceOf(bytes, chunkBytes).source, limits))
      pieces.push(piece);
  } catch (thrown) {
    error = thrown as InputError;
  }
  return { content: Buffer.concat(pieces), error };
}

/** Text that compresses like a trace. */
function traceText(sizeBytes: number): Buffer {
  const text = Buffer.alloc(sizeBytes);
  let at = 0;
  for (let i = 0; at < sizeBytes; i++) {
    at += text.write(
      `{"ph":"X","name":"kernel_${(i * 7919) % 97}","ts":${i * 13 + ((i * 31) % 7)},"dur":${i % 11}},\n`,
      at,
    );
  }
  return text;
}

const text = traceText(3 * MIB);
const gz = zlib.gzipSync(text);

describe('openArtifactBytes', () => {
  it.each([1, 7, 100, 65_536, 10 * MIB])(
    'unpacks gzip that arrives in chunks of %d bytes',
    async (chunkBytes) => {
      const small = zlib.gzipSync(text.subarray(0, 200_000));
      const { content, error } = await open(small, chunkBytes);
      expect(error).toBeUndefined();
      expect(content.equals(text.subarray(0, 200_000))).toBe(true);
    },
  );

  it('unpacks several members and accepts zero padding behind them', async () => {
    const members = Buffer.concat([gz, zlib.gzipSync(''), zlib.gzipSync('tail'), Buffer.alloc(100_000)]);
    for (const chunkBytes of [1000, 1 << 24]) {
      const { content, error } = await open(members, chunkBytes);
      expect(error).toBeUndefined();
      expect(content.equals(Buffer.concat([text, Buffer.from('tail')]))).toBe(true);
    }
  });

  it('reads all optional fields of a gzip header', async () => {
    const raw = zlib.deflateRawSync('content');
    const header = Buffer.from([0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]);
    const trailer = gzTrailer('content');
    const file = Buffer.concat([header, Buffer.from('name\0comment\0'), Buffer.from([9, 9]), raw, trailer]);
    for (const chunkBytes of [1, 1000]) {
      const { content, error } = await open(file, chunkBytes);
      expect([content.toString(), error]).toEqual(['content', undefined]);
    }
  });

  it.each([
    ['nothing', ''],
    ['one byte', '\u001f'],
    ['text', '{"traceEvents": []}'],
  ])('passes %s through', async (_, plain) => {
    const { content, error } = await open(Buffer.from(plain, 'latin1'));
    expect([content.toString('latin1'), error]).toEqual([plain, undefined]);
  });

  it('gives everything before a cut, then says INPUT_TRUNCATED', async () => {
    for (const cutAt of [
      3,
      9,
      11,
      5000,
      Math.floor(gz.length / 2),
      gz.length - 9,
      gz.length - 8,
      gz.length - 1,
    ]) {
      const { content, error } = await open(gz.subarray(0, cutAt), 4096);
      expect(error?.code).toBe('INPUT_TRUNCATED');
      expect(content.equals(text.subarray(0, content.length))).toBe(true);
      // What zlib itself can get out of the cut file is the measure.
      const possible =
        cutAt < 11
          ? 0
          : zlib.gunzipSync(gz.subarray(0, cutAt), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).length;
      expect(content.length).toBe(possible);
    }
  });

  it('gives everything before trailing garbage, then says INPUT_CORRUPT', async () => {
    for (const garbage of ['\n', 'garbage', '\0\0x', '\u001fx']) {
      const { content, error } = await open(Buffer.concat([gz, Buffer.from(garbage, 'latin1')]));
      expect(content.equals(text)).toBe(true);
      expect(error?.code).toBe('INPUT_CORRUPT');
    }
    expect((await open(Buffer.concat([gz, Buffer.from([0x1f])]))).error?.code).toBe('INPUT_TRUNCATED');
  });

  it('gives what was unpacked before damage, then says INPUT_CORRUPT', async () => {
    const incompressible = randomBytes(4 * MIB);
    const damaged = Buffer.concat([
      zlib.gzipSync(incompressible.subarray(0, 2 * MIB)),
      zlib.gzipSync(incompressible),
    ]);
    // A reserved block type in the second member's first block.
    damaged[zlib.gzipSync(incompressible.subarray(0, 2 * MIB)).length + 10] = 0xff;
    const { content, error } = await open(damaged);
    expect(error?.code).toBe('INPUT_CORRUPT');
    expect(content.equals(incompressible.subarray(0, 2 * MIB))).toBe(true);
  });

  it.each([
    ['checksum', -8],
    ['size', -4],
  ])('says INPUT_CORRUPT when the %s is wrong', async (what, offset) => {
    const wrong = Buffer.from(gz);
    wrong[gz.length + offset] ^= 1;
    const { content, error } = await open(wrong);
    expect(content.equals(text)).toBe(true);
    expect(error).toMatchObject({ code: 'INPUT_CORRUPT', message: expect.stringContaining(what) as string });
  });

  it('stops at the byte limit, packed or not', async () => {
    const limits = { ...LIMITS, maxBytes: MIB };
    for (const bytes of [gz, text]) {
      const { content, error } = await open(bytes, 64 * 1024, limits);
      expect(error?.code).toBe('INPUT_TOO_LARGE');
      expect(content.length).toBeLessThanOrEqual(MIB);
    }
    expect((await open(text.subarray(0, MIB), 1000, limits)).error).toBeUndefined();
  });

  it('refuses a bomb of zeros after little work, even when it comes in one chunk', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(256 * MIB));
    const { content, error } = await open(bomb, bomb.length);
    expect(error?.code).toBe('INPUT_TOO_LARGE');
    expect(content.length).toBeLessThan(16 * MIB);
  });

  it('does not mistake a small, very regular file for a bomb', async () => {
    const { content, error } = await open(zlib.gzipSync(Buffer.alloc(MIB - 1)));
    expect([content.length, error]).toEqual([MIB - 1, undefined]);
  });

  it('refuses a file of a great many empty members', async () => {
    const empty = zlib.gzipSync('');
    const { error } = await open(Buffer.concat(Array<Buffer>(50_000).fill(empty)));
    expect(error).toMatchObject({
      code: 'INPUT_TOO_LARGE',
      message: expect.stringContaining('tiny members') as string,
    });
  });

  it('reads no further than its consumer, and closes the source when the consumer leaves', async () => {
    for (const bytes of [gz, text]) {
      const { source, seen } = sourceOf(bytes, 16 * 1024);
      for await (const piece of openArtifactBytes(source, LIMITS)) {
        expect(piece.byteLength).toBeGreaterThan(0);
        break;
      }
      expect(seen.chunks).toBeLessThanOrEqual(16);
      expect(seen.closed).toBe(true);
    }
  });

  it('passes errors of the source on as they are', async () => {
    const failure = Object.assign(new Error('the store went away'), { code: 'OBJECT_STORE_UNAVAILABLE' });
    async function* failing() {
      yield gz.subarray(0, 50_000);
      throw failure;
    }
    const pieces: Uint8Array[] = [];
    const reading = (async () => {
      for await (const piece of openArtifactBytes(failing(), LIMITS)) pieces.push(piece);
    })();
    await expect(reading).rejects.toBe(failure);
    expect(Buffer.concat(pieces).length).toBeGreaterThan(10_000);
  });
});

function gzTrailer(content: string): Buffer {
  return zlib.gzipSync(content).subarray(-8);
}
