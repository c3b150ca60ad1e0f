import { ArgsScanner } from './args-scanner';
import { EventFields, Span } from './event-fields';
import { endOfKey, INCOMPLETE, malformedAt, skipColon, skipSpace, skipValue } from './json-skip';
import { KeyTable } from './key-table';
import { parseTime } from './number-parsing';
import { readSpan } from './value-reading';

const enum Key {
  phase,
  category,
  name,
  processId,
  threadId,
  time,
  duration,
  args,
}

/** In the order of `Key`. */
const KEYS = new KeyTable(['ph', 'cat', 'name', 'pid', 'tid', 'ts', 'dur', 'args']);

/** Reads one event of a trace into `fields`. */
export class EventScanner {
  readonly fields = new EventFields();
  private readonly args = new ArgsScanner();
  private readonly token = new Span();

  /**
   * Reads the event whose opening brace is at `p`. Returns the position after its closing brace, INCOMPLETE when the
   * bytes end first (scan again from the same place once there are more), or where it is malformed.
   */
  scan(bytes: Uint8Array, p: number, end: number): number {
    const fields = this.fields;
    fields.reset();
    let seen = 0; // one bit for each key
    p++;
    for (;;) {
      p = skipSpace(bytes, p, end);
      if (p >= end) return INCOMPLETE;
      const c = bytes[p];
      if (c === 0x2c /* , */) {
        p++;
        continue;
      }
      if (c === 0x7d /* } */) return p + 1;
      if (c !== 0x22 /* " */) return malformedAt(p);
      const keyStart = p + 1;
      const keyEnd = endOfKey(bytes, keyStart, end);
      if (keyEnd < 0) return keyEnd;
      p = skipColon(bytes, keyEnd + 1, end);
      if (p < 0) return p;
      const key = KEYS.find(bytes, keyStart, keyEnd);
      // No writer repeats a key: a string without its closing quote has swallowed the start of the next event.
      if (key >= 0 && (seen & (1 << key)) !== 0) return malformedAt(keyStart);
      seen |= key >= 0 ? 1 << key : 0;
      p = this.scanValue(key, bytes, p, end);
      if (p < 0) return p;
    }
  }

  private scanValue(key: Key | -1, bytes: Uint8Array, p: number, end: number): number {
    const fields = this.fields;
    switch (key) {
      case Key.phase:
        p = readSpan(bytes, p, end, this.token);
        fields.phase = this.token.end - this.token.start === 1 ? bytes[this.token.start] : 0;
        return p;
      case Key.category:
        return readSpan(bytes, p, end, fields.category);
      case Key.name:
        return readSpan(bytes, p, end, fields.name);
      case Key.processId:
        return readSpan(bytes, p, end, fields.processId);
      case Key.threadId:
        return readSpan(bytes, p, end, fields.threadId);
      case Key.time:
        p = readSpan(bytes, p, end, this.token);
        if (p >= 0) parseTime(bytes, this.token.start, this.token.end, fields.time);
        return p;
      case Key.duration:
        p = readSpan(bytes, p, end, this.token);
        if (p >= 0) parseTime(bytes, this.token.start, this.token.end, fields.duration);
        return p;
      case Key.args:
        if (bytes[p] !== 0x7b /* { */) return skipValue(bytes, p, end);
        fields.resetArgs();
        return this.args.scan(bytes, p + 1, end, fields);
      case -1:
        return skipValue(bytes, p, end);
    }
  }
}
