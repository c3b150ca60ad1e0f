/**
 * A set of half-open time intervals [start, end), sorted, disjoint, none empty. Times are integer ns, so every length is
 * exact and partitions sum exactly.
 */
export interface Intervals {
  readonly count: number;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
}

/** Grows a result whose size is not known before; each operation below makes its own. */
export class IntervalsBuilder {
  private count = 0;
  private startNs: Float64Array;
  private endNs: Float64Array;

  constructor(capacity = 16) {
    this.startNs = new Float64Array(Math.max(1, capacity));
    this.endNs = new Float64Array(Math.max(1, capacity));
  }

  /** Appends [startNs, endNs); starts must not decrease. Touching or overlapping neighbours become one; empty ones vanish. */
  add(startNs: number, endNs: number): void {
    if (endNs <= startNs) return;
    if (this.count > 0 && startNs <= this.endNs[this.count - 1]) {
      if (endNs > this.endNs[this.count - 1]) this.endNs[this.count - 1] = endNs;
      return;
    }
    if (this.count === this.startNs.length) {
      this.startNs = grow(this.startNs);
      this.endNs = grow(this.endNs);
    }
    this.startNs[this.count] = startNs;
    this.endNs[this.count] = endNs;
    this.count++;
  }

  build(): Intervals {
    return {
      count: this.count,
      startNs: this.startNs.subarray(0, this.count),
      endNs: this.endNs.subarray(0, this.count),
    };
  }
}

function grow(column: Float64Array): Float64Array {
  const larger = new Float64Array(column.length * 2);
  larger.set(column);
  return larger;
}

export const NO_INTERVALS: Intervals = new IntervalsBuilder().build();

/** Union of the ranges at `indices` of two columns that are sorted by start in the order of `indices`. */
export function unionOfSorted(
  startNs: Float64Array,
  endNs: Float64Array,
  indices: ArrayLike<number>,
): Intervals {
  const result = new IntervalsBuilder();
  for (let i = 0; i < indices.length; i++) result.add(startNs[indices[i]], endNs[indices[i]]);
  return result.build();
}

/** Union of ranges in any order. */
export function unionOf(ranges: readonly (readonly [startNs: number, endNs: number])[]): Intervals {
  const result = new IntervalsBuilder(ranges.length);
  for (const [startNs, endNs] of [...ranges].sort((a, b) => a[0] - b[0])) result.add(startNs, endNs);
  return result.build();
}

/** The times that are in `a` or in `b`. */
export function union(a: Intervals, b: Intervals): Intervals {
  const result = new IntervalsBuilder(a.count + b.count);
  let i = 0;
  let j = 0;
  while (i < a.count || j < b.count) {
    const takeA = j >= b.count || (i < a.count && a.startNs[i] <= b.startNs[j]);
    if (takeA) result.add(a.startNs[i], a.endNs[i++]);
    else result.add(b.startNs[j], b.endNs[j++]);
  }
  return result.build();
}

/** The times that are in both. */
export function intersection(a: Intervals, b: Intervals): Intervals {
  const result = new IntervalsBuilder(Math.max(a.count, b.count));
  let i = 0;
  let j = 0;
  while (i < a.count && j < b.count) {
    result.add(Math.max(a.startNs[i], b.startNs[j]), Math.min(a.endNs[i], b.endNs[j]));
    if (a.endNs[i] < b.endNs[j]) i++;
    else j++;
  }
  return result.build();
}

/** The times that are in `a` and not in `b`. */
export function difference(a: Intervals, b: Intervals): Intervals {
  const result = new IntervalsBuilder(a.count + 1);
  let j = 0;
  for (let i = 0; i < a.count; i++) {
    let from = a.startNs[i];
    const end = a.endNs[i];
    while (j < b.count && b.endNs[j] <= from) j++;
    for (let k = j; k < b.count && b.startNs[k] < end; k++) {
      result.add(from, b.startNs[k]);
      from = Math.max(from, b.endNs[k]);
    }
    result.add(from, end);
  }
  return result.build();
}

/** Total length in ns. */
export function totalNs(a: Intervals): number {
  let sum = 0;
  for (let i = 0; i < a.count; i++) sum += a.endNs[i] - a.startNs[i];
  return sum;
}

/** Length of the part of `a` within [fromNs, toNs). */
export function totalWithinNs(a: Intervals, fromNs: number, toNs: number): number {
  let sum = 0;
  for (let i = firstEndingAfter(a, fromNs); i < a.count && a.startNs[i] < toNs; i++) {
    sum += Math.min(a.endNs[i], toNs) - Math.max(a.startNs[i], fromNs);
  }
  return sum;
}

/** Index of the first interval that ends after `timeNs`; `count` when there is none. */
export function firstEndingAfter(a: Intervals, timeNs: number): number {
  let low = 0;
  let high = a.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (a.endNs[middle] <= timeNs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Makes a function that gives the length of `a` within [fromNs, toNs) in the time of two binary searches, for callers
 * that ask about many long ranges.
 */
export function overlapMeter(a: Intervals): (fromNs: number, toNs: number) => number {
  const before = new Float64Array(a.count + 1);
  for (let i = 0; i < a.count; i++) before[i + 1] = before[i] + a.endNs[i] - a.startNs[i];
  const lengthUntil = (timeNs: number): number => {
    const i = firstEndingAfter(a, timeNs);
    return before[i] + (i < a.count ? Math.max(0, timeNs - a.startNs[i]) : 0);
  };
  return (fromNs, toNs) => (toNs > fromNs ? lengthUntil(toNs) - lengthUntil(fromNs) : 0);
}
