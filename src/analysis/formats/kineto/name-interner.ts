import { type ByteStringTable } from '../../timeline/byte-string-table';
import { grown } from '../../timeline/typed-columns';

/**
 * Interns the text of JSON strings. Each spelling is looked up as raw bytes; escapes are resolved once per spelling,
 * and so is the check for bytes that do not belong in a name.
 */
export class NameInterner {
  /** Distinct names with control bytes, raw quotes, invalid escapes or invalid UTF-8. */
  invalidNames = 0;
  invalidExample: string | undefined;
  /** Id of the text that a spelling stands for, by the id of the spelling. */
  private target = new Uint32Array(1 << 10);
  private known = 0;
  private readonly strictDecoder = new TextDecoder('utf-8', { fatal: true });

  constructor(private readonly table: ByteStringTable) {}

  /** Id of the text written, without its quotes, from `start` to `end`. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const spelling = this.table.intern(bytes, start, end);
    if (spelling >= this.known) this.learn(spelling, bytes, start, end);
    return this.target[spelling];
  }

  private learn(spelling: number, bytes: Uint8Array, start: number, end: number): void {
    const text = bytes.subarray(start, end);
    const escaped = text.includes(0x5c /* \ */);
    const unescaped = escaped ? unescape(text) : { text, valid: true };
    const id = escaped ? this.table.intern(unescaped.text, 0, unescaped.text.length) : spelling;
    if (!unescaped.valid || text.some(isSuspicious) || !this.isUtf8(text)) {
      this.invalidNames++;
      this.invalidExample ??= this.table.get(id);
    }
    if (this.table.size > this.target.length) this.target = grown(this.target, this.table.size * 2);
    for (; this.known < this.table.size; this.known++) this.target[this.known] = this.known;
    this.target[spelling] = id;
  }

  private isUtf8(text: Uint8Array): boolean {
    if (!text.some((byte) => byte >= 0x80)) return true;
    try {
      this.strictDecoder.decode(text);
      return true;
    } catch {
      return false;
    }
  }
}

/** Control bytes never stand raw in JSON; a raw quote is caught where it is not preceded by a backslash. */
function isSuspicious(byte: number, index: number, text: Uint8Array): boolean {
  return byte < 0x20 || (byte === 0x22 /* " */ && text[index - 1] !== 0x5c); /* \ */
}

const SIMPLE_ESCAPES: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  '/': '/',
};

/** Resolves the escapes of a JSON string; an escape that JSON does not know stays as it is written. */
export function unescape(text: Uint8Array): { text: Uint8Array; valid: boolean } {
  const parts: Uint8Array[] = [];
  const encoder = new TextEncoder();
  let valid = true;
  let plainFrom = 0;
  for (let p = text.indexOf(0x5c); p >= 0; p = text.indexOf(0x5c, p)) {
    const { length, value } = escapeAt(text, p);
    if (value === null) {
      valid = false;
    } else {
      parts.push(text.subarray(plainFrom, p), encoder.encode(value));
      plainFrom = p + length;
    }
    p += length;
  }
  parts.push(text.subarray(plainFrom));
  return { text: joined(parts), valid };
}

/** The escape at `p`: how long it is, and its text, or null when it is not one of JSON's. */
function escapeAt(text: Uint8Array, p: number): { length: number; value: string | null } {
  const kind = String.fromCharCode(text[p + 1] ?? 0);
  if (Object.hasOwn(SIMPLE_ESCAPES, kind)) return { length: 2, value: SIMPLE_ESCAPES[kind] };
  const high = kind === 'u' ? hexAt(text, p + 2) : null;
  if (high === null) return { length: 2, value: null };
  if (high >= 0xd800 && high < 0xdc00 && text[p + 6] === 0x5c && text[p + 7] === 0x75 /* u */) {
    const low = hexAt(text, p + 8);
    if (low !== null && low >= 0xdc00 && low < 0xe000)
      return { length: 12, value: String.fromCharCode(high, low) };
  }
  return { length: 6, value: String.fromCharCode(high) };
}

function hexAt(text: Uint8Array, p: number): number | null {
  const digits = String.fromCharCode(...text.subarray(p, p + 4));
  return /^[0-9a-f]{4}$/i.test(digits) ? parseInt(digits, 16) : null;
}

function joined(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
