import { NS_PER_MS, NS_PER_S } from '../../units/time';
import { type StepTimeSource } from '../artifact-format';
import { plausibleNs, type StepEntry } from '../step-series';
import { type LineOutcome } from './json-line';

/** What Lightning's ThroughputMonitor logs, behind an optional `train|`. */
const BATCHES_PER_SECOND = /(^|[|/])device\/batches_per_sec$/;
const SAMPLES_PER_SECOND = /(^|[|/])device\/samples_per_sec$/;
const FLOP_PER_SECOND = /(^|[|/])device\/flops_per_sec$/;

interface CsvColumns {
  count: number;
  step: number;
  hostS: number;
  deviceMs: number;
  batchesPerSecond: number;
  samplesPerSecond: number;
  flopPerSecond: number;
}

/** Whether a line is the header of step times in CSV: a `step` column and one that tells times. */
export function isCsvHeader(line: string): boolean {
  return columnsOf(line) !== null;
}

/** Reads the rows below a header; null when `header` is none. */
export function csvRows(
  header: string,
): { source: StepTimeSource; readRow: (line: string) => LineOutcome } | null {
  const columns = columnsOf(header);
  if (!columns) return null;
  let previousStep = NaN;
  const readRow = (line: string): LineOutcome => {
    // A header comes again where a job was restarted into the same file.
    if (line === header) return 'no-times';
    const cells = line.split(',').map((cell) => cell.trim());
    if (cells.length !== columns.count) return 'malformed';
    const step = numberIn(cells, columns.step);
    if (Number.isNaN(step)) return 'malformed';
    const entry = entryOf(cells, columns, step, previousStep);
    if (entry === null) return cells.every(isNumberOrBlank) ? 'no-times' : 'malformed';
    previousStep = step;
    return entry;
  };
  return { source: columns.batchesPerSecond >= 0 ? 'lightning' : 'stallscope', readRow };
}

function columnsOf(header: string): CsvColumns | null {
  const names = header
    .trim()
    .split(',')
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const columns = {
    count: names.length,
    step: names.indexOf('step'),
    hostS: names.indexOf('host_s'),
    deviceMs: names.indexOf('device_ms'),
    batchesPerSecond: names.findIndex((name) => BATCHES_PER_SECOND.test(name)),
    samplesPerSecond: names.findIndex((name) => SAMPLES_PER_SECOND.test(name)),
    flopPerSecond: names.findIndex((name) => FLOP_PER_SECOND.test(name)),
  };
  const timed = Math.max(columns.hostS, columns.deviceMs, columns.batchesPerSecond) >= 0;
  return columns.step >= 0 && timed ? columns : null;
}

function entryOf(
  cells: readonly string[],
  columns: CsvColumns,
  step: number,
  previousStep: number,
): StepEntry | null {
  const averaged = columns.batchesPerSecond >= 0;
  const hostNs = averaged
    ? plausibleNs(NS_PER_S / numberIn(cells, columns.batchesPerSecond))
    : plausibleNs(numberIn(cells, columns.hostS) * NS_PER_S);
  const deviceNs = plausibleNs(numberIn(cells, columns.deviceMs) * NS_PER_MS);
  if (Number.isNaN(hostNs) && Number.isNaN(deviceNs)) return null;
  return {
    step,
    hostNs,
    deviceNs,
    stepsAveraged: averaged && step > previousStep ? step - previousStep : 1,
    figures: {
      samplesPerSecond: numberIn(cells, columns.samplesPerSecond),
      deviceFlopPerSecond: numberIn(cells, columns.flopPerSecond),
    },
  };
}

/** NaN for a column that is not there, and for anything but a number. */
function numberIn(cells: readonly string[], column: number): number {
  const cell = column >= 0 ? cells[column] : '';
  return cell === '' ? NaN : Number(cell);
}

function isNumberOrBlank(cell: string): boolean {
  return cell === '' || !Number.isNaN(Number(cell));
}
