import * as zlib from 'node:zlib';
import { type ByteSource } from './byte-source';
import { foreignBytes, refuseAllButZeros, refuseTinyMembers } from './file-end';
import { InflateStream, type ZlibStream } from './inflate-stream';
import { corrupt, InputError, truncated } from './input-error';
import { type ByteMeter } from './limit-bytes';
import { isSkippableFrame, isZstdFrame, skipFrame, takeFrame } from './zstd-frames';

const OUTPUT_CHUNK_BYTES = 256 * 1024;
// 128 MiB, as `zstd -d` takes without --long: a frame may ask for a window of any size, and that is memory.
const MAX_WINDOW_LOG = 27;
// ZSTD_d_windowLogMax of zstd.h; Node 20 has no constant for it.
const WINDOW_LOG_MAX_PARAMETER = 100;

type CreateZstdDecompress = (options: { chunkSize: number; params: Record<number, number> }) => ZlibStream;

export function isZstd(head: Uint8Array): boolean {
  return isZstdFrame(head) || isSkippableFrame(head);
}

function createDecoder(): ZlibStream {
  const create = (zlib as { createZstdDecompress?: CreateZstdDecompress }).createZstdDecompress;
  if (create)
    return create({ chunkSize: OUTPUT_CHUNK_BYTES, params: { [WINDOW_LOG_MAX_PARAMETER]: MAX_WINDOW_LOG } });
  throw new InputError(
    'INPUT_CORRUPT',
    `The file is compressed with zstd, which Node ${process.versions.node} cannot read (22.15 and later can). Unpack it, or compress it with gzip, and upload it again.`,
  );
}

async function* decodeFrame(source: ByteSource, meter: ByteMeter): AsyncGenerator<Uint8Array> {
  const decoder = new InflateStream(createDecoder());
  try {
    for await (const piece of takeFrame(source)) {
      meter.countIn(piece.byteLength);
      if (decoder.ended) throw corrupt('zstd', 'a frame goes on behind its end');
      yield* decoder.feed(piece);
    }
    yield* decoder.finish();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'Z_BUF_ERROR') throw truncated('zstd');
    if (code?.startsWith('ZSTD_')) throw corrupt('zstd', (error as Error).message, error);
    throw error;
  } finally {
    decoder.destroy();
  }
}

/** Unpacks a zstd file of one or several frames; skips skippable ones; accepts zero padding behind them. */
export async function* unzstd(source: ByteSource, meter: ByteMeter): AsyncGenerator<Uint8Array> {
  let totalBytes = 0;
  for (let frames = 1; ; frames++) {
    if (isSkippableFrame(await source.peek(4))) await skipFrame(source);
    else {
      for await (const output of decodeFrame(source, meter)) {
        meter.countOut(output.byteLength);
        totalBytes += output.byteLength;
        yield output;
      }
    }
    refuseTinyMembers('zstd', frames, totalBytes);
    const next = await source.peek(4);
    if (next.byteLength === 0) return;
    if (next[0] === 0) return refuseAllButZeros(source, 'zstd');
    if (next.byteLength < 4) throw truncated('zstd');
    if (!isZstd(next)) throw foreignBytes('zstd');
  }
}
