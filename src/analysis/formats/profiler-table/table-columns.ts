import { MAX_PLAUSIBLE_NS, NS_PER_MS, NS_PER_S, NS_PER_US } from '../../units/time';
import { type OperatorRow } from './operator-totals';

/** A stretch of a line. */
export interface Span {
  start: number;
  end: number;
}

/** Where a column stands, unless cells before it are too wide, and what it gives; null for columns of no use here. */
export interface TableColumn extends Span {
  figure: { field: keyof OperatorRow; read: (cell: string) => number } | 'name' | 'inputShapes' | null;
}

const RULE = /(?<!-)-{3,}(?: {2}-{3,}){3,}/;

/** The rule of dashes above and below the header, which shows how wide the columns are. */
export function columnSpans(line: string): Span[] | null {
  const rule = RULE.exec(line);
  if (!rule) return null;
  const spans: Span[] = [];
  let start = rule.index;
  for (const dashes of rule[0].split('  ')) {
    spans.push({ start, end: start + dashes.length });
    start += dashes.length + 2;
  }
  return spans;
}

/**
 * The cells of a line. Two spaces part them, also where a cell is wider than its column and moves what follows; where cells
 * are empty, the columns tell.
 */
export function cellsOf(line: string, spans: readonly Span[]): string[] {
  const [first] = spans;
  const name = line.slice(first.start, first.end).trim();
  const others = line.slice(first.end).trim().split(/ {2,}/);
  if (others.length === spans.length - 1) return [name, ...others];
  return spans.map(({ start, end }) => line.slice(start, end).trim());
}

/** The columns under a header, and the name of the device; null when the line is no header of these tables. */
export function readHeader(
  line: string,
  spans: readonly Span[],
): { columns: TableColumn[]; device: string | null } | null {
  const titles = cellsOf(line, spans);
  if (titles[0] !== 'Name' || !titles.some((title) => /^Self CPU(?: total)?$/.test(title))) return null;
  const devices = titles.flatMap(
    (title) => /^(?:Self )?(?!CPU\b)(\w{2,20})(?: total| time avg)$/.exec(title)?.[1] ?? [],
  );
  const device = devices.at(0) ?? null;
  return { device, columns: spans.map((span, i) => ({ ...span, figure: figureOf(titles[i], device) })) };
}

function figureOf(title: string, device: string | null): TableColumn['figure'] {
  if (title === 'Name') return 'name';
  if (title === 'Input Shapes') return 'inputShapes';
  if (title === '# of Calls' || title === 'Number of Calls') return { field: 'calls', read: countOf };
  if (title === 'Self CPU' || title === 'Self CPU total') return { field: 'selfCpuNs', read: timeNs };
  if (title === 'CPU total') return { field: 'cpuTotalNs', read: timeNs };
  if (device !== null && (title === `Self ${device}` || title === `Self ${device} total`))
    return { field: 'selfDeviceNs', read: timeNs };
  if (device !== null && title === `${device} total`) return { field: 'deviceTotalNs', read: timeNs };
  const flop = /^(?:Total )?([KMGTP]?)FLOPs?$/i.exec(title);
  if (!flop) return null;
  const scale = 1000 ** ' KMGTP'.indexOf(flop[1].toUpperCase() || ' ');
  return { field: 'flop', read: (cell) => countOf(cell) * scale };
}

const TIME = /^(-?\d{1,20}(?:\.\d{1,12})?)(ns|us|ms|s)$/;
const UNIT_NS = { ns: 1, us: NS_PER_US, ms: NS_PER_MS, s: NS_PER_S } as const;

/** A time such as `1.234ms` in ns; NaN for anything else, and for what no recording lasts. */
export function timeNs(cell: string): number {
  const [, digits, unit] = TIME.exec(cell) ?? [];
  if (digits === undefined) return NaN;
  const value = Math.round(Number(digits) * UNIT_NS[unit as keyof typeof UNIT_NS]);
  // Rounding of children leaves small negative times of the parents' own.
  return Math.abs(value) <= MAX_PLAUSIBLE_NS ? Math.max(0, value) : NaN;
}

function countOf(cell: string): number {
  return /^\d{1,20}(?:\.\d{1,12})?$/.test(cell) ? Number(cell) : NaN;
}
