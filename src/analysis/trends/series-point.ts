import { median } from './robust-statistics';

/** One run of a series: its value of one metric, where it stands in the order of the series. */
export interface SeriesPoint {
  value: number;
  /** Runs of one commit repeat each other; null when it is not known. */
  commit: string | null;
}

/** Runs of one commit that follow each other, as one value. */
export interface CommitPoint {
  value: number;
  commit: string | null;
  runs: number;
  /** Index of its first run among the points that it was made from. */
  firstIndex: number;
}

/**
 * Takes runs of one commit that follow each other for repeats: they become one value, their median. Otherwise ten repeats of a
 * bad commit would look like ten commits that all agree.
 */
export function collapseRepeats(points: readonly SeriesPoint[]): CommitPoint[] {
  const groups: { commit: string | null; values: number[]; firstIndex: number }[] = [];
  points.forEach(({ value, commit }, index) => {
    const last = groups.at(-1);
    if (last && commit !== null && last.commit === commit) last.values.push(value);
    else groups.push({ commit, values: [value], firstIndex: index });
  });
  return groups.map(({ commit, values, firstIndex }) => ({
    value: median(values),
    commit,
    runs: values.length,
    firstIndex,
  }));
}
