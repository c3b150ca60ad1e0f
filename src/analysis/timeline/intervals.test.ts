import fc from 'fast-check';
import {
  difference,
  intersection,
  type Intervals,
  overlapMeter,
  totalNs,
  totalWithinNs,
  union,
  unionOf,
} from './intervals';

const SPAN = 60;
const ranges = fc.array(
  fc.tuple(fc.nat(SPAN), fc.nat(12)).map(([start, length]) => [start, start + length] as const),
  { maxLength: 12 },
);

/** The set as one flag per ns: slow, obviously right. */
function paint(set: Intervals): boolean[] {
  const painted = new Array<boolean>(SPAN * 2).fill(false);
  for (let i = 0; i < set.count; i++) painted.fill(true, set.startNs[i], set.endNs[i]);
  return painted;
}

function expectNormal(set: Intervals): void {
  for (let i = 0; i < set.count; i++) {
    expect(set.endNs[i]).toBeGreaterThan(set.startNs[i]);
    if (i > 0) expect(set.startNs[i]).toBeGreaterThan(set.endNs[i - 1]);
  }
}

test('the algebra agrees with painting every nanosecond', () => {
  fc.assert(
    fc.property(ranges, ranges, (left, right) => {
      const [a, b] = [unionOf(left), unionOf(right)];
      const [paintedA, paintedB] = [paint(a), paint(b)];
      for (const [result, expected] of [
        [union(a, b), paintedA.map((v, i) => v || paintedB[i])],
        [intersection(a, b), paintedA.map((v, i) => v && paintedB[i])],
        [difference(a, b), paintedA.map((v, i) => v && !paintedB[i])],
      ] as const) {
        expectNormal(result);
        expect(paint(result)).toEqual(expected);
      }
    }),
  );
});

test('difference and intersection partition a set exactly', () => {
  fc.assert(
    fc.property(ranges, ranges, (left, right) => {
      const [a, b] = [unionOf(left), unionOf(right)];
      expect(totalNs(difference(a, b)) + totalNs(intersection(a, b))).toBe(totalNs(a));
    }),
  );
});

test('the length within a window is what painting gives, asked once or often', () => {
  fc.assert(
    fc.property(ranges, fc.nat(SPAN), fc.nat(SPAN), (left, x, y) => {
      const a = unionOf(left);
      const [from, to] = [Math.min(x, y), Math.max(x, y)];
      const painted = paint(a).slice(from, to).filter(Boolean).length;
      expect(totalWithinNs(a, from, to)).toBe(painted);
      expect(overlapMeter(a)(from, to)).toBe(painted);
    }),
  );
});
