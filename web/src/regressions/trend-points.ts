import { queryOptions } from '@tanstack/react-query';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { type Regression } from './regression-query';

const DAY_MS = 86_400_000;
/** So much before the first bad run is shown, and so much after the last news of it. */
const AROUND_MS = 30 * DAY_MS;
/** Above this the API gives medians of days. */
const MOST_POINTS = 600;

export interface TrendPoint {
  atMs: number;
  value: number;
  /** What to call it: a commit, or a day. */
  name: string;
  /** Null where a point is a day. */
  runId: string | null;
}

/** The metric of a regression on its branch, from a month before it came. */
export const trendAroundQuery = (team: string, regression: Regression) => {
  const { metricId, seriesId, branch, firstBad, goodAgainAt, resolvedAt } = regression;
  const after = goodAgainAt ?? resolvedAt;
  const shift = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();
  const query = {
    ...({ by: 'commit', splitBy: 'branch', limit: MOST_POINTS } as const),
    ...{ metric: metricId, seriesId, from: shift(firstBad.at, -AROUND_MS) },
    ...(after !== null && { to: shift(after, AROUND_MS) }),
    ...(branch !== null && { branch }),
  };
  return queryOptions({
    queryKey: [team, 'trends', query],
    queryFn: ({ signal }) => unwrap(teamApi(team).GET('/v1/trends', { params: { query }, signal })),
    select: (trend) => toPoints(trend, branch),
    staleTime: 60_000,
  });
};

/** Points in the order of time; none when the branch has no runs in the time any more. */
export function toPoints({ lines }: Pick<Schemas['Trend'], 'lines'>, branch: string | null): TrendPoint[] {
  const line = lines.find(({ value }) => value === branch);
  const { commits, days } = line ?? {};
  if (commits)
    return commits.atMs.map((atMs, i) => ({
      ...{ atMs, value: commits.value[i], runId: commits.firstRunId[i] },
      name: commits.commit[i]?.slice(0, 10) ?? 'no commit',
    }));
  if (!days) return [];
  return days.day.map((day, i) => ({ atMs: Date.parse(day), value: days.p50[i], name: day, runId: null }));
}
