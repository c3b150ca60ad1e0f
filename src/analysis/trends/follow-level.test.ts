import fc from 'fast-check';
import { type FollowedLevel, followLevel } from './follow-level';

const slow: FollowedLevel = { before: 100, after: 110, sigma: 1, minChangeRatio: 0.02 };
/** The same noise every time, of about one percent. */
const noisy = (level: number, length: number) =>
  Array.from({ length }, (_, i) => level * (1 + 0.008 * Math.sin(i * 2.399963)));

describe('followLevel', () => {
  it('says that the level is back as soon as two runs are on it, however short the regression was', () => {
    expect(followLevel([110, 111, 100], slow).back).toBeUndefined();
    expect(followLevel([110, 111, 100, 100.5], slow).back).toEqual({ kind: 'back', index: 2, level: 100.25 });
  });

  it('takes one good run for luck', () => {
    expect(followLevel([110, 60, 110, 110.5], slow).back).toBeUndefined();
  });

  it('needs more runs where the step is close to the noise', () => {
    const small = { ...slow, after: 102.5 };
    const runsNeeded = Array.from({ length: 20 }, (_, i) => i + 1).find(
      (length) => followLevel([...noisy(102.5, 5), ...noisy(100, length)], small).back,
    );
    expect(runsNeeded).toBeGreaterThan(2);
    expect(runsNeeded).toBeLessThan(15);
  });

  it('calls what is between the levels better, not back', () => {
    const news = followLevel([110, 110, 104, 104.2], slow);
    expect(news.back).toBeUndefined();
    expect(news.better).toMatchObject({ index: 2, level: 104.1 });
    expect(followLevel([110, 110, 105, 105], slow).better).toMatchObject({ index: 2, level: 105 });
  });

  it('sees that it got worse, and does not call noise on the level worse', () => {
    expect(followLevel([110, 110.4, 130, 129], slow).worse).toEqual({
      kind: 'worse',
      index: 2,
      level: 129.5,
    });
    expect(followLevel(noisy(110, 40), slow)).toEqual({ lasting: expect.anything() });
    expect(followLevel(noisy(111, 40), slow).worse).toBeUndefined();
  });

  it('sees that it lasts, and that it is back, where smaller is worse and at a level of nothing', () => {
    expect(followLevel([0.3, 0.31], { ...slow, before: 0.4, after: 0.3, sigma: 0.01 }).lasting).toBeDefined();
    expect(followLevel([0, 0], { ...slow, before: 0, after: 5, sigma: 0 }).back).toBeDefined();
    expect(followLevel([5, 5], { ...slow, before: 0, after: 5, sigma: 0 }).back).toBeUndefined();
  });

  it('does not depend on the unit, or on which way is worse', () => {
    const values = fc.array(fc.double({ min: 80, max: 140, noNaN: true }), { minLength: 1, maxLength: 30 });
    const kindsOf = (given: readonly number[], level: FollowedLevel) =>
      Object.keys(followLevel(given, level));
    fc.assert(
      fc.property(values, (given) => {
        const { before, after, sigma } = slow;
        const scaled = { ...slow, before: before * 1024, after: after * 1024, sigma: sigma * 1024 };
        expect(
          kindsOf(
            given.map((value) => value * 1024),
            scaled,
          ),
        ).toEqual(kindsOf(given, slow));
        const negated = { ...slow, before: -before, after: -after };
        expect(
          kindsOf(
            given.map((value) => -value),
            negated,
          ),
        ).toEqual(kindsOf(given, slow));
      }),
    );
  });
});
