import { judgeRun } from './judge-run';
import { DEFAULT_SHIFT_RULES } from './level-shift';
import { collapseRepeats } from './series-point';

const rules = DEFAULT_SHIFT_RULES;
const points = (...values: number[]) => values.map((value, i) => ({ value, commit: `c${i}` }));
const calm = points(100, 101, 99.5, 100.4, 99.8, 100.9, 99.2, 100.1, 100.6, 99.9);
const run = (value: number) => ({ value, commit: 'new' });

describe('judgeRun', () => {
  it.each([
    [104.5, 'lower-is-better', 'regressed'],
    [120, 'lower-is-better', 'regressed'],
    [80, 'lower-is-better', 'improved'],
    [80, 'higher-is-better', 'regressed'],
    [120, 'higher-is-better', 'improved'],
    [120, 'neutral', 'changed'],
    [100.7, 'lower-is-better', 'unchanged'],
  ] as const)('a run of %d, %s, has %s', (value, direction, verdict) => {
    expect(judgeRun(calm, run(value), direction, rules)).toMatchObject({ verdict, reason: null });
  });

  it('says why it cannot tell', () => {
    expect(judgeRun(calm.slice(0, 7), run(200), 'lower-is-better', rules)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'too-few-runs',
      baseline: null,
    });
    const wild = points(100, 140, 80, 125, 70, 150, 95, 130, 60, 110);
    expect(judgeRun(wild, run(125), 'lower-is-better', rules)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'too-noisy',
    });
  });

  it('is not fooled by outliers in the past', () => {
    const past = [...calm, ...points(400, 380)];
    expect(judgeRun(past, run(115), 'lower-is-better', rules).verdict).toBe('regressed');
    expect(judgeRun(past, run(100.5), 'lower-is-better', rules).verdict).toBe('unchanged');
  });

  it.each([
    [128, 'regressed'],
    [0.2, 'unchanged'],
  ])('says of %d after nothing at all: %s', (value, verdict) => {
    const nothing = points(...Array<number>(12).fill(0));
    const judgement = judgeRun(nothing, run(value), 'lower-is-better', { ...rules, minChange: 0.25 });
    expect(judgement).toMatchObject({ verdict, reason: null, changeRatio: null, score: null });
  });

  it('does not let a commit be its own baseline', () => {
    const repeats = Array.from({ length: 20 }, () => ({ value: 130, commit: 'new' }));
    expect(judgeRun([...calm, ...repeats], run(130), 'lower-is-better', rules).verdict).toBe('regressed');
  });
});

describe('collapseRepeats', () => {
  it('makes one value of the runs of a commit', () => {
    const of = (commit: string | null, value: number) => ({ commit, value });
    expect(
      collapseRepeats([of('a', 1), of('b', 5), of('b', 9), of('b', 6), of(null, 2), of(null, 3), of('a', 4)]),
    ).toEqual([
      { value: 1, commit: 'a', runs: 1, firstIndex: 0 },
      { value: 6, commit: 'b', runs: 3, firstIndex: 1 },
      { value: 2, commit: null, runs: 1, firstIndex: 4 },
      { value: 3, commit: null, runs: 1, firstIndex: 5 },
      { value: 4, commit: 'a', runs: 1, firstIndex: 6 },
    ]);
  });
});
