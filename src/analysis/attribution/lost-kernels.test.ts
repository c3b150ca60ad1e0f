import { drawTimeline } from '../../../test/builders/draw-timeline';
import { ProblemLog } from '../timeline/problem';
import { attributeRank } from './attribute-rank';

function lostIn(drawing: string): number {
  const problems = new ProblemLog();
  attributeRank(0, drawTimeline(drawing), problems);
  return problems.count('kernels-missing');
}

test('launches within the steps whose kernel is not there are counted', () => {
  expect(lostIn('step    1.........\nlaunch  a b c\nkernel   aa')).toBe(2);
  expect(lostIn('step    1.........\nlaunch  a b\nkernel   aa bb')).toBe(0);
});

test('launches outside the steps are not', () => {
  expect(lostIn('step       1......\nlaunch  z   a\nkernel       aa')).toBe(0);
});
