import { skipSpace } from './json-skip';

/** White space after a quote that is waited for, when it decides whether the quote ends a string. */
const MAX_LOOKAHEAD = 4096;

/**
 * Skips a value that is too large to be held, keeping nothing of it: brackets are counted, strings are stepped over.
 * Feed it piece by piece until `done`.
 */
export class OversizeSkipper {
  done = false;
  private depth = 0;
  private inString = false;

  /** Begins with a new value. */
  begin(): void {
    this.done = this.inString = false;
    this.depth = 0;
  }

  /** Skips from `p`; returns how far it got, which is short of `end` when the next bytes must be seen together. */
  skip(bytes: Uint8Array, p: number, end: number): number {
    while (p < end && !this.done) {
      const c = bytes[p];
      if (this.inString) {
        if (c === 0x5c /* \ */) {
          if (p + 1 >= end) return p;
          p++;
        } else if (c === 0x22 /* " */) {
          const next = skipSpace(bytes, p + 1, end);
          if (next >= end && end - p < MAX_LOOKAHEAD) return p;
          if (next >= end || endsString(bytes[next])) this.leaveString();
        }
      } else if (c === 0x22) {
        this.inString = true;
      } else if (c === 0x7b /* { */ || c === 0x5b /* [ */) {
        this.depth++;
      } else if (c === 0x7d /* } */ || c === 0x5d /* ] */) {
        if (this.depth > 0) this.depth--;
        else p--; // the end of what the value stands in
        this.done = this.depth === 0;
      } else if (c === 0x2c /* , */ && this.depth === 0) {
        this.done = true;
      }
      p++;
    }
    return p;
  }

  private leaveString(): void {
    this.inString = false;
    this.done = this.depth === 0;
  }
}

function endsString(c: number): boolean {
  return c === 0x2c /* , */ || c === 0x5d /* ] */ || c === 0x7d /* } */ || c === 0x3a; /* : */
}
