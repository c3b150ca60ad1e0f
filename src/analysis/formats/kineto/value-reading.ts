import { type Span } from './event-fields';
import { endOfContainer, endOfScalar, endOfValueString, skipSpace } from './json-skip';
import { parseNumber } from './number-parsing';

/**
 * Reads the value at `p` into `span`: the text inside the quotes of a string, or a number, word, array or object as it
 * stands. Returns the position after it, or a negative status.
 */
export function readSpan(bytes: Uint8Array, p: number, end: number, span: Span): number {
  const c = bytes[p];
  if (c === 0x22 /* " */) {
    const close = endOfValueString(bytes, p + 1, end);
    if (close < 0) return close;
    span.start = p + 1;
    span.end = close;
    return close + 1;
  }
  const next =
    c === 0x5b /* [ */ || c === 0x7b /* { */ ? endOfContainer(bytes, p, end) : endOfScalar(bytes, p, end);
  if (next < 0) return next;
  span.start = p;
  span.end = next;
  return next;
}

/** Product of the numbers in `[320, 1, 1]`; NaN when it is empty or holds anything else. */
export function productOf(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== 0x5b /* [ */) return NaN;
  let product = NaN;
  let p = start + 1;
  for (;;) {
    p = skipSpace(bytes, p, end);
    if (p >= end || bytes[p] === 0x5d /* ] */) return product;
    const next = endOfScalar(bytes, p, end);
    if (next < 0) return NaN;
    const factor = parseNumber(bytes, p, next);
    product = Number.isNaN(product) ? factor : product * factor;
    p = skipSpace(bytes, next, end);
    if (bytes[p] === 0x2c /* , */) p++;
  }
}
