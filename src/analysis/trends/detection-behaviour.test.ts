import { findChangePoints } from './change-points';
import { detectChange, type MetricHistory } from './detect-change';
import { judgeRun } from './judge-run';
import { levelOf } from './level';
import { DEFAULT_SHIFT_RULES, findLatestShift, normalScore } from './level-shift';

const rules = DEFAULT_SHIFT_RULES;
const SPIKE = 3;

/**
 * A series as a picture: a digit is a run that many percent above 100, `^` one that takes three times as long; spaces are for
 * the eye. Noise of about half a percent, the same every time.
 */
function draw(picture: string, noise = 0.005): number[] {
  return [...picture.replaceAll(' ', '')].map((sign, i) => {
    const level = sign === '^' ? SPIKE : 1 + Number(sign) / 100;
    return 100 * level * (1 + noise * (Math.sin(i * 2.399963) + 0.6 * Math.cos(i * 5.1)));
  });
}
const CALM = '0'.repeat(20);
const places = (picture: string, noise?: number) =>
  findChangePoints(draw(picture, noise), rules).map(({ index }) => index);

describe('a change of level', () => {
  it.each<[string, string, number[]]>([
    ['a step', `${CALM} 55555555`, [20]],
    ['a step and the way back', `${CALM} 5555555555555555 0000000000000000`, [20, 36]],
    ['two steps', `${CALM} 44444444444444444444 99999999999`, [20, 40]],
    ['a step among spikes', `0000^00000000^000000 55^5555555`, [20]],
    ['a spike', `${CALM} ^ ${CALM}`, []],
    ['two spikes in a row where spikes are common', `0^00000^00000^00000^00000 ^^ 00000000`, []],
    ['a spike just before the end', `${CALM} 0^`, []],
    ['a step that nobody minds', `${CALM} 11111111111111111111`, []],
    ['a step that has no baseline', `0000 99999999`, []],
  ])('%s', (_what, picture, expected) => expect(places(picture)).toEqual(expected));

  it('is found although it comes slowly: 0.3 % a commit over 30 commits', () => {
    const moved = (i: number) => 1 + 0.003 * Math.min(Math.max(i - 29, 0), 30);
    const values = draw('0'.repeat(75)).map((value, i) => value * moved(i));
    const [first] = findChangePoints(values, rules);
    expect(first.index).toBeGreaterThanOrEqual(30);
    expect(first.foundAt).toBeLessThan(60);
    const run = { value: values[59], commit: 'c59' };
    const past = values.slice(0, 59).map((value, i) => ({ value, commit: `c${i}` }));
    expect(judgeRun(past, run, 'lower-is-better', rules).verdict).toBe('regressed');
  });

  it('is none where the noise grows or the series sways', () => {
    const growing = [...draw(CALM + CALM, 0.004), ...draw(CALM + CALM, 0.012)];
    expect(findChangePoints(growing, rules)).toEqual([]);
    const swaying = draw(CALM.repeat(4)).map((value, i) => value * (1 + 0.006 * Math.sin(i / 2)));
    expect(findChangePoints(swaying, rules)).toEqual([]);
  });

  it('needs more runs where less is known', () => {
    const foundAfter = (picture: string, step: string, noise?: number) => {
      const from = picture.replaceAll(' ', '').length;
      const [first] = findChangePoints(draw(picture + step.repeat(25), noise), rules);
      return first.foundAt - from + 1;
    };
    expect(foundAfter(CALM, '9')).toBe(2);
    expect(foundAfter('00000000', '9')).toBeGreaterThan(2);
    expect(foundAfter('0^00000^00000^00000^00000', '9')).toBeGreaterThan(2);
    expect(foundAfter(CALM, '4', 0.015)).toBeGreaterThan(foundAfter(CALM, '9', 0.015));
  });

  it('is judged by what was known then, also when runs are added in between later', () => {
    const values = draw(`${CALM} 000000 66666666`);
    const early = findChangePoints(values.slice(0, 30), rules);
    expect(early.map(({ index }) => index)).toEqual([26]);
    const late = findChangePoints([...values.slice(0, 10), 100.2, 99.7, ...values.slice(10)], rules);
    expect(late.map(({ index }) => index)).toEqual([28]);
  });

  it('takes repeats of a commit for one run', () => {
    const history = (commits: readonly string[], values: readonly number[]): MetricHistory => ({
      ...{ metricId: 'step-time', direction: 'lower-is-better', rules, alerts: true },
      points: values.map((value, i) => ({ value, commit: commits[i] })),
    });
    const values = [...draw(CALM), 130, 131, 129, 130];
    const calmCommits = draw(CALM).map((_, i) => `c${i}`);
    expect(detectChange([history([...calmCommits, 'x', 'x', 'x', 'x'], values)])).toBeUndefined();
    expect(detectChange([history([...calmCommits, 'x', 'x', 'y', 'y'], values)])).toMatchObject({
      ...{ kind: 'worse', firstIndex: 20 },
    });
  });

  it('starts a segment where people accepted it', () => {
    const values = draw(`${CALM} 55555555555555555555 00000000`);
    expect(findChangePoints(values, rules, [20]).map(({ index }) => index)).toEqual([40]);
  });
});

describe('the score', () => {
  it('is that of a normal distribution, whatever the number of values', () => {
    // Two-sided 1 in 1,000: 3.29 of a normal distribution, 5.41 of Student's t with 7 degrees of freedom.
    expect(normalScore(5.408, 7)).toBeCloseTo(3.29, 1);
    expect(normalScore(-3.3, 100_000)).toBeCloseTo(-3.3, 2);
  });

  it('is asked to be higher of shifts that fewer runs show', () => {
    const certain = (count: number, percent: number) => {
      const values = [
        ...draw('0'.repeat(40)),
        ...draw('0'.repeat(count)).map((v) => v * (1 + percent / 100)),
      ];
      return findLatestShift(values, { ...rules, minChangeRatio: 0 }) !== undefined;
    };
    expect([certain(4, 1), certain(25, 1)]).toEqual([false, true]);
  });
});

describe('levelOf', () => {
  it('leaves outliers out', () => {
    const level = levelOf(draw('0000^000000^0000000000'));
    expect(level.value).toBeCloseTo(100, 0);
    expect(level.sigma).toBeLessThan(1);
    expect(level.runs).toBe(20);
  });

  it('believes in some noise of a constant series', () => {
    expect(levelOf([5, 5, 5])).toEqual({ value: 5, sigma: 0.005, runs: 3 });
    expect(levelOf([0])).toEqual({ value: 0, sigma: 0, runs: 1 });
  });
});
