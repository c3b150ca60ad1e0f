import { type Readable } from 'node:stream';

/**
 * Reads the first bytes of a stream and gives them back with an iteration over everything, those bytes included. The
 * stream is not destroyed when the iteration is left early: the answer to a request travels on the same connection.
 */
export async function peekStream(
  stream: Readable,
  headBytes: number,
): Promise<{ head: Buffer; all: AsyncIterable<Uint8Array> }> {
  const rest = stream.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  while (sizeBytes < headBytes) {
    const next = await rest.next();
    if (next.done) break;
    pieces.push(next.value);
    sizeBytes += next.value.length;
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* pieces;
    yield* rest;
  }
  return { head: Buffer.concat(pieces).subarray(0, headBytes), all: all() };
}
