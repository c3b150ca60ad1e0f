import { formatFlop } from './flop-quantity';

const NS_UNITS: readonly (readonly [factor: number, unit: string])[] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
];

/** A duration with three significant digits, for example `149 ms`. */
export function formatNs(ns: number): string {
  if (ns === 0) return '0';
  const [factor, unit] = NS_UNITS.find(([f]) => Math.abs(ns) >= f) ?? [1, 'ns'];
  return `${significant(ns / factor)} ${unit}`;
}

/** A ratio of 0 to 1 as a percentage. */
export function formatRatio(ratio: number): string {
  const percent = 100 * ratio;
  return `${percent >= 10 || percent === 0 ? percent.toFixed(0) : percent.toFixed(1)} %`;
}

/** Bytes in decimal units. */
export function formatBytes(bytes: number): string {
  if (bytes === 0) return '0 B';
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${significant(value)} ${units[unit]}`;
}

function significant(value: number): string {
  const magnitude = Math.abs(value);
  return magnitude >= 100 ? value.toFixed(0) : magnitude >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Any figure with its unit. */
export function formatFigure({ value, unit }: { value: number | null; unit: string }): string {
  if (value === null) return 'not measurable';
  switch (unit) {
    case 'ns':
      return formatNs(value);
    case 'ratio':
      return formatRatio(value);
    case 'bytes':
      return formatBytes(value);
    case 'bytesPerSec':
      return `${formatBytes(value)}/s`;
    case 'count':
      return Number.isInteger(value) ? String(value) : value.toFixed(1);
    case 'flop':
    case 'flopPerSec':
      return formatFlop(value, unit);
    default:
      return `${significant(value)} ${unit}`;
  }
}
