import { type ByteSource } from './byte-source';
import { corrupt, truncated } from './input-error';

// RFC 8878, section 3.1.1: sizes of the optional header fields by their two-bit flags, and the largest block.
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];
const MAX_BLOCK_BYTES = 128 * 1024;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;
const SKIP_PIECE_BYTES = 64 * 1024;

export function isZstdFrame(head: Uint8Array): boolean {
  return head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;
}

/** RFC 8878, section 3.1.2: frames with data for others, which decoders skip. */
export function isSkippableFrame(head: Uint8Array): boolean {
  return (head[0] & 0xf0) === 0x50 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18;
}

async function need(source: ByteSource, count: number): Promise<Buffer> {
  const bytes = await source.takeExactly(count);
  if (!bytes) throw truncated('zstd');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Exactly `count` bytes in pieces; throws where the file ends early, after the pieces that there are. */
async function* takeAll(source: ByteSource, count: number): AsyncGenerator<Uint8Array> {
  for (let left = count; left > 0;) {
    const piece = await source.take(Math.min(left, SKIP_PIECE_BYTES));
    if (!piece) throw truncated('zstd');
    left -= piece.byteLength;
    yield piece;
  }
}

export async function skipFrame(source: ByteSource): Promise<void> {
  const sizeBytes = (await need(source, 8)).readUInt32LE(4);
  for await (const _ of takeAll(source, sizeBytes));
}

/**
 * The bytes of one frame, found by its block headers. Needed because Node's decoder stops at the end of the first frame
 * without a word, and before Node 24 takes a cut frame for a whole one.
 */
export async function* takeFrame(source: ByteSource): AsyncGenerator<Uint8Array> {
  const start = await need(source, 5);
  yield start;
  const descriptor = start[4];
  if (descriptor & 0x08) throw corrupt('zstd', 'its header is not valid');
  const singleSegment = (descriptor & 0x20) !== 0;
  const contentSizeFlag = descriptor >> 6;
  const contentSizeBytes = contentSizeFlag === 0 && singleSegment ? 1 : CONTENT_SIZE_BYTES[contentSizeFlag];
  yield* takeAll(source, (singleSegment ? 0 : 1) + DICTIONARY_ID_BYTES[descriptor & 3] + contentSizeBytes);
  for (let last = false; !last;) {
    const header = await need(source, 3);
    const bits = header.readUIntLE(0, 3);
    const [type, sizeBytes] = [(bits >> 1) & 3, bits >> 3];
    if (type === RESERVED_BLOCK || sizeBytes > MAX_BLOCK_BYTES)
      throw corrupt('zstd', 'a block header is not valid');
    last = (bits & 1) === 1;
    yield header;
    yield* takeAll(source, type === RLE_BLOCK ? 1 : sizeBytes);
  }
  if (descriptor & 0x04) yield* takeAll(source, 4);
}
