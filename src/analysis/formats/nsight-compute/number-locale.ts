const NUMBER = /^-?\d{1,24}(?:[.,]\d{1,24}){0,8}$/;

/**
 * Learns from all numbers of a file which mark separates decimals: `4,963,609,951.19` and `65.77` say the point,
 * `2.508.800` and `65,77` the comma, and `158,998` alone says nothing.
 */
export class NumberLocale {
  private commaVotes = 0;

  /** Takes a number's text as evidence; anything else says nothing. */
  learn(text: string): void {
    const mark = decimalMarkOf(text);
    if (mark !== null) this.commaVotes += mark === ',' ? 1 : -1;
  }

  /** The number in a cell; NaN for anything else, and for what is no number where this file comes from. */
  parse(text: string): number {
    if (!NUMBER.test(text)) return NaN;
    const comma = this.commaVotes > 0;
    const [whole, ...decimals] = text.replaceAll(comma ? '.' : ',', '').split(comma ? ',' : '.');
    return decimals.length > 1 ? NaN : Number(`${whole}.${decimals[0] ?? '0'}`);
  }
}

function decimalMarkOf(text: string): '.' | ',' | null {
  if (!NUMBER.test(text)) return null;
  const marks = [...text].filter((c): c is '.' | ',' => c === '.' || c === ',');
  const last = marks.at(-1);
  if (last === undefined) return null;
  // Marks of two kinds: the last one is the decimals'. Several of one kind group the digits.
  if (marks.some((mark) => mark !== last)) return last;
  if (marks.length > 1) return last === '.' ? ',' : '.';
  return /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text) ? null : last;
}
