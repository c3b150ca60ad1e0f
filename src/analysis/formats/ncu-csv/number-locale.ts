const NUMBER = /^-?\d{1,24}(?:[.,]\d{1,24}){0,8}$/;
/** Digits in groups, or not; Indian numbers have groups of two. */
const WITH_POINT = /^-?(?:\d{1,3}(?:,\d{2,3})+|\d+)(?:\.\d+)?$/;
const WITH_COMMA = /^-?(?:\d{1,3}(?:\.\d{2,3})+|\d+)(?:,\d+)?$/;
/** Some places group with blanks or apostrophes, which say nothing of decimals. */
const OTHER_GROUPS = /(?<=\d)[ '\u00a0\u202f\u2019](?=\d{3})/g;

/**
 * Learns from all numbers of a file which mark separates decimals: `4,963,609,951.19` and `65.77` say the point,
 * `2.508.800` and `65,77` the comma, and `158,998` alone says nothing.
 */
export class NumberLocale {
  private commaVotes = 0;

  /** Takes a number's text as evidence; anything else says nothing. */
  learn(text: string): void {
    const mark = decimalMarkOf(text.replace(OTHER_GROUPS, ''));
    if (mark !== null) this.commaVotes += mark === ',' ? 1 : -1;
  }

  /** The number in a cell; NaN for anything else, and for what is no number where this file comes from. */
  parse(text: string): number {
    const plain = text.replace(OTHER_GROUPS, '');
    const comma = this.commaVotes > 0;
    if (!NUMBER.test(plain) || !(comma ? WITH_COMMA : WITH_POINT).test(plain)) return NaN;
    return Number(comma ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''));
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
