import { Client } from 'pg';
import { RecordTrends } from '../../src/modules/trends';
import { lockRunToTrend, TrendRunsRepository } from '../../src/modules/trends/trend-runs.repository';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';
import { RegressionLane } from '../harness/regression-lane';
import { addAnalysedRun } from '../harness/trend-runs';

const STEP_NS = 100e6;

let api: InProcessApi;
let sql: Client;
let runs: TrendRunsRepository;

beforeAll(async () => {
  api = await startInProcessApi();
  runs = new TrendRunsRepository(api.database);
  sql = new Client({ connectionString: api.environment.ownerUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await api.stop();
});

const addRun = (teamId: string, branch: string) =>
  addAnalysedRun(api.database, teamId, { branch, at: new Date(), metrics: { 'step-time': STEP_NS } });
const pointsOf = (teamId: string, branch: string) =>
  api.database.forTeam(teamId, ({ point }) => point.count({ where: { teamId, branch } }));

describe('the recording of runs', () => {
  it('gives every team its turn, whoever came first', async () => {
    const [{ teamId: busy }, { teamId: other }] = [await api.createTeam(), await api.createTeam()];
    const backlog: string[] = [];
    for (let i = 0; i < 12; i++) backlog.push(await addRun(busy, 'main'));
    const [first, second] = [await addRun(other, 'main'), await addRun(other, 'main')];
    const found = (await runs.findUntrended(5)).map(({ id }) => id);
    expect(new Set(found)).toEqual(new Set([...backlog.slice(0, 3), first, second]));
    expect(found.indexOf(first)).toBeLessThan(2);
    const all = await runs.findUntrended(100);
    expect(all.map(({ id }) => id).sort()).toEqual([...backlog, first, second].sort());
    expect(all.find(({ id }) => id === first)).toMatchObject({ teamId: other });
    await new RecordTrends(api.database, runs).pass(new AbortController().signal);
    expect(await runs.findUntrended(5)).toEqual([]);
  });

  it('tries again what failed for a reason that passes, and gives up what Postgres will never take', async () => {
    await sql.query(`
      CREATE SEQUENCE tries; GRANT USAGE ON SEQUENCE tries TO stallscope_app;
      CREATE FUNCTION fail_some() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.branch = 'slow' AND nextval('tries') <= 2 THEN RAISE EXCEPTION 'too slow' USING ERRCODE = '57014'; END IF;
        IF NEW.branch = 'refused' THEN RAISE EXCEPTION 'out of range' USING ERRCODE = '22003'; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER fail_some BEFORE INSERT ON points FOR EACH ROW EXECUTE FUNCTION fail_some()`);
    const { teamId } = await api.createTeam();
    for (const branch of ['slow', 'refused', 'fine']) await addRun(teamId, branch);
    const chore = new RecordTrends(api.database, runs);
    const pass = async () => {
      await chore.pass(new AbortController().signal);
      return [
        await pointsOf(teamId, 'slow'),
        await pointsOf(teamId, 'refused'),
        await pointsOf(teamId, 'fine'),
      ];
    };
    expect(await pass()).toEqual([0, 0, 1]);
    expect(await runs.findUntrended(5)).toHaveLength(1);
    await pass();
    expect(await pass()).toEqual([1, 0, 1]);
    expect(await runs.findUntrended(5)).toEqual([]);
    await sql.query('DROP TRIGGER fail_some ON points');
  });

  it('of a run again does not stand in the way of who acts on its regression', async () => {
    const { teamId } = await api.createTeam();
    const headers = await api.tokenHeader(teamId, ['runs:read', 'runs:write']);
    const lane = new RegressionLane(api, teamId, { model: 'lane' });
    await lane.add(12, STEP_NS);
    await lane.add(4, 1.1 * STEP_NS);
    const [{ id, firstBad }] = await lane.regressions(headers);
    const runId = String(firstBad.runId);
    await api.database.forTeam(teamId, async (scope) => {
      await scope.run.update({ where: { id: runId }, data: { trendedGeneration: 0 } });
    });
    await api.database.forTeam(teamId, async (scope) => {
      expect(await lockRunToTrend(scope, runId)).toMatchObject({ id: runId });
      // Tells webhooks of the run. If it waited for us, who would wait for the series next, nobody would get on.
      const body = { resolution: 'accepted', reason: 'known' };
      await api.http().post(`/v1/regressions/${id}/resolve`).set(headers).send(body).expect(200);
    });
  });
});
