import { describeUnknown, SNIFF_BYTES, sniffFormat } from '../../analysis';
import { openArtifactBytes } from '../../platform/decompression';
import { ProblemError } from '../../platform/errors';

/** Compressed traces unpack about 30 times; this bounds what a hostile head costs. */
const HEAD_LIMITS = { maxBytes: 64 * SNIFF_BYTES, maxRatio: 2_000, minBytesBeforeRatio: SNIFF_BYTES };

/**
 * Refuses a file whose first bytes, unpacked, are of no format: throws `unknown-format`, or `empty-file` when there are
 * none. Anything that might be readable passes; the analysis looks again.
 */
export async function refuseUnknownFormat(head: Uint8Array): Promise<void> {
  if (head.byteLength === 0) throw new ProblemError('empty-file', 'The body has no bytes.');
  const unpacked = await unpackHead(head);
  // A compressed file whose head gives nothing is damaged or cut; the analysis says how.
  if (unpacked.byteLength === 0) return;
  if (sniffFormat(unpacked)) return;
  throw new ProblemError('unknown-format', `The file looks like ${describeUnknown(unpacked)}.`);
}

async function unpackHead(head: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const piece of openArtifactBytes(once(head), HEAD_LIMITS)) {
      pieces.push(piece);
      sizeBytes += piece.byteLength;
      if (sizeBytes >= SNIFF_BYTES) break;
    }
  } catch {
    // The head of a compressed stream always ends early; what came before it is what there is to look at.
  }
  return Buffer.concat(pieces).subarray(0, SNIFF_BYTES);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
