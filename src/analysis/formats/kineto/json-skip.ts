/**
 * Walking over JSON text in bytes. Every function takes a position and returns the next one, or a negative status.
 * Tolerant where writers are known to be wrong: raw quotes in strings, bare words as values, control bytes.
 */

/** The bytes end before the value does: call again with more. */
export const INCOMPLETE = -1;

/** Status for text at `p` that is neither JSON nor one of the known deviations; smaller than INCOMPLETE. */
export function malformedAt(p: number): number {
  return -2 - p;
}

/** Where the text stops making sense, from a status smaller than INCOMPLETE. */
export function malformedPosition(status: number): number {
  return -2 - status;
}

/** Deepest nesting of a skipped value; one bit each in a 32-bit integer. Real events nest five deep. */
export const MAX_DEPTH = 31;

/** First position at or after `p` that is not white space. Control bytes between tokens count as white space. */
export function skipSpace(bytes: Uint8Array, p: number, end: number): number {
  while (p < end && bytes[p] <= 0x20) p++;
  return p;
}

/** Position of the quote that closes a key; a key holds no raw quotes, so it must be followed by a colon. */
export function endOfKey(bytes: Uint8Array, p: number, end: number): number {
  while (p < end && bytes[p] !== 0x22 /* " */) p += bytes[p] === 0x5c /* \ */ ? 2 : 1;
  return p < end ? p : INCOMPLETE;
}

/** Position after the colon that follows a key and the white space after it. */
export function skipColon(bytes: Uint8Array, p: number, end: number): number {
  p = skipSpace(bytes, p, end);
  if (p >= end) return INCOMPLETE;
  if (bytes[p] !== 0x3a /* : */) return malformedAt(p);
  p = skipSpace(bytes, p + 1, end);
  return p < end ? p : INCOMPLETE;
}

/**
 * Position of the quote that closes a string which is the value of a key. A quote that is not followed by the end of
 * the object or by a comma and another key is taken as part of the text: some writers do not escape them.
 */
export function endOfValueString(bytes: Uint8Array, p: number, end: number): number {
  for (;;) {
    while (p < end && bytes[p] !== 0x22 /* " */ && bytes[p] !== 0x5c /* \ */) p++;
    if (p >= end) return INCOMPLETE;
    if (bytes[p] === 0x5c) {
      p += 2;
      continue;
    }
    let next = skipSpace(bytes, p + 1, end);
    if (next >= end) return INCOMPLETE;
    if (bytes[next] === 0x7d /* } */) return p;
    if (bytes[next] === 0x2c /* , */) {
      next = skipSpace(bytes, next + 1, end);
      if (next >= end) return INCOMPLETE;
      if (bytes[next] === 0x22 || bytes[next] === 0x7d) return p;
    }
    p++;
  }
}

/** Position of the quote that closes a string inside a skipped container, where it may be key, value or element. */
export function endOfNestedString(bytes: Uint8Array, p: number, end: number): number {
  for (;;) {
    while (p < end && bytes[p] !== 0x22 /* " */ && bytes[p] !== 0x5c /* \ */) p++;
    if (p >= end) return INCOMPLETE;
    if (bytes[p] === 0x5c) {
      p += 2;
      continue;
    }
    const next = skipSpace(bytes, p + 1, end);
    if (next >= end) return INCOMPLETE;
    const c = bytes[next];
    if (c === 0x2c /* , */ || c === 0x5d /* ] */ || c === 0x7d /* } */ || c === 0x3a /* : */) return p;
    p++;
  }
}

/** Position after a bare word or number: at the comma, bracket, brace, quote or white space that ends it. */
export function endOfScalar(bytes: Uint8Array, p: number, end: number): number {
  const start = p;
  while (p < end) {
    const c = bytes[p];
    if (c <= 0x20 || c === 0x2c /* , */ || c === 0x7d /* } */ || c === 0x5d /* ] */)
      return p > start ? p : malformedAt(p);
    if (c === 0x22 /* " */ || c === 0x7b /* { */ || c === 0x5b /* [ */ || c === 0x3a /* : */)
      return malformedAt(p);
    p++;
  }
  return INCOMPLETE;
}

/** Position after the array or object that begins at `p`. */
export function endOfContainer(bytes: Uint8Array, p: number, end: number): number {
  let depth = 0;
  let objects = 0; // one bit for each open container, lowest for the innermost: 1 for an object
  let previous = 0x3a;
  while (p < end) {
    const c = bytes[p];
    if (c === 0x22 /* " */) {
      p = endOfNestedString(bytes, p + 1, end);
      if (p < 0) return p;
    } else if (c === 0x5b /* [ */ || c === 0x7b /* { */) {
      // Inside an object a container only follows a colon; anything else is a lost closing brace.
      if (depth === MAX_DEPTH || ((objects & 1) === 1 && previous !== 0x3a)) return malformedAt(p);
      depth++;
      objects = (objects << 1) | (c === 0x7b ? 1 : 0);
    } else if (c === 0x5d /* ] */ || c === 0x7d /* } */) {
      if ((objects & 1) !== (c === 0x7d ? 1 : 0)) return malformedAt(p);
      objects >>>= 1;
      if (--depth === 0) return p + 1;
    }
    if (c > 0x20) previous = c;
    p++;
  }
  return INCOMPLETE;
}

/** Position after the value that begins at `p` and belongs to a key. */
export function skipValue(bytes: Uint8Array, p: number, end: number): number {
  const c = bytes[p];
  if (c === 0x22 /* " */) {
    const close = endOfValueString(bytes, p + 1, end);
    return close < 0 ? close : close + 1;
  }
  if (c === 0x5b /* [ */ || c === 0x7b /* { */) return endOfContainer(bytes, p, end);
  return endOfScalar(bytes, p, end);
}
