/** True when row `a` must come before row `b`; false when they are equal. */
export type Before = (a: number, b: number) => boolean;

/** Shorter runs are sorted by insertion, so that a shuffled input does not give one run for each row. */
const MIN_RUN = 32;

/**
 * Sorts row numbers, stably, by merging the ascending runs that are already there. Traces consist of few long runs, so
 * this is near linear where a comparison sort is not; the worst case stays n log n.
 * May reorder `rows` itself; use what is returned.
 */
export function stableOrder(rows: Uint32Array, before: Before): Uint32Array {
  let starts = runStarts(rows, before);
  let from: Uint32Array = rows;
  let to: Uint32Array = new Uint32Array(rows.length);
  while (starts.length > 2) {
    const merged: number[] = [];
    for (let run = 0; run + 1 < starts.length; run += 2) {
      merged.push(starts[run]);
      const middle = starts[run + 1];
      const end = run + 2 < starts.length ? starts[run + 2] : middle;
      mergeRuns(from, to, starts[run], middle, end, before);
    }
    merged.push(rows.length);
    starts = merged;
    [from, to] = [to, from];
  }
  return from;
}

/** Where each ascending run begins, and `rows.length` at the end. Short runs are made longer in place. */
function runStarts(rows: Uint32Array, before: Before): number[] {
  const starts: number[] = [];
  for (let start = 0; start < rows.length;) {
    starts.push(start);
    let end = start + 1;
    while (end < rows.length && !before(rows[end], rows[end - 1])) end++;
    if (end - start < MIN_RUN) {
      const target = Math.min(start + MIN_RUN, rows.length);
      for (; end < target; end++) insert(rows, start, end, before);
    }
    start = end;
  }
  starts.push(rows.length);
  return starts;
}

/** Moves the row at `at` down into the sorted rows from `start`. */
function insert(rows: Uint32Array, start: number, at: number, before: Before): void {
  const row = rows[at];
  let p = at;
  while (p > start && before(row, rows[p - 1])) {
    rows[p] = rows[p - 1];
    p--;
  }
  rows[p] = row;
}

function mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  middle: number,
  end: number,
  before: Before,
): void {
  let left = start;
  let right = middle;
  let out = start;
  while (left < middle && right < end)
    to[out++] = before(from[right], from[left]) ? from[right++] : from[left++];
  while (left < middle) to[out++] = from[left++];
  while (right < end) to[out++] = from[right++];
}

/** Row numbers 0 … count − 1. */
export function allRows(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) rows[i] = i;
  return rows;
}
