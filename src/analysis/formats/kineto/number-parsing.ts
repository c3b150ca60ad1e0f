import { NS_PER_US } from '../../units/time';

/** Longest text that is worth reading as a number. */
const MAX_NUMBER_CHARS = 64;
/** Powers of ten beyond this are not times. */
const MAX_EXPONENT = 40;

/** A time in microseconds as the trace writes it, split so that times since 1970 lose no nanosecond. */
export class ParsedTime {
  /** Whole microseconds, rounded down; NaN when the text is no number. */
  us = NaN;
  /** Nanoseconds after `us`, 0 to 999. */
  ns = 0;

  /** In whole nanoseconds; exact up to 2^53. */
  totalNs(): number {
    return this.us * NS_PER_US + this.ns;
  }
}

/** Value of the number written from `start` to `end`; NaN when it is none (`N/A`, `nan`, `null`, words). */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  let p = start;
  const negative = bytes[p] === 0x2d; /* - */
  if (negative) p++;
  const first = p;
  let value = 0;
  for (; p < end; p++) {
    const digit = bytes[p] - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  if (p === end && p > first && p - first <= 15) return negative ? -value : value;
  return parseUnusualNumber(bytes, start, end);
}

/** Fractions, exponents, long numbers, infinities. */
function parseUnusualNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > MAX_NUMBER_CHARS) return NaN;
  const text = asciiText(bytes, start, end).trim();
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return NaN;
}

/** Reads a time in microseconds into `time`: digits as they are, nanoseconds rounded at the fourth decimal. */
export function parseTime(bytes: Uint8Array, start: number, end: number, time: ParsedTime): void {
  let p = start;
  const negative = bytes[p] === 0x2d; /* - */
  if (negative) p++;
  const first = p;
  let us = 0;
  for (; p < end; p++) {
    const digit = bytes[p] - 0x30;
    if (digit < 0 || digit > 9) break;
    us = us * 10 + digit;
  }
  let ns = 0;
  const whole = p > first;
  if (whole && p < end && bytes[p] === 0x2e /* . */) {
    let scale = 100;
    for (p++; p < end; p++) {
      const digit = bytes[p] - 0x30;
      if (digit < 0 || digit > 9) break;
      if (scale > 0) ns += digit * scale;
      else if (scale === 0 && digit >= 5) ns++;
      scale = scale > 1 ? scale / 10 : scale - 1;
    }
  }
  if (p !== end || !whole) return parseUnusualTime(bytes, start, end, time);
  setTime(time, negative, us, ns);
}

function setTime(time: ParsedTime, negative: boolean, us: number, ns: number): void {
  if (ns === NS_PER_US) {
    us++;
    ns = 0;
  }
  time.us = negative ? (ns > 0 ? -us - 1 : 0 - us) : us;
  time.ns = negative && ns > 0 ? NS_PER_US - ns : ns;
}

/** Exponents, shifted digit by digit, because `1.6234e15` as a double has lost its nanoseconds. */
function parseUnusualTime(bytes: Uint8Array, start: number, end: number, time: ParsedTime): void {
  time.us = NaN;
  time.ns = 0;
  if (end - start > MAX_NUMBER_CHARS) return;
  const text = asciiText(bytes, start, end).trim();
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text);
  if (!parts || (!parts[2] && !parts[3])) {
    const value = parseUnusualNumber(bytes, start, end);
    if (Math.abs(value) === Infinity) time.us = value;
    return;
  }
  const [, sign, whole = '', fraction = '', exponentText = '0'] = parts;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > MAX_EXPONENT) {
    time.us = exponent < 0 ? 0 : sign === '-' ? -Infinity : Infinity;
    return;
  }
  // Tenths of a nanosecond, so that the last digit can be rounded.
  const shift = exponent + 4 - fraction.length;
  const digits = BigInt(whole + fraction);
  const tenths = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  const totalNs = (tenths + 5n) / 10n;
  setTime(time, sign === '-', Number(totalNs / 1000n), Number(totalNs % 1000n));
}

/** Bytes as text, one character each; callers know them to be ASCII or do not care. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
