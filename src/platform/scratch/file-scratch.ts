import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../decompression';

const GIB = 2 ** 30;

/** Bytes in a temporary file: written from front to end, read anywhere. One process uses it, and it has no name. */
export interface FileScratch {
  /** Adds bytes at the end. Throws `InputError` with the code `INPUT_TOO_LARGE` beyond the bound, and on a full disk. */
  append(bytes: Uint8Array): void;
  /** Fills `into` with the bytes from `offset`. */
  read(offset: number, into: Uint8Array): void;
  /** Gives the room back. */
  close(): void;
}

/**
 * An empty temporary file of at most `maxBytes`, in the system's folder for them (TMPDIR). It is unlinked at once, so
 * the system takes its room back even when the process is killed.
 */
export function fileScratch(maxBytes: number): FileScratch {
  const folder = mkdtempSync(join(tmpdir(), 'stallscope-'));
  const file = openSync(join(folder, 'scratch'), 'wx+', 0o600);
  rmSync(folder, { recursive: true });
  let sizeBytes = 0;
  return {
    append(bytes) {
      if (sizeBytes + bytes.length > maxBytes)
        throw tooLarge(
          `It has more than the ${(maxBytes / GIB).toFixed(1)} GiB that may be unpacked to disk.`,
        );
      for (let written = 0; written < bytes.length;) written += write(file, bytes, written);
      sizeBytes += bytes.length;
    },
    read(offset, into) {
      for (let filled = 0; filled < into.length;) {
        const got = readSync(file, into, filled, into.length - filled, offset + filled);
        if (got === 0) throw new RangeError(`nothing was written at ${offset + filled}`);
        filled += got;
      }
    },
    close: () => closeSync(file),
  };
}

function write(file: number, bytes: Uint8Array, from: number): number {
  try {
    return writeSync(file, bytes, from);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) throw error;
    throw tooLarge(`There is no room for it in ${tmpdir()} (${code}); TMPDIR may name another folder.`);
  }
}

function tooLarge(reason: string): InputError {
  return new InputError('INPUT_TOO_LARGE', `${reason} Record less: fewer steps, without CPU sampling.`);
}
