import { Frame, Stack } from './frames';
import { type Value } from './values';

const CHUNK_ENTRIES = 1 << 20;
type Kept = string | Frame | Stack | null;

/**
 * What a pickle may refer back to. An entry takes four bytes; only texts, frames and stacks are kept behind it, each once,
 * because of everything else its sum is kept already.
 */
export class Memo {
  private readonly chunks: Int32Array[] = [];
  private readonly values: Kept[] = [null];
  private readonly indexOf = new Map<Kept, number>([[null, 0]]);
  length = 0;

  /** Sets an entry that is there, or the next one. */
  set(index: number, value: Value): void {
    if (index === this.length) {
      if (index % CHUNK_ENTRIES === 0) this.chunks.push(new Int32Array(CHUNK_ENTRIES));
      this.length++;
    }
    const kept = typeof value === 'string' || value instanceof Frame || value instanceof Stack ? value : null;
    this.chunks[Math.floor(index / CHUNK_ENTRIES)][index % CHUNK_ENTRIES] = this.keep(kept);
  }

  get(index: number): Kept {
    return this.values[this.chunks[Math.floor(index / CHUNK_ENTRIES)][index % CHUNK_ENTRIES]];
  }

  private keep(value: Kept): number {
    let index = this.indexOf.get(value);
    if (index === undefined) {
      index = this.values.length;
      this.values.push(value);
      this.indexOf.set(value, index);
    }
    return index;
  }
}
