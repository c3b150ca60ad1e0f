import { drawTimeline, type DrawOptions } from '../../../test/builders/draw-timeline';
import { type Collective } from '../timeline/rank-timeline';
import { totalNs } from '../timeline/intervals';
import { ProblemLog } from '../timeline/problem';
import { attributeRank } from './attribute-rank';
import { matchCollectives } from './cross-rank';
import { gatherFacts } from './run-facts';
import { findStraggler } from './straggler';
import { summarizeCollectives } from './summarize-collectives';

/** Wide columns, so that the late rank's gap is more than the Python between two operators. */
const COLUMN_NS = 100_000;

const rank = (number: number, drawing: string, options: DrawOptions = {}) =>
  attributeRank(
    number,
    drawTimeline(drawing, { unitNs: COLUMN_NS, rank: number, worldSize: 2, ...options }),
    new ProblemLog(),
  );

const LATE = `
  step    1....................
  op      oo           ooo
  launch  a            b
  kernel   aaa
  comm                  bbb`;
const WAITING = `
  step    1....................
  op      oo
  launch  ab
  kernel   aaa
  comm        bbbbbbbbbbbbb`;

test('transfer is the shortest duration over ranks; the rest of a longer one is waiting', () => {
  const { collectives, exposedWait, exposedTransfer } = matchCollectives([rank(0, WAITING), rank(1, LATE)]);
  expect(collectives).toHaveLength(1);
  expect(collectives[0].transferNs).toBe(3 * COLUMN_NS);
  const columns = (intervals: Parameters<typeof totalNs>[0] | undefined) =>
    intervals ? totalNs(intervals) / COLUMN_NS : undefined;
  expect([columns(exposedWait.get(0)), columns(exposedTransfer.get(0))]).toEqual([10, 3]);
  expect([columns(exposedWait.get(1)), columns(exposedTransfer.get(1))]).toEqual([0, 3]);
});

test('the rank that waits for nobody and is late on its own host is the straggler', () => {
  const facts = gatherFacts([rank(0, WAITING), rank(1, LATE)], [], [], new ProblemLog());
  expect(findStraggler(facts)).toEqual({ rank: 1, costNs: 10 * COLUMN_NS, ownWaitNs: 0 });
});

test('the report says how long each rank waits in each kind of collective', () => {
  const facts = gatherFacts([rank(0, WAITING), rank(1, LATE)], [], [], new ProblemLog());
  const { collectives, collectivesLeftOut } = summarizeCollectives(facts);
  expect(collectives).toMatchObject([{ transferNs: 3 * COLUMN_NS, waitNsByRank: [10 * COLUMN_NS, 0] }]);
  expect(collectivesLeftOut).toBe(0);
});

test('a rank that only launches the same work later is no straggler', () => {
  const slowLaunches = LATE.replace('oo           ooo', 'oooooooooooooooo');
  const facts = gatherFacts([rank(0, WAITING), rank(1, slowLaunches)], [], [], new ProblemLog());
  expect(findStraggler(facts)).toBeNull();
});

test('ranks in another order, and with other clocks, give the same answer', () => {
  const shifted = rank(1, LATE, { originNs: 5_000_000n });
  const { collectives, clockOffsets } = matchCollectives([rank(0, WAITING), shifted]);
  expect(collectives[0].transferNs).toBe(3 * COLUMN_NS);
  // Both leave the collective in the same column, so all that differs is the origin of their clocks.
  expect(clockOffsets).toEqual([{ rank: 1, offsetNs: -5_000_000, residualNs: 0 }]);
});

test('sequence numbers decide where the trace has them, order is the flagged fallback', () => {
  const two = `
    step    1.........
    launch  ab
    comm     aaabb`;
  const args = (sequence: number | null): Partial<Collective> => ({
    name: 'allreduce',
    processGroup: '0',
    groupSize: 2,
    sequence,
  });
  const numbered = matchCollectives([
    rank(0, two, { collectives: [args(7), args(8)] }),
    rank(1, two, { collectives: [args(8), args(9)] }),
  ]);
  expect(numbered.matchedBy).toBe('sequence');
  expect(numbered.collectives).toHaveLength(1);
  expect(numbered.unmatched).toBe(2);
  const ordered = matchCollectives([
    rank(0, two, { collectives: [args(null), args(null)] }),
    rank(1, two, { collectives: [args(null), args(null)] }),
  ]);
  expect(ordered.matchedBy).toBe('order');
  expect(ordered.collectives).toHaveLength(2);
});

test('with one rank of two, waiting and transfer are not measurable, and the report says why', () => {
  const problems = new ProblemLog();
  const facts = gatherFacts([rank(0, WAITING)], [], [], problems);
  expect(facts.crossRank).toBeNull();
  expect(facts.crossRankReason).toBe('traces of 1 of 2 ranks were uploaded');
  expect(problems.count('ranks-missing')).toBe(1);
});
