/** How the pickler writes: Python's protocol 4, or the one that PyTorch has in C++ (protocol 2, one run per list). */
export type PickleStyle = 'python' | 'torch';

const BATCH = 1000;
const CHUNK_BYTES = 65_536;

/**
 * Plain data as a pickle, in chunks: dicts, lists, texts, numbers, booleans, null. Texts and frozen objects that come again
 * are referred to. A list may be given as a function that yields its items, so that a large one need never exist.
 */
export function* pickle(value: unknown, style: PickleStyle = 'python'): Generator<Buffer> {
  const pickler = new Pickler(style);
  pickler.put(0x80, style === 'python' ? 4 : 2);
  yield* pickler.write(value);
  pickler.put(0x2e);
  yield pickler.take();
}

export const pickled = (value: unknown, style?: PickleStyle): Buffer =>
  Buffer.concat([...pickle(value, style)]);

class Pickler {
  private readonly memo = new Map<unknown, number>();
  private memoLength = 0;
  private readonly out = Buffer.alloc(4 * CHUNK_BYTES);
  private at = 0;

  constructor(private readonly style: PickleStyle) {}

  put(...bytes: number[]): void {
    for (const byte of bytes) this.out[this.at++] = byte;
  }

  take(): Buffer {
    const chunk = Buffer.from(this.out.subarray(0, this.at));
    this.at = 0;
    return chunk;
  }

  *write(value: unknown): Generator<Buffer> {
    if (this.writePlain(value)) return;
    const isDict = !Array.isArray(value) && typeof value !== 'function';
    this.put(isDict ? 0x7d : 0x5d);
    if (this.style === 'python') this.remember(value);
    let open = 0;
    for (const item of itemsOf(value as object)) {
      if (open === 0) this.put(0x28);
      for (const part of isDict ? (item as [string, unknown]) : [item])
        if (!this.writePlain(part)) yield* this.write(part);
      if (this.at > CHUNK_BYTES) yield this.take();
      open++;
      if (open < BATCH || this.style === 'torch') continue;
      this.put(isDict ? 0x75 : 0x65);
      open = 0;
    }
    if (open > 0) this.put(isDict ? 0x75 : 0x65);
    if (this.style === 'torch') this.remember(value);
  }

  /** Writes a value that is not a container, or refers to one that was written; false when it is neither. */
  private writePlain(value: unknown): boolean {
    const index = this.memo.get(value);
    if (index !== undefined) this.putUint(0x6a, index, 4);
    else if (value === null) this.put(0x4e);
    else if (typeof value === 'boolean') this.put(value ? 0x88 : 0x89);
    else if (typeof value === 'number') this.number(value);
    else if (typeof value === 'string') this.text(value);
    else return false;
    return true;
  }

  private text(value: string): void {
    const sizeBytes = Buffer.byteLength(value);
    if (this.style === 'python' && sizeBytes < 256) this.put(0x8c, sizeBytes);
    else this.putUint(0x58, sizeBytes, 4);
    this.at += this.out.write(value, this.at);
    this.remember(value);
  }

  private number(value: number): void {
    if (!Number.isInteger(value)) {
      this.put(0x47);
      this.at = this.out.writeDoubleBE(value, this.at);
    } else if (value >= 0 && value < 256) this.put(0x4b, value);
    else if (value >= 0 && value < 65_536) this.putUint(0x4d, value, 2);
    else {
      this.put(0x8a, 8);
      this.at = this.out.writeBigInt64LE(BigInt(value), this.at);
    }
  }

  /** Objects that are not frozen come once. */
  private remember(value: unknown): void {
    const index = this.memoLength++;
    if (typeof value === 'string' || Object.isFrozen(value)) this.memo.set(value, index);
    if (this.style === 'python') this.put(0x94);
    else if (index < 256) this.put(0x71, index);
    else this.putUint(0x72, index, 4);
  }

  private putUint(opcode: number, value: number, sizeBytes: number): void {
    this.put(opcode);
    this.at = this.out.writeUIntLE(value, this.at, sizeBytes);
  }
}

function itemsOf(value: object): Iterable<unknown> {
  if (typeof value === 'function') return (value as () => Iterable<unknown>)();
  return Array.isArray(value) ? (value as unknown[]) : Object.entries(value);
}
