import { toPoints } from './trend-points';

const line = { seriesIds: [], runs: null, commits: null, days: null };

it('takes commits, or the medians of days, of the branch', () => {
  const commits = {
    ...{ atMs: [1, 2], value: [10, 20], commit: ['a'.repeat(40), null] },
    ...{ runs: [1, 2], firstRunId: ['r1', 'r2'] },
  };
  const days = { day: ['1970-01-02'], runs: [3], min: [1], p50: [2], p95: [3], max: [4] };
  const lines = [
    { ...line, value: 'main', commits },
    { ...line, value: null, days },
  ];
  expect(toPoints({ lines }, 'main')).toEqual([
    { atMs: 1, value: 10, name: 'aaaaaaaaaa', runId: 'r1' },
    { atMs: 2, value: 20, name: 'no commit', runId: 'r2' },
  ]);
  expect(toPoints({ lines }, null)).toEqual([
    { atMs: 86_400_000, value: 2, name: '1970-01-02', runId: null },
  ]);
  expect(toPoints({ lines }, 'gone')).toEqual([]);
});
