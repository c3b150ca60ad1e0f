import fc from 'fast-check';
import { createTeamsService } from '../../src/modules/teams';
import { Database } from '../../src/platform/database';
import { createTestDatabase, type TestDatabase } from '../harness/database';
import { noisy } from '../harness/regression-lane';
import { addAnalysedRun, trendChores } from '../harness/trend-runs';

const RUNS = 40;
const START_MS = Date.UTC(2026, 5, 1);
const MINUTE_MS = 60_000;
const inOrder = Array.from({ length: RUNS }, (_, i) => i);
/** Step times, ms: a slow-down that was reverted; two of them; a new normal and a loss of half of it; getting worse twice. */
const SHAPES: Record<string, (i: number) => number> = {
  reverted: (i) => (i >= 15 && i < 28 ? 115 : 100),
  twice: (i) => (i < 14 ? 100 : i < 22 ? 115 : i < 31 ? 100 : 120),
  improved: (i) => (i < 14 ? 100 : i < 28 ? 80 : 92),
  worsened: (i) => (i < 14 ? 100 : i < 27 ? 110 : 130),
};

let testDatabase: TestDatabase;
let database: Database;
let teamId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.ownerUrl, poolSize: 4 });
  const owner = { email: 'o@order.test', password: 'a long password' };
  teamId = (await createTeamsService(database).createTeamWithOwner({ slug: 'order', owner })).teamId;
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** What is known when the runs have come one after the other in this order. */
async function outcomeOf(shape: string, order: readonly number[], model: string) {
  const chores = trendChores(database);
  for (const i of order) {
    const at = new Date(START_MS + i * MINUTE_MS);
    const metrics = { 'step-time': noisy(i, SHAPES[shape](i) * 1e6) };
    await addAnalysedRun(database, teamId, { at, model, commit: `commit-${i}`, metrics });
    await chores.record();
  }
  return database.forTeam(teamId, async ({ regression, seriesSegment, runVerdict, run }) => {
    const series = { model };
    const found = await regression.findMany({ where: { teamId, series }, orderBy: { firstBadAt: 'asc' } });
    const improvements = await seriesSegment.findMany({ where: { teamId, series, reason: 'improved' } });
    const runs = await run.findMany({ where: { teamId, model }, select: { id: true } });
    const waiting = await runVerdict.findMany({
      where: { teamId, reason: 'too-few-runs', runId: { in: runs.map(({ id }) => id) } },
    });
    return {
      waiting: waiting.length,
      regressions: found.map(({ state, resolution, firstBadCommit, lastGoodCommit, timesReopened }) => {
        return { state, resolution, firstBadCommit, lastGoodCommit, timesReopened };
      }),
      improvedAt: shape === 'improved' ? improvements.map(({ at }) => at) : [],
    };
  });
}

describe('the regressions of a series', () => {
  it.each(Object.keys(SHAPES))('are the same in whatever order its runs are uploaded: %s', async (shape) => {
    const { waiting: mostWaiting, ...inOrderOutcome } = await outcomeOf(shape, inOrder, `${shape}-in-order`);
    expect(inOrderOutcome.regressions).toHaveLength(1);
    let models = 0;
    const orders = fc.shuffledSubarray(inOrder, { minLength: RUNS });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const { waiting, ...outcome } = await outcomeOf(shape, order, `${shape}-${models++}`);
        expect(outcome).toEqual(inOrderOutcome);
        // Whoever had enough runs before it keeps its verdict when a change is found among them later.
        expect(waiting).toBeLessThanOrEqual(mostWaiting);
      }),
      { numRuns: 2, seed: 11, examples: [[[...inOrder].reverse()]], endOnFailure: true },
    );
  });
});
