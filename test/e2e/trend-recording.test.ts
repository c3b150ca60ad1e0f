import { randomUUID } from 'node:crypto';
import { RecordTrends } from '../../src/modules/trends';
import { TrendRunsRepository } from '../../src/modules/trends/trend-runs.repository';
import { createTeamsService } from '../../src/modules/teams';
import { Database } from '../../src/platform/database';
import { createTestDatabase, type TestDatabase } from '../harness/database';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 5, 1);
/** Noise of half a percent, the same every time. */
const noisy = (i: number, level: number) => level * (1 + 0.005 * Math.sin(i * 2.399963));

describe('the history of a series', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let chore: RecordTrends;
  let teamId: string;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = new Database({ url: testDatabase.ownerUrl, poolSize: 4 });
    chore = new RecordTrends(database, new TrendRunsRepository(database));
    const owner = { email: 'o@trends.test', password: 'a long password' };
    teamId = (await createTeamsService(database).createTeamWithOwner({ slug: 'trends', owner })).teamId;
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  /** A finished run of the given hour with this step time, as an analysis leaves it. */
  async function addRun(model: string, hour: number, stepNs: number, branch = 'main'): Promise<string> {
    return database.forTeam(teamId, async (scope) => {
      const startedAt = new Date(START_MS + hour * HOUR_MS);
      const run = await scope.run.create({
        data: {
          ...{ teamId, model, cluster: 'c', branch, tags: [], commit: `commit-${hour}`, startedAt },
          ...{ state: 'done' as const, generation: 1, setup: { dtype: 'bf16' } },
        },
      });
      const analysisId = randomUUID();
      await scope.analysis.create({
        data: {
          ...{
            id: analysisId,
            teamId,
            runId: run.id,
            generation: 1,
            analysisVersion: '1',
            bottleneck: 'none',
          },
          ...{ confidence: 'high', summary: 's', report: { roofline: { gpu: { name: 'NVIDIA H200' } } } },
        },
      });
      await scope.run.update({ where: { id: run.id }, data: { latestAnalysisId: analysisId } });
      const values = { 'step-time': stepNs, 'device-idle': stepNs / 10, 'compute-time': stepNs * 0.9 };
      await scope.metricValue.createMany({
        data: Object.entries(values).map(([metricId, value]) => {
          return { teamId, analysisId, metricId, value, unit: 'ns', source: 'measured' };
        }),
      });
      return run.id;
    });
  }

  async function addRuns(model: string, from: number, to: number, levelNs: number): Promise<string[]> {
    const ids: string[] = [];
    for (let hour = from; hour < to; hour++) ids.push(await addRun(model, hour, noisy(hour, levelNs)));
    await chore.pass(new AbortController().signal);
    return ids;
  }

  const regressionsOf = (model: string) =>
    database.forTeam(teamId, ({ regression }) =>
      regression.findMany({
        where: { teamId, series: { model } },
        include: { acts: { orderBy: { id: 'asc' } } },
        orderBy: { firstBadAt: 'asc' },
      }),
    );
  const verdictOf = async (runId: string) => {
    const verdict = await database.forTeam(teamId, ({ runVerdict }) =>
      runVerdict.findFirst({ where: { teamId, runId, metricId: 'step-time' } }),
    );
    return verdict?.verdict;
  };

  it('opens one regression for a slow-down, moves it, and resolves it when it has gone', async () => {
    await addRuns('life', 0, 15, 100e6);
    expect(await regressionsOf('life')).toEqual([]);
    const slow = await addRuns('life', 15, 20, 110e6);
    const [opened, ...others] = await regressionsOf('life');
    expect(others).toEqual([]);
    expect(opened).toMatchObject({
      ...{ state: 'open', metricId: 'step-time', firstBadRunId: slow[0], firstBadCommit: 'commit-15' },
      ...{ lastGoodCommit: 'commit-14', branch: 'main' },
    });
    expect(opened.changeRatio).toBeCloseTo(0.1, 1);
    expect((opened.metrics as { metricId: string }[]).map(({ metricId }) => metricId).sort()).toEqual([
      ...['compute-time', 'device-idle', 'step-time'],
    ]);
    // As long as nobody accepts it, runs are judged by the good level.
    const later = await addRuns('life', 20, 32, 110e6);
    expect(await verdictOf(later[11])).toBe('regressed');
    await addRuns('life', 32, 44, 130e6);
    expect(await regressionsOf('life')).toMatchObject([
      { state: 'open', acts: [{ act: 'opened' }, { act: 'worsened' }] },
    ]);
    const good = await addRuns('life', 44, 50, 100e6);
    expect(await verdictOf(good[3])).toBe('unchanged');
    expect(await regressionsOf('life')).toMatchObject([{ state: 'resolved', resolution: 'recovered' }]);
  });

  it('tells nobody of what was months ago', async () => {
    const events = await database.forTeam(teamId, ({ teamEvent }) =>
      teamEvent.findMany({ where: { teamId, type: { startsWith: 'regression' } }, orderBy: { seq: 'asc' } }),
    );
    expect(events).toEqual([]);
  });

  it('reopens a regression that comes back at once', async () => {
    await addRuns('back', 0, 15, 100e6);
    await addRuns('back', 15, 25, 112e6);
    await addRuns('back', 25, 36, 100e6);
    await addRuns('back', 36, 40, 112e6);
    expect(await regressionsOf('back')).toMatchObject([
      {
        state: 'open',
        timesReopened: 1,
        acts: [{ act: 'opened' }, { act: 'recovered' }, { act: 'reopened' }],
      },
    ]);
  });

  it('takes an improvement for the new normal', async () => {
    await addRuns('better', 0, 15, 100e6);
    await addRuns('better', 15, 30, 80e6);
    expect(await regressionsOf('better')).toEqual([]);
    await addRuns('better', 30, 34, 100e6);
    expect(await regressionsOf('better')).toMatchObject([{ state: 'open', firstBadCommit: 'commit-30' }]);
  });

  it('ignores spikes', async () => {
    await addRuns('spiky', 0, 15, 100e6);
    await addRuns('spiky', 15, 16, 300e6);
    const after = await addRuns('spiky', 16, 30, 100e6);
    expect(await regressionsOf('spiky')).toEqual([]);
    expect(await verdictOf(after[0])).toBe('unchanged');
  });

  it('comes to the same regression whatever order the runs are uploaded in', async () => {
    for (let hour = 30; hour >= 0; hour--) {
      await addRun('mixed', (hour * 17) % 31, noisy(hour, (hour * 17) % 31 >= 18 ? 115e6 : 100e6));
      if (hour % 3 === 0) await chore.pass(new AbortController().signal);
    }
    await chore.pass(new AbortController().signal);
    expect(await regressionsOf('mixed')).toMatchObject([{ state: 'open', firstBadCommit: 'commit-18' }]);
  });

  it('judges a young branch by the main branch', async () => {
    await addRuns('branchy', 0, 20, 100e6);
    const slow = await addRun('branchy', 20, 120e6, 'feature');
    const fine = await addRun('branchy', 21, 100.2e6, 'feature');
    await chore.pass(new AbortController().signal);
    expect([await verdictOf(slow), await verdictOf(fine)]).toEqual(['regressed', 'unchanged']);
  });

  it('replaces the points of a run that is analysed again', async () => {
    const runId = await addRun('again', 0, 100e6);
    await chore.pass(new AbortController().signal);
    await database.forTeam(teamId, ({ run }) =>
      run.update({ where: { id: runId }, data: { generation: 2 } }),
    );
    await chore.pass(new AbortController().signal);
    const points = await database.forTeam(teamId, ({ point }) => point.count({ where: { teamId, runId } }));
    expect(points).toBe(3);
  });

  it('keeps the points in partitions of their months', async () => {
    const partitions = await database.forTeam(
      teamId,
      ({ $queryRaw }) =>
        $queryRaw<{ name: string }[]>`SELECT DISTINCT tableoid::regclass::text AS name FROM points`,
    );
    expect(partitions).toEqual([{ name: 'points_2026_06' }]);
  });
});
