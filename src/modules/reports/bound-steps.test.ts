import { type Analysis } from '../../analysis';
import { boundSteps } from './bound-steps';

const analysis = (...counts: number[]) =>
  ({
    ranks: counts.map((count, rank) => ({
      rank,
      steps: Array.from({ length: count }, (_, index) => ({ index })),
    })),
  }) as unknown as Analysis;
const countsOf = ({ ranks }: Analysis) => ranks.map(({ steps }) => steps.length);

describe('boundSteps', () => {
  it('keeps everything within the bound', () => {
    const whole = analysis(5, 5);
    expect(boundSteps(whole, 10)).toEqual({ report: whole, stepsOmitted: 0 });
  });

  it('keeps the first steps of each rank beyond it, and says how many are missing', () => {
    const whole = analysis(8, 2);
    const { report: bounded, stepsOmitted } = boundSteps(whole, 8);
    expect(countsOf(bounded)).toEqual([4, 2]);
    expect(bounded.ranks[0].steps.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(stepsOmitted).toBe(4);
    expect(countsOf(whole)).toEqual([8, 2]);
  });
});
