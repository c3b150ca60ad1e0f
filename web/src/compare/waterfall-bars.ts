import { type Explanation } from '../explanation/explanation';
import { PART_LABELS } from '../explanation/part-labels';

export interface Bar {
  label: string;
  /** Where the bar begins and ends on the axis, ns; `fromNs` is that of the bar before it. */
  fromNs: number;
  toNs: number;
  /** A mean step, rather than a change of it. */
  isStep: boolean;
}

/** Changes that are smaller than this share of what is shown are one bar together. */
const LEAST_SHARE = 0.01;
const OTHERS = 'other parts';

/** The step before, what each part added or took away, one after the other, and the step after. */
export function waterfallBars({
  beforeNs,
  afterNs,
  parts,
}: Pick<Explanation, 'beforeNs' | 'afterNs' | 'parts'>): Bar[] {
  const leastNs = LEAST_SHARE * Math.max(...parts.map(({ changeNs }) => Math.abs(changeNs)), 0);
  const shown = parts.filter(({ changeNs }) => changeNs !== 0 && Math.abs(changeNs) >= leastNs);
  const bars: Bar[] = [{ label: 'before', fromNs: 0, toNs: beforeNs, isStep: true }];
  let atNs = beforeNs;
  for (const { part, changeNs } of shown) {
    bars.push({ label: PART_LABELS[part], fromNs: atNs, toNs: atNs + changeNs, isStep: false });
    atNs += changeNs;
  }
  if (shown.length < parts.filter(({ changeNs }) => changeNs !== 0).length)
    bars.push({ label: OTHERS, fromNs: atNs, toNs: afterNs, isStep: false });
  bars.push({ label: 'after', fromNs: 0, toNs: afterNs, isStep: true });
  return bars;
}

/** Where the axis begins, ns: at nothing, unless the changes would be too small to see. */
export function axisStart(bars: readonly Bar[]): number {
  const ends = bars.map(({ toNs }) => toNs);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const spanNs = high - low;
  if (spanNs === 0 || spanNs > 0.2 * high) return 0;
  const roundNs = 10 ** Math.floor(Math.log10(spanNs));
  return Math.max(0, Math.floor((low - spanNs) / roundNs) * roundNs);
}
