import { MAX_PLAUSIBLE_NS, NS_PER_US } from '../units/time';

/** Events looked at for the median; more would not change which week the trace was taken in. */
const MAX_SAMPLES = 16_384;
const MAX_PLAUSIBLE_US = MAX_PLAUSIBLE_NS / NS_PER_US;

/** Start times in whole microseconds, as the file gives them. */
export interface StartColumn {
  count: number;
  startUs: Float64Array;
}

/** The span of time that is believed, and its first microsecond. */
export interface TimeOrigin {
  /** Microsecond of the first event that is believed; 0 when there is none. */
  originUs: number;
  medianUs: number;
}

/**
 * Places relative zero at the first event that lies within a week of the median, so that an event at `ts: 0` in a file
 * that counts from 1970 neither becomes the origin nor costs the others their precision.
 */
export function findOrigin(columns: readonly StartColumn[]): TimeOrigin {
  const medianUs = medianStart(columns);
  let originUs = Infinity;
  for (const { count, startUs } of columns) {
    for (let i = 0; i < count; i++) {
      if (startUs[i] < originUs && isNear(startUs[i], medianUs)) originUs = startUs[i];
    }
  }
  return { originUs: originUs === Infinity ? 0 : originUs, medianUs };
}

/** Rows whose start is believed, in the order of the file. */
export function plausibleRows({ count, startUs }: StartColumn, { medianUs }: TimeOrigin): Uint32Array {
  const rows = new Uint32Array(count);
  let kept = 0;
  for (let i = 0; i < count; i++) if (isNear(startUs[i], medianUs)) rows[kept++] = i;
  return rows.subarray(0, kept);
}

function isNear(startUs: number, medianUs: number): boolean {
  return Math.abs(startUs - medianUs) <= MAX_PLAUSIBLE_US;
}

function medianStart(columns: readonly StartColumn[]): number {
  const total = columns.reduce((sum, column) => sum + column.count, 0);
  if (total === 0) return 0;
  const stride = Math.ceil(total / MAX_SAMPLES);
  const samples: number[] = [];
  for (const { count, startUs } of columns) for (let i = 0; i < count; i += stride) samples.push(startUs[i]);
  return Float64Array.from(samples).sort()[samples.length >> 1];
}
