import { type Trend } from './trend-queries';

/** What happened to a level, in the words and colours of the page. */
export const MARK_KINDS = {
  regressed: { label: 'Regressed', color: 'red' },
  recovered: { label: 'Recovered', color: 'teal' },
  improved: { label: 'Improved', color: 'teal' },
  accepted: { label: 'Accepted as baseline', color: 'gray' },
} as const;

/** A time from which on the level of a series is another. */
export interface TrendMark {
  kind: keyof typeof MARK_KINDS;
  atMs: number;
  seriesId: string;
  branch: string | null;
  /** Null where no regression belongs to it. */
  regression: Trend['regressions'][number] | null;
}

/**
 * Change points, the newest first: regressions of the metric and where they were over, and levels that became the baseline.
 * Other changes of level belong to a regression of another metric.
 */
export function marksOf({ regressions, segments }: Pick<Trend, 'regressions' | 'segments'>): TrendMark[] {
  const ofRegressions = regressions.flatMap((regression): TrendMark[] => {
    const { seriesId, branch, firstBadAt, goodAgainAt } = regression;
    const of = { seriesId, branch, regression };
    return [
      { ...of, kind: 'regressed', atMs: Date.parse(firstBadAt) },
      ...(goodAgainAt === null ? [] : [{ ...of, kind: 'recovered' as const, atMs: Date.parse(goodAgainAt) }]),
    ];
  });
  const levels = segments.filter(({ isBaseline }) => isBaseline);
  const ofLevels = levels.map(({ seriesId, branch, at, reason }): TrendMark => {
    const kind = reason === 'improved' ? 'improved' : 'accepted';
    return { kind, atMs: Date.parse(at), seriesId, branch, regression: null };
  });
  return [...ofRegressions, ...ofLevels].sort((a, b) => b.atMs - a.atMs);
}
