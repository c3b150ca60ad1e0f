import fc from 'fast-check';
import { findChangePoints } from './change-points';
import { DEFAULT_SHIFT_RULES, findLatestShift } from './level-shift';

const rules = DEFAULT_SHIFT_RULES;
/** A steady series whose values differ by up to 1 %, the same every time. */
const steady = (length: number, level = 100) =>
  Array.from({ length }, (_, i) => level * (1 + 0.005 * Math.sin(i * 2.399963) + 0.003 * Math.cos(i * 5.1)));

describe('findLatestShift', () => {
  it('finds a step as soon as two runs are on the new level, and where it began', () => {
    const values = [...steady(20), 110];
    expect(findLatestShift(values, rules)).toBeUndefined();
    const shift = findLatestShift([...values, 110.4], rules);
    expect(shift).toMatchObject({ index: 20 });
    expect(shift?.changeRatio).toBeCloseTo(0.1, 1);
  });

  it('takes one run that is far off for a spike', () => {
    expect(findLatestShift([...steady(20), 300], rules)).toBeUndefined();
    expect(findLatestShift([...steady(20), 300, ...steady(5)], rules)).toBeUndefined();
    expect(findChangePoints([...steady(20), 300, ...steady(20)], rules)).toEqual([]);
  });

  it('does not report what is too small to matter, however sure it is', () => {
    const flat = Array.from({ length: 30 }, () => 100);
    expect(findLatestShift([...flat, ...flat.map((v) => v * 1.015)].slice(0, 40), rules)).toBeUndefined();
    expect(findLatestShift([...flat, 103, 103], rules)).toMatchObject({ index: 30 });
  });

  it('needs a baseline', () => {
    expect(findLatestShift([...steady(rules.minBaselineRuns - 1), 150], rules)).toBeUndefined();
  });
});

describe('findChangePoints', () => {
  it('finds a step up and the step back, each once', () => {
    const values = [...steady(25), ...steady(25, 112), ...steady(25)];
    expect(findChangePoints(values, rules).map(({ index }) => index)).toEqual([25, 50]);
  });

  it('finds small lasting shifts later than large ones', () => {
    const small = findChangePoints([...steady(30), ...steady(30, 103)], rules);
    const large = findChangePoints([...steady(30), ...steady(30, 130)], rules);
    expect(small).toHaveLength(1);
    expect(large).toHaveLength(1);
    expect(small[0].foundAt).toBeGreaterThanOrEqual(large[0].foundAt);
  });

  it('compares with the accepted level from where people accepted it', () => {
    const values = [...steady(30), ...steady(30, 120)];
    expect(findChangePoints(values, rules, [30])).toEqual([]);
  });

  it('answers the same about the past whatever comes later', () => {
    const series = fc.array(fc.double({ min: 50, max: 200, noNaN: true }), { minLength: 10, maxLength: 60 });
    fc.assert(
      fc.property(series, fc.nat(59), (values, cut) => {
        const part = values.slice(0, cut);
        const known = findChangePoints(values, rules).filter(({ foundAt }) => foundAt < part.length);
        expect(findChangePoints(part, rules)).toEqual(known);
      }),
      { numRuns: 100 },
    );
  });

  it('does not depend on the unit', () => {
    const values = [...steady(25), 140, ...steady(25, 112), ...steady(25)];
    const scaled = findChangePoints(
      values.map((value) => value * 1e6),
      rules,
    );
    expect(scaled.map(({ index }) => index)).toEqual(
      findChangePoints(values, rules).map(({ index }) => index),
    );
  });
});
