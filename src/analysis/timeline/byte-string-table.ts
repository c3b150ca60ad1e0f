import { type StringTable } from './string-table';
import { grown } from './typed-columns';

/** What one entry costs beside its bytes; counted, so that many short names meet the limit too. */
const ENTRY_OVERHEAD_BYTES = 16;
/** Longest chain that is followed. With a full hash, only names made to collide have longer ones. */
const MAX_CHAIN = 64;
const DROPPED_NAME = '(name dropped)';

/**
 * Names as raw bytes, each kept once; decoded to a string only when asked for. When `maxBytes` is reached, further new
 * names share one entry and are counted in `dropped`.
 */
export class ByteStringTable implements StringTable {
  /** Calls of `intern` that met the limit. */
  dropped = 0;
  size = 0;
  private arena = new Uint8Array(1 << 16);
  private arenaUsed = 0;
  private offsets = new Uint32Array(1 << 10);
  private lengths = new Uint32Array(1 << 10);
  private hashes = new Int32Array(1 << 10);
  private nextInChain = new Uint32Array(1 << 10);
  private buckets = new Uint32Array(1 << 10);
  private readonly decoded: (string | undefined)[] = [''];
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly droppedId: number;

  constructor(private readonly maxBytes: number) {
    this.append(new Uint8Array(0), 0, 0, 0);
    const text = new TextEncoder().encode(DROPPED_NAME);
    this.droppedId = this.size;
    this.append(text, 0, text.length, hashOf(text, 0, text.length));
  }

  /** Id of the bytes from `start` to `end`, added when they are new; empty bytes are id 0. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    if (start >= end) return 0;
    const hash = hashOf(bytes, start, end);
    const length = end - start;
    let id = this.buckets[hash & (this.buckets.length - 1)];
    let steps = 0;
    while (id !== 0) {
      if (this.hashes[id] === hash && this.lengths[id] === length && this.same(id, bytes, start)) return id;
      id = this.nextInChain[id];
      if (++steps > MAX_CHAIN) break;
    }
    if (steps > MAX_CHAIN || this.arenaUsed + length + this.size * ENTRY_OVERHEAD_BYTES > this.maxBytes) {
      this.dropped++;
      return this.droppedId;
    }
    return this.append(bytes, start, end, hash);
  }

  get(id: number): string {
    if (id >= this.size) return '';
    return (this.decoded[id] ??= this.decode(id));
  }

  private decode(id: number): string {
    const bytes = this.arena.subarray(this.offsets[id], this.offsets[id] + this.lengths[id]);
    const text = this.decoder.decode(bytes);
    return bytes.some(isControl)
      ? Array.from(text, (char) => (isControl(char.charCodeAt(0)) ? '\uFFFD' : char)).join('')
      : text;
  }

  private same(id: number, bytes: Uint8Array, start: number): boolean {
    const offset = this.offsets[id];
    const length = this.lengths[id];
    const arena = this.arena;
    for (let i = 0; i < length; i++) if (arena[offset + i] !== bytes[start + i]) return false;
    return true;
  }

  private append(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start;
    if (this.size === this.offsets.length) this.growEntries();
    if (this.arenaUsed + length > this.arena.length) {
      this.arena = grown(this.arena, Math.max(this.arena.length * 2, this.arenaUsed + length));
    }
    const id = this.size++;
    this.arena.set(bytes.subarray(start, end), this.arenaUsed);
    this.offsets[id] = this.arenaUsed;
    this.lengths[id] = length;
    this.hashes[id] = hash;
    this.arenaUsed += length;
    if (id !== 0) this.link(id);
    return id;
  }

  private growEntries(): void {
    const capacity = this.offsets.length * 2;
    this.offsets = grown(this.offsets, capacity);
    this.lengths = grown(this.lengths, capacity);
    this.hashes = grown(this.hashes, capacity);
    this.nextInChain = new Uint32Array(capacity);
    this.buckets = new Uint32Array(capacity);
    for (let id = 1; id < this.size; id++) this.link(id);
  }

  private link(id: number): void {
    const bucket = this.hashes[id] & (this.buckets.length - 1);
    this.nextInChain[id] = this.buckets[bucket];
    this.buckets[bucket] = id;
  }
}

/** FNV-1a over the bytes, with the high bits folded in, because buckets are chosen by the low ones. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Control bytes other than tab, line feed and carriage return; a database or a terminal would choke on them. */
function isControl(code: number): boolean {
  return code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d;
}
