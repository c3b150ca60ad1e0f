import { findLatestShift, type LevelShift, type ShiftRules } from './level-shift';

/** A shift, and where the runs were when it was first certain. */
export interface DetectedShift extends LevelShift {
  /** Index of the value with which the shift was found. */
  foundAt: number;
}

/**
 * Every shift of a series, each judged by what was known when it was found. A shift starts a segment: later values are
 * compared with the new level only.
 *
 * @param values in the order of the series, outliers included.
 * @param accepted indices at which people said that a new level begins.
 */
export function findChangePoints(
  values: readonly number[],
  rules: ShiftRules,
  accepted: readonly number[] = [],
): DetectedShift[] {
  const found: DetectedShift[] = [];
  const starts = new Set(accepted);
  let start = 0;
  for (let end = 1; end <= values.length; end++) {
    if (starts.has(end - 1)) start = end - 1;
    const shift = findLatestShift(values.slice(start, end), rules);
    if (!shift) continue;
    found.push({ ...shift, index: start + shift.index, foundAt: end - 1 });
    start += shift.index;
  }
  return found;
}
