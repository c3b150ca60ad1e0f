import { baselineLevels, weightedMedian } from './baseline-levels';
import { linesOf } from './trend-lines';
import { marksOf } from './trend-marks';
import { plotOf, pointNear, rangeBetween } from './trend-plot';
import { type Trend } from './trend-queries';

const HOUR_MS = 3_600_000;
const at = (hour: number) => new Date(hour * HOUR_MS).toISOString();

const series = (id: string, cluster: string, comparability = 'gpu=h200;dtype=bf16') => {
  return { id, model: 'm', cluster, workload: null, comparability };
};

/** Runs an hour apart, by series. */
function trendOf(lines: Record<string, number[]>, given: Partial<Trend> = {}): Trend {
  return {
    metric: { id: 'step-time', unit: 'ns', direction: 'lower-is-better' },
    ...{ noiseFloorRatio: 0.02, resolution: 'runs', resolutionReason: 'asked-for', splitBy: 'series' },
    lines: Object.entries(lines).map(([id, value]) => ({
      ...{ value: id, seriesIds: [id], commits: null, days: null },
      runs: { value, atMs: value.map((_, i) => i * HOUR_MS), runId: value.map((_, i) => `${id}${i}`) },
    })),
    series: Object.keys(lines).map((id) => series(id, id)),
    ...{ segments: [], regressions: [] },
    ...given,
  };
}

const regression = (
  state: 'open' | 'resolved',
  from: number,
  until: number | null,
): Trend['regressions'][number] => ({
  ...{
    id: 'r',
    seriesId: 'a',
    branch: 'main',
    state,
    metricId: 'step-time',
    before: 1,
    after: 2,
    changeRatio: 1,
  },
  ...{ firstBadAt: at(from), goodAgainAt: until === null ? null : at(until) },
});

describe('linesOf', () => {
  it('puts the line with most runs first and names lines by what is not the same for all', () => {
    const names = linesOf(trendOf({ a: [1], b: [1, 2] })).map(({ name }) => name);
    expect(names).toEqual(['b', 'a']);
    const differing = [series('a', 'c'), series('b', 'c', 'gpu=b200;dtype=bf16')];
    const byGpu = linesOf(trendOf({ a: [1, 2], b: [1] }, { series: differing }));
    expect(byGpu.map(({ name }) => name)).toEqual(['gpu h200', 'gpu b200']);
    expect(linesOf(trendOf({ a: [1] }, { series: [series('a', 'c')] }))[0].name).toBe('m, c');
  });
});

describe('baselineLevels', () => {
  const levels = (value: number[], given: Partial<Trend>) => {
    const trend = trendOf({ a: value }, given);
    const judged = { noiseFloorRatio: 0.1, isByBranch: false };
    return baselineLevels(linesOf(trend)[0], marksOf(trend), judged);
  };

  it('leaves runs of a regression out while it lasts, and has them again when they were accepted', () => {
    const values = [10, 10, 10, 20, 20, 20, 20];
    const [open] = levels(values, { regressions: [regression('open', 3, null)] });
    expect(open).toEqual({ fromMs: 0, toMs: 6 * HOUR_MS, median: 10, low: 9, high: 11 });
    const segment = { seriesId: 'a', branch: 'main', at: at(3), reason: 'worse', isBaseline: true };
    const accepted = levels(values, { regressions: [regression('resolved', 3, null)], segments: [segment] });
    expect(accepted.map(({ median, fromMs, toMs }) => [median, fromMs / HOUR_MS, toMs / HOUR_MS])).toEqual([
      [10, 0, 3],
      [20, 3, 6],
    ]);
  });

  it('says nothing of runs of several branches, or of too few', () => {
    const marks = [regression('open', 3, null), { ...regression('open', 4, null), branch: 'topic' }];
    expect(levels([1, 1, 1, 2, 2], { regressions: marks })).toEqual([]);
    expect(levels([1, 1], {})).toEqual([]);
  });

  it('counts a day as often as it has runs', () => {
    const days = [
      { value: 1, runs: 1 },
      { value: 5, runs: 8 },
      { value: 9, runs: 1 },
    ];
    expect(weightedMedian(days)).toBe(5);
    expect(weightedMedian([days[0], { value: 3, runs: 1 }])).toBe(2);
  });
});

describe('plotOf', () => {
  const commits = (commit: (string | null)[]) => ({
    ...{ commit, atMs: commit.map((_, i) => i * HOUR_MS), value: commit.map(() => 1) },
    ...{ runs: commit.map(() => 1), firstRunId: commit.map((_, i) => `${i}`) },
  });

  it('puts runs of a commit that follow each other in one place, of whichever line', () => {
    const trend = trendOf({ a: [], b: [] });
    const [a, b] = trend.lines;
    const lines = [
      { ...a, runs: null, commits: commits(['x', 'y', 'x']) },
      { ...b, runs: null, commits: commits(['x', 'y', null]) },
    ];
    const plot = plotOf(linesOf({ ...trend, lines }), true);
    expect(plot.slots?.map(({ commit }) => commit)).toEqual(['x', 'y', 'x', null]);
    expect(rangeBetween(plot, 2.2, 0.4)).toEqual({ fromMs: 0, toMs: 2 * HOUR_MS });
  });

  it('finds the point under the pointer, and none far from it', () => {
    const plot = plotOf(linesOf(trendOf({ a: [10, 20, 30] })), false);
    const projection = {
      toPx: (x: number, value: number) => [(x / HOUR_MS) * 100, value] as const,
      toX: (px: number) => (px / 100) * HOUR_MS,
    };
    expect(pointNear(plot, projection, 104, 22)).toBe(1);
    expect(pointNear(plot, projection, 150, 22)).toBeUndefined();
    expect(pointNear(plot, projection, 100, 60)).toBeUndefined();
  });
});
