import { endOfKey, INCOMPLETE, skipColon, skipSpace } from './json-skip';
import { KeyTable } from './key-table';

/** Keys that an event may begin with. */
const FIRST_KEYS = new KeyTable(['ph', 'cat', 'name', 'pid', 'tid', 'ts', 'dur', 'args', 'id', 's']);
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

  /** Begins a search inside a lost event. */
  begin(): void {
    this.previous = 0x7b;
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
    if (c === 0x7b /* { */ && this.previous !== 0x3a /* : */) return opensEvent(bytes, p, end);
    if (c === 0x5d /* ] */ && this.previous === 0x7d /* } */) return closesEvents(bytes, p, end, final);
    return Match.no;
  }
}

/** Whether the brace at `p` is followed by a key that events begin with. */
function opensEvent(bytes: Uint8Array, p: number, end: number): Match {
  const quote = skipSpace(bytes, p + 1, end);
  if (quote >= end) return Match.unknown;
  if (bytes[quote] !== 0x22 /* " */) return Match.no;
  const keyEnd = endOfKey(bytes, quote + 1, end);
  if (keyEnd === INCOMPLETE) return Match.unknown;
  if (FIRST_KEYS.find(bytes, quote + 1, keyEnd) < 0) return Match.no;
  const value = skipColon(bytes, keyEnd + 1, end);
  return value === INCOMPLETE ? Match.unknown : value < 0 ? Match.no : Match.yes;
}

/** Whether the bracket at `p` is followed by the next member or the end of the top-level object. */
function closesEvents(bytes: Uint8Array, p: number, end: number, final: boolean): Match {
  let next = skipSpace(bytes, p + 1, end);
  if (next >= end) return final ? Match.yes : Match.unknown;
  if (bytes[next] === 0x7d /* } */) return Match.yes;
  if (bytes[next] !== 0x2c /* , */) return Match.no;
  next = skipSpace(bytes, next + 1, end);
  if (next >= end) return Match.unknown;
  return bytes[next] === 0x22 /* " */ ? Match.yes : Match.no;
}
