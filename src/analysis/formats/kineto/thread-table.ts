import { ByteStringTable } from '../../timeline/byte-string-table';
import { type HostThread } from '../../timeline/rank-timeline';
import { type Span } from './event-fields';
import { NameInterner } from './name-interner';

/** `threadIndex` is a 16-bit column; a file with more threads is hostile, and the rest share the last index. */
export const MAX_THREADS = 0xffff;
const MAX_ID_BYTES = 16 * 1024 * 1024;

/** Host threads by process id and thread id, both kept as they are written. */
export class ThreadTable {
  /** Events of threads beyond the bound. */
  dropped = 0;
  private readonly ids = new ByteStringTable(MAX_ID_BYTES);
  private readonly idNames = new NameInterner(this.ids);
  private readonly indexByKey = new Map<number, number>();
  private readonly keys: number[] = [];
  private readonly nameByKey = new Map<number, string>();
  private lastKey = -1;
  private lastIndex = -1;

  /** Index of the thread, added when it is new. Absent ids count as empty. */
  indexOf(bytes: Uint8Array, processId: Span, threadId: Span): number {
    const key = this.keyOf(bytes, processId, threadId);
    if (key === this.lastKey) return this.lastIndex;
    let index = this.indexByKey.get(key);
    if (index === undefined) {
      if (this.keys.length >= MAX_THREADS) {
        this.dropped++;
        return MAX_THREADS - 1;
      }
      index = this.keys.push(key) - 1;
      this.indexByKey.set(key, index);
    }
    this.lastKey = key;
    this.lastIndex = index;
    return index;
  }

  /** Keeps the name of a thread, whether or not events of it have been seen; the last name counts. */
  setName(bytes: Uint8Array, processId: Span, threadId: Span, name: string): void {
    const key = this.keyOf(bytes, processId, threadId);
    if (this.nameByKey.size < MAX_THREADS || this.nameByKey.has(key)) this.nameByKey.set(key, name);
  }

  /** All threads that have events, by index. */
  list(): HostThread[] {
    return this.keys.map((key) => ({
      processId: this.ids.get(Math.floor(key / KEY_BASE)),
      threadId: this.ids.get(key % KEY_BASE),
      name: this.nameByKey.get(key) ?? '',
    }));
  }

  private keyOf(bytes: Uint8Array, processId: Span, threadId: Span): number {
    const process = processId.present ? this.idNames.intern(bytes, processId.start, processId.end) : 0;
    const thread = threadId.present ? this.idNames.intern(bytes, threadId.start, threadId.end) : 0;
    return process * KEY_BASE + thread;
  }
}

/** More than the ids that fit in MAX_ID_BYTES, so that two ids make one exact double. */
const KEY_BASE = 2 ** 24;
