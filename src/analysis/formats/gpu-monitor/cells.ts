import { GPU_READINGS } from '../../timeline/gpu-monitor';
import { type MonitorRow, type ReadingColumn } from './monitor-table';

/** What tools write for a reading that a device does not have. */
const ABSENT =
  /^(?:-|n\/a|\[n\/a\]|\[not supported\]|not supported|\[unknown error\]|\[gpu requires reset\]|err!|\[insufficient permissions\]|)$/i;
const NUMBER = /^\(?(-?\d{1,20}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?)\s?(?:%|w|mhz|mib|mb|c|v)?\)?$/i;
/** Most cells, told first. */
const PLAIN = /^\d{1,15}(?:\.\d{1,15})?$/;
const HEX_MASK = /^0x[0-9a-f]{1,16}$/i;

/** The number in a cell, with or without its unit; NaN when the device has no such reading; null for anything else. */
export function cellNumber(cell: string): number | null {
  if (PLAIN.test(cell)) return Number(cell);
  if (ABSENT.test(cell)) return NaN;
  if (HEX_MASK.test(cell)) return Number(cell);
  const match = NUMBER.exec(cell);
  return match ? Number(match[1]) : null;
}

/** The readings of a row; null when a cell is no number, or one that no device gives: then the line is torn. */
export function readingsOf(
  cells: readonly string[],
  columns: readonly (ReadingColumn | null)[],
): MonitorRow['readings'] | null {
  const readings: MonitorRow['readings'] = {};
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i];
    if (!column) continue;
    const number = cellNumber(cells[i]);
    if (number === null) return null;
    const value = number * column.scale;
    if (value < 0 || value > GPU_READINGS[column.reading]) return null;
    // The first of several columns of one reading stands; another fills in where it is absent.
    const known = readings[column.reading];
    if (known === undefined || Number.isNaN(known)) readings[column.reading] = value;
  }
  return readings;
}

/** Cells of a CSV line, trimmed; quoted cells may hold commas. */
export function splitCsv(line: string): string[] {
  if (!line.includes('"')) return line.split(',').map((cell) => cell.trim());
  const cells: string[] = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i <= line.length; i++) {
    if (line[i] === '"') quoted = !quoted;
    if (i === line.length || (line[i] === ',' && !quoted)) {
      cells.push(
        line
          .slice(start, i)
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      );
      start = i + 1;
    }
  }
  return cells;
}

const DATE = /^(\d{4})[-/]?(\d\d)[-/]?(\d\d)$/;
const TIME_OF_DAY = /^(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?$/;

/** Date and time of day in ms since 1970, or since midnight when `date` is null; NaN when they are none. */
export function wallClockMs(date: string | null, time: string): number {
  const timeParts = TIME_OF_DAY.exec(time);
  if (!timeParts) return NaN;
  const [hour, minute, second] = timeParts.slice(1).map(Number);
  const ms = Math.round(Number(`0.${timeParts[4] ?? 0}`) * 1000);
  const ofDayMs = ((hour * 60 + minute) * 60 + second) * 1000 + ms;
  if (date === null) return ofDayMs;
  const dateParts = DATE.exec(date);
  if (!dateParts) return NaN;
  const [year, month, day] = dateParts.slice(1).map(Number);
  return Date.UTC(year, month - 1, day) + ofDayMs;
}

/** `2026/11/29 23:01:53.896`, an ISO time, or seconds since 1970. */
export function timestampMs(cell: string): number {
  if (/^\d{9,11}(?:\.\d{1,9})?$/.test(cell)) return Math.round(Number(cell) * 1000);
  const [date, time] = cell.split(/[ T]/, 2);
  return time === undefined ? NaN : wallClockMs(date, time);
}
