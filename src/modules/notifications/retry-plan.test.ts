import { retryDelayMs } from './retry-plan';

const hourMs = 3_600_000;
const sum = (random: number) =>
  Array.from({ length: 7 }, (_, i) => retryDelayMs(i + 1, 15, random)).reduce((total, ms) => total + ms);

describe('retryDelayMs', () => {
  it('grows fourfold from the base', () => {
    expect([1, 2, 3].map((attempt) => retryDelayMs(attempt, 15, 0.5))).toEqual([15_000, 60_000, 240_000]);
  });

  it('spreads eight attempts over about a day', () => {
    expect(sum(0.5) / hourMs).toBeCloseTo(22.8, 1);
    expect(sum(0) / hourMs).toBeGreaterThan(18);
    expect(sum(1) / hourMs).toBeLessThan(28);
  });
});
