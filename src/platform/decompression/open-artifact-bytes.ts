import { ByteSource } from './byte-source';
import { gunzip, isGzip } from './gunzip';
import { ByteMeter, type DecompressionLimits } from './limit-bytes';
import { isZstd, unzstd } from './unzstd';

const HEAD_BYTES = 4;
const PLAIN_PIECE_BYTES = 1024 * 1024;

async function* passThrough(source: ByteSource, meter: ByteMeter): AsyncGenerator<Uint8Array> {
  for (
    let piece = await source.take(PLAIN_PIECE_BYTES);
    piece;
    piece = await source.take(PLAIN_PIECE_BYTES)
  ) {
    meter.countIn(piece.byteLength);
    meter.countOut(piece.byteLength);
    yield piece;
  }
}

/**
 * The content of an artifact: gzip and zstd are recognised by their first bytes and unpacked, one layer of them;
 * everything else is passed on. Memory stays at a few hundred KiB beyond the source's chunks, and nothing is read
 * ahead of the consumer. Leaving the iteration early closes the source.
 *
 * Throws an error with a `code` after everything that could be unpacked was yielded: `INPUT_TRUNCATED` when the file
 * ends early, `INPUT_CORRUPT` when it is damaged (or zstd, on a Node without it), `INPUT_TOO_LARGE` at the byte or
 * ratio limit. What the source throws is passed on as it is.
 */
export async function* openArtifactBytes(
  source: AsyncIterable<Uint8Array>,
  limits: DecompressionLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = new ByteSource(source);
  const meter = new ByteMeter(limits);
  try {
    const head = await bytes.peek(HEAD_BYTES);
    if (isGzip(head)) yield* gunzip(bytes, meter);
    else if (isZstd(head)) yield* unzstd(bytes, meter);
    else yield* passThrough(bytes, meter);
  } finally {
    await bytes.close();
  }
}
