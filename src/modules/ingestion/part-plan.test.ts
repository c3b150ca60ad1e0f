import fc from 'fast-check';
import { checkParts, describeParts, partSize, planParts } from './part-plan';

const MIB = 2 ** 20;

describe('planParts', () => {
  it('keeps the preferred size while 10,000 parts suffice', () => {
    expect(planParts(1, 16 * MIB)).toEqual({ partSizeBytes: 16 * MIB, partCount: 1 });
    expect(planParts(16 * MIB, 16 * MIB).partCount).toBe(1);
    expect(planParts(16 * MIB + 1, 16 * MIB).partCount).toBe(2);
    expect(planParts(160_000 * MIB, 16 * MIB)).toEqual({ partSizeBytes: 16 * MIB, partCount: 10_000 });
  });

  it('makes larger parts for larger artifacts', () => {
    expect(planParts(160_000 * MIB + 1, 16 * MIB).partSizeBytes).toBe(17 * MIB);
  });

  it('never plans more than 10,000 parts, and they add up to the artifact', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 * 2 ** 40 }),
        fc.integer({ min: 5 * MIB, max: 5 * 2 ** 30 }),
        (size, preferred) => {
          const { partSizeBytes, partCount } = planParts(size, preferred);
          expect(partCount).toBeLessThanOrEqual(10_000);
          expect(partSizeBytes).toBeLessThan(2 ** 31);
          const last = partSize(size, partSizeBytes, partCount);
          expect(last).toBeGreaterThan(0);
          expect((partCount - 1) * partSizeBytes + last).toBe(size);
          expect(() => partSize(size, partSizeBytes, partCount + 1)).toThrow(RangeError);
        },
      ),
    );
  });
});

describe('checkParts', () => {
  const stored = (...sizes: [number, number][]) =>
    sizes.map(([partNumber, sizeBytes]) => ({ partNumber, sizeBytes }));

  it('names missing parts and counts the bytes of the others', () => {
    expect(checkParts(25, 10, stored([1, 10], [3, 5]))).toEqual({ missing: [2], presentBytes: 15 });
    expect(checkParts(25, 10, stored([1, 10], [2, 10], [3, 5]))).toEqual({ missing: [], presentBytes: 25 });
    expect(checkParts(25, 10, [])).toEqual({ missing: [1, 2, 3], presentBytes: 0 });
  });

  it('leaves out parts that are not planned, and sees wrong sizes', () => {
    expect(checkParts(25, 10, stored([1, 10], [2, 10], [3, 5], [4, 99]))).toEqual({
      missing: [],
      presentBytes: 25,
    });
    expect(checkParts(25, 10, stored([1, 10], [2, 10], [3, 4]))).toEqual({ missing: [], presentBytes: 24 });
  });
});

it('describes part numbers in ranges', () => {
  expect(describeParts([2])).toBe('2');
  expect(describeParts([1, 2, 3, 5, 7, 8])).toBe('1–3, 5, 7–8');
  expect(describeParts([1, 3, 5, 7], 2)).toBe('1, 3, …');
});
