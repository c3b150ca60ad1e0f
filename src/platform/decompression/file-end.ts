import { type ByteSource } from './byte-source';
import { corrupt, InputError } from './input-error';

const PIECE_BYTES = 64 * 1024;
// Each member or frame costs some 20 µs and more, so a file of millions of empty ones would cost minutes;
// block-compressed files (bgzip, pzstd) have 64 KiB and more in one.
const FREE_MEMBERS = 1000;
const MIN_MEAN_MEMBER_BYTES = 1024;

export function foreignBytes(format: string): InputError {
  return corrupt(format, `bytes that are not ${format} follow its end`);
}

/** Padding may follow (tapes, block devices); anything else behind the end would be lost silently. */
export async function refuseAllButZeros(source: ByteSource, format: string): Promise<void> {
  for (let piece = await source.take(PIECE_BYTES); piece; piece = await source.take(PIECE_BYTES)) {
    if (piece.some((byte) => byte !== 0)) throw foreignBytes(format);
  }
}

/** Refuses files cut into a great many tiny members (gzip) or frames (zstd), which cost more than they hold. */
export function refuseTinyMembers(format: string, members: number, totalBytes: number): void {
  if (members <= FREE_MEMBERS || totalBytes >= members * MIN_MEAN_MEMBER_BYTES) return;
  throw new InputError(
    'INPUT_TOO_LARGE',
    `The ${format} file consists of more than ${FREE_MEMBERS} tiny members, which costs more than it holds. Compress the file in one go and upload it again.`,
  );
}
