import fc from 'fast-check';
import { KeepPointStorage } from '../../src/modules/trends';
import { RollUpsRepository } from '../../src/modules/trends/roll-ups/roll-ups.repository';
import { RunDeletionRepository } from '../../src/modules/retention/run-deletion.repository';
import { createTeamsService } from '../../src/modules/teams';
import { operator } from '../../src/platform/audit';
import { Database } from '../../src/platform/database';
import { createTestDatabase, type TestDatabase } from '../harness/database';
import { addAnalysedRun, reanalyse, trendChores } from '../harness/trend-runs';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 5, 1);

interface Day {
  metric: string;
  branch: string;
  day: string;
  runs: number;
  min: number;
  p50: number;
  p95: number;
  max: number;
  values: number[];
}

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
  const owner = { email: 'o@days.test', password: 'a long password' };
  teamId = (await createTeamsService(database).createTeamWithOwner({ slug: 'days', owner })).teamId;
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const add = (model: string, hour: number, value: number, branch = 'main') =>
  addAnalysedRun(database, teamId, {
    ...{ model, branch, at: new Date(START_MS + hour * HOUR_MS) },
    metrics: { 'step-time': value, mfu: value / 2 },
  });

/** The daily values that are stored of a model. */
const storedDays = (model: string) =>
  database.forTeam(
    teamId,
    ({ $queryRaw }) => $queryRaw<Day[]>`
      SELECT m.metric_id AS metric, d.branch, d.day::text AS day, d.runs, d.min, d.p50, d.p95, d.max, d.values
      FROM point_days d JOIN series_metrics m ON m.id = d.series_metric_id JOIN series s ON s.id = m.series_id
      WHERE s.team_id = ${teamId}::uuid AND s.model = ${model} ORDER BY 1, 2, 3`,
  );

