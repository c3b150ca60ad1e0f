import { ExplanationsRepository } from '../../src/modules/trends/explanations.repository';
import { CompareService } from '../../src/modules/trends/queries/compare/compare.service';
import { FleetRepository } from '../../src/modules/trends/queries/fleet/fleet.repository';
import { fleetQuerySchema } from '../../src/modules/trends/queries/fleet/fleet-schemas';
import { SeriesRepository } from '../../src/modules/trends/queries/series/series.repository';
import { TrendRepository } from '../../src/modules/trends/queries/trend/trend.repository';
import { trendQuerySchema } from '../../src/modules/trends/queries/trend/trend-schemas';
import { createTeamsService } from '../../src/modules/teams';
import { Database } from '../../src/platform/database';
import { createTestDatabase, type TestDatabase } from '../harness/database';
import { addAnalysedRun, trendChores } from '../harness/trend-runs';

let testDatabase: TestDatabase;
/** The owner of the tables is not bound by row-level security. */
let unlocked: Database;
let ours: string;
let theirs: string;
let theirRun: string;
let ourRun: string;

const at = new Date(Date.now() - 3_600_000);

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const database = new Database({ url: testDatabase.ownerUrl, poolSize: 2 });
  const teams = createTeamsService(database);
  const create = async (slug: string) =>
    (
      await teams.createTeamWithOwner({
        slug,
        owner: { email: `o@${slug}.test`, password: 'a long password' },
      })
    ).teamId;
  [ours, theirs] = [await create('ours'), await create('theirs')];
  const run = { at, tags: ['t'], metrics: { 'step-time': 1 }, worldSize: 1, durationS: 3_600 };
  ourRun = await addAnalysedRun(database, ours, { ...run, model: 'ours' });
  theirRun = await addAnalysedRun(database, theirs, { ...run, model: 'theirs' });
  const chores = trendChores(database);
  await chores.record();
  await chores.rollUp();
  await database.close();
  const role = new URL(testDatabase.ownerUrl).username;
  unlocked = new Database({ url: testDatabase.ownerUrl, poolSize: 2 }, { role });
});
afterAll(async () => {
  await unlocked.close();
  await testDatabase.drop();
});

describe('questions over many runs, without row-level security', () => {
  it('really are asked without it', async () => {
    expect(await unlocked.forTeam(ours, ({ series }) => series.count())).toBe(2);
  });

  it.each(['run', 'commit', 'day'])('find no values of another team by %s', async (by) => {
    const trends = new TrendRepository(unlocked);
    for (const given of [{}, { tag: 't' }, { splitBy: 'none' }]) {
      const query = trendQuerySchema.parse({ metric: 'step-time', by, ...given });
      const { lines, lanes, days } = await trends.find(ours, query, undefined);
      expect(lines.flatMap(({ series }) => series.map(({ model }) => model))).toEqual(['ours']);
      expect(lanes?.flatMap(({ runId }) => runId) ?? [ourRun]).toEqual([ourRun]);
      expect(days?.map(({ runs }) => runs) ?? [1]).toEqual([1]);
    }
    const [other] = await new SeriesRepository(unlocked).list(
      theirs,
      { limit: 5, after: undefined },
      undefined,
    );
    const query = trendQuerySchema.parse({ metric: 'step-time', by, seriesId: other.id });
    expect((await trends.find(ours, query, undefined)).lines).toEqual([]);
  });

  it('find no series of another team', async () => {
    const series = new SeriesRepository(unlocked);
    const request = { limit: 5, after: undefined };
    expect((await series.list(ours, request, undefined)).map(({ model }) => model)).toEqual(['ours']);
    const [other] = await series.list(theirs, request, undefined);
    expect(await series.find(ours, other.id, undefined)).toBeNull();
  });

  it('sum no runs of another team', async () => {
    const { rows } = await new FleetRepository(unlocked).sum(ours, fleetQuerySchema.parse({}), undefined);
    const sums = rows.map(({ value, runs, gpuHours }) => [String(value), [runs, gpuHours]] as const);
    expect(Object.fromEntries(sums)).toEqual({ ours: [1, 1], null: [1, 1] });
  });

  it('compare no runs of another team', async () => {
    const service = new CompareService(unlocked, new ExplanationsRepository(unlocked));
    const own = { runIds: [ourRun] };
    await expect(
      service.compare(ours, { before: own, after: { runIds: [theirRun] } }, undefined),
    ).rejects.toMatchObject({
      code: 'run-not-found',
    });
    const filter = { tag: 't', limit: 200 };
    const found = await service.compare(ours, { before: own, after: { filter } }, undefined);
    expect(found.after.runIds).toEqual([ourRun]);
  });
});
