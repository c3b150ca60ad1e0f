import { endOfKey, INCOMPLETE, skipColon, skipSpace } from './json-skip';
import { KeyTable } from './key-table';

/** Keys that an event may begin with. */
const FIRST_KEYS = new KeyTable(['ph', 'cat', 'name', 'pid', 'tid', 'ts', 'dur', 'args', 'id', 's']);
/** Members that may follow the events. */
const MEMBERS = new KeyTable([
  'traceName',
  'displayTimeUnit',
  'baseTimeNanoseconds',
  'INFO',
  'schemaVersion',
  'deviceProperties',
  'distributedInfo',
  'record_shapes',
  'with_stack',
  'with_flops',
  'with_modules',
  'profile_memory',
  'trace_id',
]);
/** Longest such key with its quotes and white space; farther than this is not waited for. */
const MAX_LOOKAHEAD = 4096;

const enum Match {
  no,
  yes,
  unknown,
}

/**
 * Finds where reading can go on after an event that made no sense: at the next brace that looks like the start of an
 * event, or at the bracket that ends the array.
 */
export class Resynchronizer {
  /** Last byte before the position that is not white space: what a brace follows tells what it opens. */
  private previous = 0x2c;

  /** Begins a search after the byte `previous`. */
  begin(previous: number): void {
    this.previous = previous;
  }

  /**
   * Searches from `p`. Returns the position to go on from with `found`, or how far the bytes were searched. With
   * `final` no more bytes will come.
   */
  search(bytes: Uint8Array, p: number, end: number, final: boolean): { found: boolean; position: number } {
    for (; p < end; p++) {
      const c = bytes[p];
      if (c <= 0x20) continue;
      const match = this.matchAt(bytes, p, end, final);
      if (match === Match.yes) return { found: true, position: p };
      if (match === Match.unknown && end - p < MAX_LOOKAHEAD && !final) return { found: false, position: p };
      this.previous = c;
    }
    return { found: false, position: p };
  }

  private matchAt(bytes: Uint8Array, p: number, end: number, final: boolean): Match {
    const c = bytes[p];
    if (c === 0x7b /* { */ && this.previous !== 0x3a /* : */) return opensWith(FIRST_KEYS, bytes, p, end);
    if (c === 0x5d /* ] */ && this.previous === 0x7d /* } */) return closesEvents(bytes, p, end, final);
    return Match.no;
  }
}

/** Whether the brace or comma at `p` is followed by one of `keys` and its value. */
function opensWith(keys: KeyTable, bytes: Uint8Array, p: number, end: number): Match {
  const quote = skipSpace(bytes, p + 1, end);
  if (quote >= end) return Match.unknown;
  if (bytes[quote] !== 0x22 /* " */) return Match.no;
  const keyEnd = endOfKey(bytes, quote + 1, end);
  if (keyEnd === INCOMPLETE) return Match.unknown;
  if (keys.find(bytes, quote + 1, keyEnd) < 0) return Match.no;
  const value = skipColon(bytes, keyEnd + 1, end);
  return value === INCOMPLETE ? Match.unknown : value < 0 ? Match.no : Match.yes;
}

/**
 * Whether the bracket at `p` ends the events. A lost event may hold lists of objects that end alike, and a wrong guess
 * would cost every event that follows: so it must be the end of the file, or a member that kineto writes must follow.
 */
function closesEvents(bytes: Uint8Array, p: number, end: number, final: boolean): Match {
  const next = skipSpace(bytes, p + 1, end);
  if (next >= end) return final ? Match.yes : Match.unknown;
  if (bytes[next] === 0x7d /* } */) {
    if (skipSpace(bytes, next + 1, end) < end) return Match.no;
    return final ? Match.yes : Match.unknown;
  }
  if (bytes[next] !== 0x2c /* , */) return Match.no;
  return opensWith(MEMBERS, bytes, next, end);
}
