import fc from 'fast-check';
import { drawTimeline } from '../../../test/builders/draw-timeline';
import { ProblemLog } from '../timeline/problem';
import { attributeRank } from './attribute-rank';

/** A row of random runs of letters, blanks between them. */
const row = (letters: string): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.nat(4), fc.constantFrom(...letters), fc.integer({ min: 1, max: 6 })), { maxLength: 8 })
    .map((runs) => runs.map(([gap, letter, length]) => ' '.repeat(gap) + letter.repeat(length)).join(''));

const drawing = fc.record({
  step: fc.constantFrom('1.........2............3........', '1....................', ''),
  load: row('l'),
  op: row('o'),
  sync: row('s'),
  alloc: row('m'),
  launch: row('abcdef'),
  kernel: row('abc'),
  other: row('ab'),
  comm: row('de'),
  h2dp: row('f'),
});

const draw = (rows: Record<string, string>): string =>
  Object.entries(rows)
    .map(([track, cells]) => `${track.padEnd(7)} ${cells}`)
    .join('\n');

const attribute = (rows: Record<string, string>, originNs = 0n) =>
  attributeRank(0, drawTimeline(draw(rows), { originNs }), new ProblemLog());

test('the parts of a step are never negative and sum exactly to it', () => {
  fc.assert(
    fc.property(drawing, (rows) => {
      for (const step of attribute(rows).steps) {
        const causes = Object.values(step.idle);
        const parts = [step.computeNs, step.exposedCommunicationNs, step.exposedMemcpyNs, step.idleNs];
        for (const part of [...parts, ...causes]) expect(part).toBeGreaterThanOrEqual(0);
        expect(parts.reduce((a, b) => a + b, 0)).toBe(step.wallNs);
        expect(causes.reduce((a, b) => a + b, 0)).toBe(step.idleNs);
      }
    }),
    { numRuns: 500 },
  );
});

test('more compute never exposes more communication', () => {
  fc.assert(
    fc.property(drawing, row('ab'), (rows, more) => {
      const exposed = (r: Record<string, string>): number =>
        attribute(r).steps.reduce((sum, s) => sum + s.exposedCommunicationNs, 0);
      const step = '1.......................................';
      expect(exposed({ ...rows, step, other: more })).toBeLessThanOrEqual(
        exposed({ ...rows, step, other: '' }),
      );
    }),
  );
});

test('the absolute time of a trace changes nothing', () => {
  fc.assert(
    fc.property(drawing, fc.bigInt({ min: 0n, max: 2n ** 62n }), (rows, originNs) => {
      expect(attribute(rows, originNs).steps).toEqual(attribute(rows).steps);
    }),
  );
});
