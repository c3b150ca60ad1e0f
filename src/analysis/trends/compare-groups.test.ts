import fc from 'fast-check';
import { compareGroups } from './compare-groups';

const rules = { minScore: 4.5, minChangeRatio: 0.02 };
/** Noise of one percent, the same every time. */
const noisy = (level: number, runs: number) =>
  Array.from({ length: runs }, (_, i) => level * (1 + 0.01 * Math.sin((i + 1) * 2.399963)));

describe('compareGroups', () => {
  it('tells a change from noise', () => {
    expect(compareGroups(noisy(100, 10), noisy(110, 10), 'lower-is-better', rules)).toMatchObject({
      ...{ verdict: 'worse', noiseFrom: 'groups' },
    });
    expect(compareGroups(noisy(100, 10), noisy(110, 10), 'higher-is-better', rules).verdict).toBe('better');
    expect(compareGroups(noisy(100, 10), noisy(110, 10), 'neutral', rules).verdict).toBe('changed');
    expect(compareGroups(noisy(100, 10), noisy(101, 10), 'lower-is-better', rules).verdict).toBe('unchanged');
  });

  it('is not misled by an outlier on either side', () => {
    const [before, after] = [
      [...noisy(100, 10), 900],
      [...noisy(100.5, 10), 1],
    ];
    expect(compareGroups(before, after, 'lower-is-better', rules).verdict).toBe('unchanged');
  });

  it('learns the noise of single runs from the history, or says that it is not known', () => {
    expect(compareGroups([100], [115], 'lower-is-better', rules)).toEqual({
      ...{
        before: 100,
        after: 115,
        changeRatio: 0.15,
        score: null,
        noiseFrom: null,
        verdict: 'inconclusive',
      },
    });
    const known = compareGroups([100], [115], 'lower-is-better', rules, noisy(100, 20));
    expect(known).toMatchObject({ noiseFrom: 'history', verdict: 'worse' });
    const loud = noisy(100, 20).map((value) => 100 + (value - 100) * 10);
    expect(compareGroups([100], [115], 'lower-is-better', rules, loud).verdict).toBe('inconclusive');
  });

  it('has no ratio from a level of zero', () => {
    expect(compareGroups([0, 0], [1, 1], 'neutral', rules).changeRatio).toBeNull();
  });

  it.each([
    [128, 'worse'],
    [0.2, 'unchanged'],
  ])('knows, of what was always 0, that %d is %s', (value, verdict) => {
    const told = { ...rules, minChange: 0.25 };
    expect(compareGroups([0], [value], 'lower-is-better', told, Array<number>(9).fill(0))).toMatchObject({
      ...{ changeRatio: null, score: null, noiseFrom: 'history', verdict },
    });
  });

  it('answers the other way round when the sides are swapped, and never for the same values', () => {
    const values = fc.array(fc.double({ min: 1, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, values, (a, b) => {
        const there = compareGroups(a, b, 'lower-is-better', { minScore: 4.5, minChangeRatio: 0 });
        const back = compareGroups(b, a, 'lower-is-better', { minScore: 4.5, minChangeRatio: 0 });
        expect(-(back.score ?? 0)).toBeCloseTo(there.score ?? 0, 6);
        expect(compareGroups(a, a, 'lower-is-better', rules).verdict).toMatch(/unchanged|inconclusive/);
      }),
    );
  });
});
