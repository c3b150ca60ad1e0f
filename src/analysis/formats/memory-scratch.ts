import { ByteSourceErrorCode } from '../timeline/input-refused';
import { type Scratch } from './scratch';

/** More than this does not belong in memory. */
const MAX_BYTES = 256 * 2 ** 20;

/** Scratch room in memory, for callers that give no other. */
export function memoryScratch(): Scratch {
  let bytes = new Uint8Array(1 << 16);
  let sizeBytes = 0;
  return {
    append(added) {
      const neededBytes = sizeBytes + added.length;
      if (neededBytes > MAX_BYTES) throw tooLarge();
      if (neededBytes > bytes.length) {
        const larger = new Uint8Array(Math.max(bytes.length * 2, neededBytes));
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(added, sizeBytes);
      sizeBytes = neededBytes;
    },
    read(offset, into) {
      into.set(bytes.subarray(offset, offset + into.length));
    },
    close() {
      bytes = new Uint8Array(0);
    },
  };
}

function tooLarge(): Error {
  return Object.assign(new Error(`larger than the ${MAX_BYTES / 2 ** 20} MiB that may be held in memory.`), {
    code: ByteSourceErrorCode.tooLarge,
  });
}
