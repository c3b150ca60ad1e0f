import { describeUnknown, SNIFF_BYTES, sniffFormat } from '../../analysis';
import { unpackHead } from '../../platform/decompression';
import { ProblemError } from '../../platform/errors';

/**
 * Refuses a file whose first bytes, unpacked, are of no format: throws `unknown-format`, or `empty-file` when there are
 * none. Anything that might be readable passes; the analysis looks again.
 */
export async function refuseUnknownFormat(head: Uint8Array): Promise<void> {
  if (head.byteLength === 0) throw new ProblemError('empty-file', 'The body has no bytes.');
  const unpacked = await unpackHead(once(head), SNIFF_BYTES);
  // A compressed file whose head gives nothing is damaged or cut; the analysis says how.
  if (unpacked.byteLength === 0) return;
  if (sniffFormat(unpacked)) return;
  throw new ProblemError('unknown-format', `The file looks like ${describeUnknown(unpacked)}.`);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
