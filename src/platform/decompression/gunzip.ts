import { createInflateRaw } from 'node:zlib';
import { type ByteSource } from './byte-source';
import { crc32 } from './crc32';
import { foreignBytes, refuseAllButZeros, refuseTinyMembers } from './file-end';
import { InflateStream } from './inflate-stream';
import { corrupt, truncated } from './input-error';
import { type ByteMeter } from './limit-bytes';

// Small enough that a bomb is noticed early, large enough that the hops to zlib's thread do not count.
const INPUT_PIECE_BYTES = 64 * 1024;
const OUTPUT_CHUNK_BYTES = 256 * 1024;
const MAX_HEADER_FIELD_BYTES = 64 * 1024;
// RFC 1952, section 2.3.1: flag bits of a member's header.
const FLAG_HEADER_CRC = 0x02;
const FLAG_EXTRA = 0x04;
const FLAG_NAME = 0x08;
const FLAG_COMMENT = 0x10;
const RESERVED_FLAGS = 0xe0;

export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

async function need(source: ByteSource, count: number): Promise<Buffer> {
  const bytes = await source.takeExactly(count);
  if (!bytes) throw truncated('gzip');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function skipText(source: ByteSource): Promise<void> {
  for (let length = 0; (await need(source, 1))[0] !== 0; length++) {
    if (length > MAX_HEADER_FIELD_BYTES) throw corrupt('gzip', 'a name in its header does not end');
  }
}

async function skipHeader(source: ByteSource): Promise<void> {
  const header = await need(source, 10);
  const flags = header[3];
  if (header[2] !== 8 || (flags & RESERVED_FLAGS) !== 0) throw corrupt('gzip', 'its header is not valid');
  if (flags & FLAG_EXTRA) await need(source, (await need(source, 2)).readUInt16LE());
  if (flags & FLAG_NAME) await skipText(source);
  if (flags & FLAG_COMMENT) await skipText(source);
  if (flags & FLAG_HEADER_CRC) await need(source, 2);
}

/** Unpacks the deflate data of one member and leaves the source at its trailer. */
async function* inflateMember(source: ByteSource, meter: ByteMeter): AsyncGenerator<Uint8Array> {
  const inflate = new InflateStream(createInflateRaw({ chunkSize: OUTPUT_CHUNK_BYTES }));
  try {
    while (!inflate.ended) {
      const piece = await source.take(INPUT_PIECE_BYTES);
      if (!piece) {
        yield* inflate.finish();
        return;
      }
      meter.countIn(piece.byteLength);
      yield* inflate.feed(piece);
      if (inflate.ended) {
        source.putBack(piece, inflate.unusedBytes);
        meter.countIn(-inflate.unusedBytes);
      }
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'Z_BUF_ERROR') throw truncated('gzip');
    if (code?.startsWith('Z_')) throw corrupt('gzip', (error as Error).message, error);
    throw error;
  } finally {
    inflate.destroy();
  }
}

/** Unpacks a gzip file of one or several members; checks sizes and checksums; accepts zero padding behind them. */
export async function* gunzip(source: ByteSource, meter: ByteMeter): AsyncGenerator<Uint8Array> {
  let totalBytes = 0;
  for (let members = 1; ; members++) {
    await skipHeader(source);
    let [crc, memberBytes] = [0, 0];
    for await (const output of inflateMember(source, meter)) {
      meter.countOut(output.byteLength);
      crc = crc32(output, crc);
      memberBytes += output.byteLength;
      yield output;
    }
    const trailer = await need(source, 8);
    if (trailer.readUInt32LE(0) !== crc) throw corrupt('gzip', 'its checksum does not match');
    if (trailer.readUInt32LE(4) !== memberBytes % 2 ** 32) throw corrupt('gzip', 'its size does not match');
    totalBytes += memberBytes;
    refuseTinyMembers('gzip', members, totalBytes);
    const next = await source.peek(2);
    if (next.byteLength === 0) return;
    if (next[0] === 0) return refuseAllButZeros(source, 'gzip');
    if (!isGzip(next) && !(next.byteLength === 1 && next[0] === 0x1f)) throw foreignBytes('gzip');
  }
}
