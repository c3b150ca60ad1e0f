import fc from 'fast-check';
import { drawTimeline } from '../../../test/builders/draw-timeline';
import { attributeRank } from '../attribution/attribute-rank';
import { ProblemLog } from '../timeline/problem';
import { computeKernelShares } from './kernel-shares';

const sharesOf = (drawing: string): { shares: number[]; within: number[]; computeNs: number } => {
  const rank = attributeRank(0, drawTimeline(drawing, { unitNs: 1000 }), new ProblemLog());
  const { shareNs, withinNs } = computeKernelShares(rank);
  const counted = rank.steps.filter((s) => s.excluded === null);
  return {
    shares: Array.from(shareNs),
    within: Array.from(withinNs),
    computeNs: counted.reduce((sum, s) => sum + s.computeNs, 0),
  };
};

test('shared time belongs to the kernel that began first; a collective shares nothing', () => {
  const { shares, within } = sharesOf(`
    step    1.........
    launch  ab c
    kernel   aaaa
    other      bbbb
    comm      ccccccc
  `);
  expect(shares).toEqual([4000, 0, 2000]);
  expect(within).toEqual([4000, 0, 4000]);
});

test('only time within counted steps counts', () => {
  const { shares, within } = sharesOf(`
    step    1...2...3...
    launch  a
    kernel    aaaaaaa
  `);
  expect(shares).toEqual([5000]);
  expect(within).toEqual([5000]);
});

test('the shares sum exactly to the compute time of the breakdown', () => {
  const kernels = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 9 })), {
    minLength: 1,
    maxLength: 8,
  });
  const row = (runs: [number, number][], letters: string): string => {
    const cells = new Array<string>(60).fill(' ');
    runs.forEach(([from, length], i) => cells.fill(letters[i], from, from + length));
    return cells.join('');
  };
  fc.assert(
    fc.property(kernels, kernels, (first, second) => {
      const { shares, computeNs } = sharesOf(
        [
          'step   1......2................3........................',
          `kernel ${row(first, 'abcdefgh')}`,
          `other  ${row(second, 'ijklmnop')}`,
        ].join('\n'),
      );
      expect(shares.reduce((sum, ns) => sum + ns, 0)).toBe(computeNs);
    }),
  );
});
