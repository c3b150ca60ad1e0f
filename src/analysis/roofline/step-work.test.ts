import fc from 'fast-check';
import { drawTimeline } from '../../../test/builders/draw-timeline';
import { attributeRank } from '../attribution/attribute-rank';
import { totalNs, unionOf } from '../timeline/intervals';
import { ProblemLog } from '../timeline/problem';
import { findStepWork } from './step-work';

function workOf(drawing: string): { counts: number[]; shares: number[]; windowNs: number; unionNs: number } {
  const timeline = drawTimeline(drawing, { unitNs: 1000 });
  const { counts, shareNs, windowNs } = findStepWork(attributeRank(0, timeline, new ProblemLog()));
  const { startNs, endNs } = timeline.device;
  const counted = Array.from(counts).flatMap((one, i) => (one ? [[startNs[i], endNs[i]] as const] : []));
  return {
    counts: Array.from(counts),
    shares: Array.from(shareNs),
    windowNs,
    unionNs: totalNs(unionOf(counted)),
  };
}

test('shared time belongs to the kernel that began first; a collective shares nothing', () => {
  const { shares, windowNs } = workOf(`
    step    1.........
    launch  ab c
    kernel   aaaa
    other      bbbb
    comm      ccccccc
  `);
  expect(shares).toEqual([4000, 0, 2000]);
  expect(windowNs).toBe(6000);
});

test('the work of a step is what it launched, whenever that ran', () => {
  const { counts, shares, windowNs } = workOf(`
    step    1...2...3...
    launch  a   b   c
    kernel     aaa bbccc
  `);
  // Step 1 does not count; two columns of its kernel run in the time of step 2.
  expect(counts).toEqual([0, 1, 1]);
  expect(shares).toEqual([0, 2000, 3000]);
  expect(windowNs).toBe(7000);
});

test('a kernel without a launch counts where it starts, unless it was queued before the recording', () => {
  const { counts } = workOf(`
    step    1...2......3...
    launch        b
    kernel      zz bb yy
  `);
  expect(counts).toEqual([0, 1, 1]);
});

test('where no launch is recorded at all, kernels count where they start', () => {
  const { counts } = workOf(`
    step    1...2...3...
    kernel  aa bb c  dd
  `);
  expect(counts).toEqual([0, 0, 1, 1]);
});

test('the shares sum exactly to the union of the kernels that count', () => {
  const kernels = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 9 })), { maxLength: 8 });
  const row = (runs: [number, number][], letters: string): string => {
    const cells = new Array<string>(60).fill(' ');
    runs.forEach(([from, length], i) => cells.fill(letters[i], from, from + length));
    return cells.join('');
  };
  fc.assert(
    fc.property(kernels, kernels, (first, second) => {
      const { shares, unionNs } = workOf(`
        step   1......2................3........................
        launch         acegikmo
        kernel ${row(first, 'abcdefgh')}.
        other  ${row(second, 'ijklmnop')}.
      `);
      expect(shares.reduce((sum, ns) => sum + ns, 0)).toBe(unionNs);
    }),
  );
});
