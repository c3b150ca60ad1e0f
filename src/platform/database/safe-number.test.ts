import { toSafeNumber } from './safe-number';

describe('toSafeNumber', () => {
  it('converts what fits and passes null on', () => {
    expect([toSafeNumber(0n), toSafeNumber(-5n), toSafeNumber(2n ** 53n - 1n), toSafeNumber(null)]).toEqual([
      0,
      -5,
      Number.MAX_SAFE_INTEGER,
      null,
    ]);
  });

  it('throws rather than lose a digit', () => {
    expect(() => toSafeNumber(2n ** 53n)).toThrow(RangeError);
    expect(() => toSafeNumber(-(2n ** 53n))).toThrow(RangeError);
  });
});
