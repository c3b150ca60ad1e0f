/** Finds which of a fixed list of keys stands in the bytes, without making a string of it. */
export class KeyTable {
  private readonly keys: Uint8Array[];
  private readonly firstInBucket = new Int16Array(256).fill(-1);
  private readonly nextInBucket: Int16Array;

  /** Keys are ASCII; their index in `names` is what `find` returns. */
  constructor(names: readonly string[]) {
    this.keys = names.map((name) => new TextEncoder().encode(name));
    this.nextInBucket = new Int16Array(names.length);
    this.keys.forEach((key, index) => {
      const bucket = bucketOf(key, 0, key.length);
      this.nextInBucket[index] = this.firstInBucket[bucket];
      this.firstInBucket[bucket] = index;
    });
  }

  /** Index of the key that stands from `start` to `end`, or -1. */
  find(bytes: Uint8Array, start: number, end: number): number {
    if (start >= end) return -1;
    for (let i = this.firstInBucket[bucketOf(bytes, start, end)]; i >= 0; i = this.nextInBucket[i]) {
      if (sameBytes(this.keys[i], bytes, start, end)) return i;
    }
    return -1;
  }
}

function bucketOf(bytes: Uint8Array, start: number, end: number): number {
  return ((end - start) * 37 + bytes[start] * 5 + bytes[end - 1] + bytes[(start + end) >> 1] * 11) & 0xff;
}

function sameBytes(key: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let i = 0; i < key.length; i++) if (key[i] !== bytes[start + i]) return false;
  return true;
}
