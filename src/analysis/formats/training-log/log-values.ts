const NUMBER = '(-?[0-9][0-9,]{0,15}(?:[.][0-9]{1,17})?(?:[eE][+-]?[0-9]{1,3})?)';
const BYTES_PER_UNIT: Record<string, number> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** A reader of the number behind a label (regular expression source); thousands may be parted by commas; NaN without it. */
export function numberAfter(label: string): (line: string) => number {
  const pattern = new RegExp(`${label}\\s{0,16}${NUMBER}`);
  return (line) => parseNumber(pattern.exec(line)?.[1]);
}

/** A reader of an amount of memory behind a label, in bytes; the frameworks all count in powers of 1024. NaN without it. */
export function bytesAfter(label: string): (line: string) => number {
  const pattern = new RegExp(`${label}\\s{0,16}${NUMBER}\\s?([KMGT])i?B`);
  return (line) => {
    const match = pattern.exec(line);
    return match ? parseNumber(match[1]) * BYTES_PER_UNIT[match[2]] : NaN;
  };
}

/** NaN for undefined. */
export function parseNumber(text: string | undefined): number {
  return text === undefined ? NaN : Number(text.replaceAll(',', ''));
}

const TIMESTAMP = /(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)[.,](\d{3})/;

/** The first time of day with milliseconds in a line, as ms; comparable within one log. Undefined without one. */
export function timestampMs(line: string): number | undefined {
  const match = TIMESTAMP.exec(line);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second, ms] = match.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}
