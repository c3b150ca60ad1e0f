import fc from 'fast-check';
import { RunDeletionRepository } from '../../src/modules/retention/run-deletion.repository';
import { listFragments } from '../../src/modules/trends/queries/trend/packed-runs.repository';
import { createTeamsService } from '../../src/modules/teams';
import { operator } from '../../src/platform/audit';
import { Database } from '../../src/platform/database';
import { createTestDatabase, type TestDatabase } from '../harness/database';
import { addAnalysedRun, reanalyse, trendChores } from '../harness/trend-runs';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 5, 1);
const timeOf = (hour: number) => new Date(START_MS + hour * HOUR_MS);

let testDatabase: TestDatabase;
let database: Database;
let chores: ReturnType<typeof trendChores>;
let deletion: RunDeletionRepository;
let teamId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = new Database({ url: testDatabase.ownerUrl, poolSize: 4 });
  chores = trendChores(database);
  deletion = new RunDeletionRepository(database);
  const owner = { email: 'o@packs.test', password: 'a long password' };
  teamId = (await createTeamsService(database).createTeamWithOwner({ slug: 'packs', owner })).teamId;
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

interface Range {
  branch: string;
  from?: Date;
  to?: Date;
}
interface Columns {
  atMs: number[];
  value: number[];
  runId: string[];
}
const NO_RUNS: Columns = { atMs: [], value: [], runId: [] };

/** Step times as an answer is made of them; undefined where nothing is packed. */
async function packed(model: string, range: Range): Promise<Columns | undefined> {
  return database.forTeam(teamId, async (scope) => {
    const metric = { metricId: 'step-time', series: { model } };
    const found = await scope.seriesMetric.findFirst({ where: { teamId, ...metric } });
    if (!found) return undefined;
    const { id: seriesMetricId, seriesId } = found;
    const asked = { seriesId, seriesMetricId, withRunIds: true, limit: 10_000, ...range };
    const fragments = await listFragments(scope, asked);
    const column = <T>(key: 'atMs' | 'value' | 'runIds') =>
      fragments?.flatMap((one) => JSON.parse(`[${one[key]}]`) as T[]) ?? [];
    return fragments && { atMs: column('atMs'), value: column('value'), runId: column<string>('runIds') };
  });
}

/** What it must be, from the points themselves. */
async function ofPoints(model: string, { branch, from = timeOf(-1e5), to = timeOf(1e5) }: Range) {
  const [columns] = await database.forTeam(
    teamId,
    ({ $queryRaw }) => $queryRaw<Columns[]>`
      SELECT array_agg((date_part('epoch', p.at) * 1000) ORDER BY p.at, p.run_id) AS "atMs",
        array_agg(p.value ORDER BY p.at, p.run_id) AS value, array_agg(p.run_id::text ORDER BY p.at, p.run_id) AS "runId"
      FROM points p JOIN series_metrics m ON m.id = p.series_metric_id JOIN series s ON s.id = m.series_id
      WHERE s.team_id = ${teamId}::uuid AND s.model = ${model} AND m.metric_id = 'step-time'
        AND p.branch = ${branch} AND p.at >= ${from} AND p.at < ${to} HAVING count(*) > 0`,
  );
  return columns ?? NO_RUNS;
}

const hour = fc.integer({ min: 0, max: 47 });
const value = fc.double({ min: 1e-9, max: 1e22, noNaN: true });
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      hours: fc.array(hour, { minLength: 4, maxLength: 12 }),
      value,
      branch: fc.constantFrom('main', 'topic'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reanalyse' as const), pick: fc.nat(), value }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), pick: fc.nat() }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('record' as const, 'both' as const, 'both' as const) }),
  },
);
const ranges: Range[] = [
  { branch: 'main' },
  { branch: 'topic' },
  { branch: 'main', from: timeOf(5) },
  { branch: 'main', from: timeOf(5), to: timeOf(43) },
  { branch: 'main', from: timeOf(24), to: timeOf(48) },
  { branch: 'main', from: timeOf(25), to: timeOf(26) },
];

describe('packed days', () => {
  let models = 0;
  let answers = 0;

  it('are the points, at any time in any order of adding, analysing again, deleting, expiring and passes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 16 }), async (acts) => {
        const model = `property-${models++}`;
        const runs: string[] = [];
        for (const one of acts) {
          if (one.kind === 'add')
            for (const at of one.hours.map(timeOf)) {
              const run = { model, at, branch: one.branch, metrics: { 'step-time': one.value, mfu: 0.5 } };
              runs.push(await addAnalysedRun(database, teamId, run));
            }
          if (one.kind === 'record' || one.kind === 'both') await chores.record();
          if (one.kind === 'both') await chores.rollUp();
          if ('pick' in one && runs.length > 0) {
            const index = one.pick % runs.length;
            if (one.kind === 'reanalyse')
              await reanalyse(database, teamId, runs[index], { 'step-time': one.value });
            else if (one.kind === 'delete')
              await deletion.deleteForPerson(teamId, runs.splice(index, 1)[0], operator);
            else await deletion.deleteExpired(teamId, runs.splice(index, 1)[0]);
          }
          for (const range of ranges) {
            const found = await packed(model, range);
            if (!found) continue;
            answers++;
            expect(found).toEqual(await ofPoints(model, range));
          }
        }
      }),
      { numRuns: 8, seed: 7 },
    );
    // It was not for want of packed days that nothing was wrong.
    expect(answers).toBeGreaterThan(20);
  }, 240_000);

  it('are not read when they are more than the limit', async () => {
    const metrics = { 'step-time': 1 };
    for (let i = 0; i < 8; i++)
      await addAnalysedRun(database, teamId, { model: 'limit', at: timeOf(i), metrics });
    await chores.record();
    await chores.rollUp();
    const count = async (limit: number) =>
      database.forTeam(teamId, async (scope) => {
        const { id: seriesMetricId, seriesId } = await scope.seriesMetric.findFirstOrThrow({
          where: { teamId, metricId: 'step-time', series: { model: 'limit' } },
        });
        const asked = { seriesId, seriesMetricId, branch: 'main', withRunIds: false, limit };
        return (await listFragments(scope, asked))?.map(({ runs, runIds }) => [runs, runIds]);
      });
    expect([await count(8), await count(7)]).toEqual([[[8, null]], undefined]);
  });
});