/** What they must be, from the points themselves. */
const daysOfPoints = (model: string) =>
  database.forTeam(
    teamId,
    ({ $queryRaw }) => $queryRaw<Day[]>`
      SELECT m.metric_id AS metric, p.branch, (p.at AT TIME ZONE 'UTC')::date::text AS day, count(*)::integer AS runs,
        min(p.value) AS min, percentile_cont(0.5) WITHIN GROUP (ORDER BY p.value) AS p50,
        percentile_cont(0.95) WITHIN GROUP (ORDER BY p.value) AS p95, max(p.value) AS max, array_agg(p.value ORDER BY p.value) AS values
      FROM points p JOIN series_metrics m ON m.id = p.series_metric_id JOIN series s ON s.id = m.series_id
      WHERE s.team_id = ${teamId}::uuid AND s.model = ${model} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  );

const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      hour: fc.integer({ min: 0, max: 80 }),
      value: fc.integer({ min: 1, max: 99 }),
      isTopic: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reanalyse' as const),
      pick: fc.nat(),
      value: fc.integer({ min: 1, max: 99 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('record' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rollUp' as const) }) },
);

describe('daily values', () => {
  let models = 0;

  it('are the percentiles of the points, after any order of adding, analysing again, deleting and passes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
        const model = `property-${models++}`;
        const runs: string[] = [];
        for (const one of acts) {
          if (one.kind === 'add')
            runs.push(await add(model, one.hour, one.value, one.isTopic ? 'topic' : 'main'));
          if (one.kind === 'record') await chores.record();
          if (one.kind === 'rollUp') await chores.rollUp();
          if (!('pick' in one) || runs.length === 0) continue;
          const index = one.pick % runs.length;
          if (one.kind === 'reanalyse')
            await reanalyse(database, teamId, runs[index], { 'step-time': one.value });
          else await deletion.deleteForPerson(teamId, runs.splice(index, 1)[0], operator);
        }
        await chores.record();
        await chores.rollUp();
        const days = await storedDays(model);
        expect(days).toEqual(await daysOfPoints(model));
        const counted = days
          .filter(({ metric }) => metric === 'step-time')
          .reduce((sum, day) => sum + day.runs, 0);
        expect(counted).toBe(runs.length);
      }),
      { numRuns: 12, seed: 5 },
    );
  }, 180_000);

  it('keep a bounded number of values of a day with many runs, each for as many runs', async () => {
    const runId = await add('many', 1, 0);
    await chores.record();
    await database.forTeam(teamId, async ({ $executeRaw }) => {
      // Points of one run cannot be many; their times are.
      await $executeRaw`
        INSERT INTO points (series_metric_id, at, run_id, team_id, branch, value)
        SELECT p.series_metric_id, p.at + i * interval '1 second', p.run_id, p.team_id, p.branch, i
        FROM points p JOIN series_metrics m ON m.id = p.series_metric_id CROSS JOIN generate_series(1, 1999) i
        WHERE p.run_id = ${runId}::uuid AND m.metric_id = 'step-time'`;
    });
    await chores.rollUp();
    const [, day] = await storedDays('many');
    expect(day).toMatchObject({ metric: 'step-time', runs: 2000, min: 0, p50: 999.5, max: 1999 });
    expect(day.values).toHaveLength(500);
    expect(day.values[250]).toBeCloseTo(1000, -1);
  });

  it('outlive runs that expire, and are changed no more then', async () => {
    const runs = [await add('old', 0, 10), await add('old', 1, 20), await add('old', 2, 60)];
    await chores.record();
    // Also where no pass has been since.
    expect(await deletion.deleteExpired(teamId, runs[0])).toBe(true);
    expect(await deletion.deleteExpired(teamId, runs[1])).toBe(true);
    await add('old', 3, 500);
    await chores.record();
    await chores.rollUp();
    const [, kept] = await storedDays('old');
    expect(kept).toMatchObject({ metric: 'step-time', runs: 3, min: 10, p50: 20, max: 60 });
  });

  it('go when they are old, but not before their runs', async () => {
    const runId = await addAnalysedRun(database, teamId, {
      ...{ model: 'ancient', at: new Date(Date.now() - 800 * 24 * HOUR_MS), metrics: { mfu: 1 } },
    });
    await chores.record();
    await chores.rollUp();
    const storage = new KeepPointStorage(new RollUpsRepository(database));
    const keep = async () => (await storage.pass(new AbortController().signal)).days;
    expect([await keep(), (await storedDays('ancient')).length]).toEqual([0, 1]);
    await deletion.deleteExpired(teamId, runId);
    expect([await keep(), (await storedDays('ancient')).length]).toEqual([1, 0]);
  });

  it('are made once of a day, however often it was touched', async () => {
    for (let i = 0; i < 3; i++) await add('often', 0, i);
    await chores.record();
    const touched = () => database.forTeam(teamId, ({ touchedDay }) => touchedDay.findMany());
    const [first, ...others] = await touched();
    expect(others).not.toEqual([]);
    await new RollUpsRepository(database).rollUp(teamId, [String(first.id)]);
    expect(await touched()).toEqual([]);
    expect(await storedDays('often')).toMatchObject([{ metric: 'mfu' }, { runs: 3, min: 0, max: 2 }]);
  });
});

describe('partitions of points', () => {
  const partitions = async () => {
    const rows = await database.forTeam(
      teamId,
      ({ $queryRaw }) =>
        $queryRaw<
          { name: string }[]
        >`SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'points'::regclass`,
    );
    return rows.map(({ name }) => name);
  };
  const nameOf = (at: Date) => `points_${at.toISOString().slice(0, 7).replace('-', '_')}`;

  it('are made before their month, and dropped when it is over and nothing is in them', async () => {
    const now = new Date();
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    const past = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 5, 3));
    const runId = await addAnalysedRun(database, teamId, { model: 'month', at: past, metrics: { mfu: 1 } });
    await chores.record();
    const storage = new KeepPointStorage(new RollUpsRepository(database));
    await storage.pass(new AbortController().signal);
    expect(await partitions()).toEqual(expect.arrayContaining([nameOf(now), nameOf(next), nameOf(past)]));
    await database.forTeam(teamId, ({ run }) =>
      run.deleteMany({ where: { teamId, startedAt: { gte: past, lt: new Date(past.getTime() + 1) } } }),
    );
    const others = await database.forTeam(teamId, ({ point }) => point.count({ where: { teamId, runId } }));
    expect(others).toBe(0);
    await storage.pass(new AbortController().signal);
    const left = await partitions();
    const rest = await database.forTeam(
      teamId,
      ({ $queryRaw }) =>
        $queryRaw<{ name: string }[]>`SELECT DISTINCT tableoid::regclass::text AS name FROM points`,
    );
    // What has rows stays, whatever its month; so do this one and the next.
    expect(left).toEqual(
      expect.arrayContaining([...rest.map(({ name }) => name), nameOf(now), nameOf(next), 'points_default']),
    );
    expect(left.includes(nameOf(past))).toBe(rest.some(({ name }) => name === nameOf(past)));
    // And a run that comes late makes its month again.
    await addAnalysedRun(database, teamId, { model: 'month', at: past, metrics: { mfu: 1 } });
    await chores.record();
    expect(await partitions()).toContain(nameOf(past));
  });
});
