import { openArtifactBytes } from './open-artifact-bytes';

/** Compressed traces unpack about 30 times; this bounds what a hostile head costs. */
const MAX_RATIO = 2_000;
const MOST_HEADS = 64;

/**
 * The first bytes of a file as they are unpacked, at most `headBytes`. Fewer where it is damaged or ends early, none where
 * nothing can be read; never throws for that.
 */
export async function unpackHead(source: AsyncIterable<Uint8Array>, headBytes: number): Promise<Uint8Array> {
  const limits = { maxBytes: MOST_HEADS * headBytes, maxRatio: MAX_RATIO, minBytesBeforeRatio: headBytes };
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const piece of openArtifactBytes(source, limits)) {
      pieces.push(piece);
      sizeBytes += piece.byteLength;
      if (sizeBytes >= headBytes) break;
    }
  } catch {
    // The head of a compressed stream always ends early; what came before it is what there is to look at.
  }
  return Buffer.concat(pieces).subarray(0, headBytes);
}
