import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';
import { noisy, RegressionLane } from '../harness/regression-lane';
import { type Credential } from '../harness/team-people';
import { addAnalysedRun, trendChores } from '../harness/trend-runs';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const STEP_NS = 100e6;

let api: InProcessApi;
let teamId: string;
let headers: Credential;

beforeAll(async () => {
  api = await startInProcessApi();
  ({ teamId } = await api.createTeam());
  headers = await api.tokenHeader(teamId, ['admin', 'runs:read', 'runs:write']);
});
afterAll(() => api.stop());

const get = async (path: string, query: object = {}) =>
  (await api.http().get(path).query(query).set(headers).expect(200)).body as Record<string, unknown>;

describe('a series that is not as one would wish', () => {
  it('may have metrics whose level was nothing, and tells of them when they are asked for', async () => {
    const metrics = { 'exposed-memcpy': { alerts: true } };
    await api.http().put('/v1/team/trend-settings').set(headers).send({ metrics }).expect(200);
    const lane = new RegressionLane(api, teamId, { model: 'zero' });
    await lane.add(12, STEP_NS, { 'exposed-memcpy': 0 });
    await lane.add(4, STEP_NS, { 'exposed-memcpy': 5e6 });
    const [regression] = await lane.regressions(headers);
    expect(regression).toMatchObject({
      metricId: 'exposed-memcpy',
      before: 0,
      after: 5e6,
      changeRatio: null,
    });
    const trend = await get('/v1/trends', { metric: 'exposed-memcpy', model: 'zero' });
    expect(trend.regressions).toHaveLength(1);
  });

  it('takes runs of one instant for one point: which came first, nobody knows', async () => {
    const record = async (day: number, count: number, stepNs: number) => {
      const at = new Date(Date.now() - 40 * DAY_MS + day * DAY_MS);
      for (let i = 0; i < count; i++) {
        const n = day * count + i;
        const run = { model: 'dates', at, commit: `commit-${n}`, metrics: { 'step-time': noisy(n, stepNs) } };
        await addAnalysedRun(api.database, teamId, run);
        await trendChores(api.database).record();
      }
    };
    await record(0, 14, STEP_NS);
    await record(0, 10, 1.15 * STEP_NS);
    const listed = async () =>
      (await get('/v1/regressions', { model: 'dates', state: 'any' })).items as { id: string }[];
    expect(await listed()).toEqual([]);
    for (let day = 1; day < 16; day++) await record(day, 3, day < 12 ? STEP_NS : 1.15 * STEP_NS);
    const [regression, ...others] = await listed();
    expect(others).toEqual([]);
    const { acts, state, firstBad } = await get(`/v1/regressions/${regression.id}`);
    expect({ state, firstBad }).toMatchObject({ state: 'open', firstBad: { commit: 'commit-36' } });
    expect(acts).toMatchObject([{ act: 'opened' }]);
  });

  it('judges runs by the good level however long a regression lasts', async () => {
    const at = (i: number) => new Date(Date.now() - DAY_MS + i * MINUTE_MS);
    let runId = '';
    for (let i = 0; i < 175; i++) {
      const metrics = { 'step-time': noisy(i, i < 14 ? STEP_NS : 1.15 * STEP_NS) };
      const run = { model: 'lasting', at: at(i), commit: `commit-${i}`, metrics };
      runId = await addAnalysedRun(api.database, teamId, run);
    }
    await trendChores(api.database).record();
    const { trend } = await get(`/v1/runs/${runId}`);
    expect(trend).toMatchObject([{ verdict: 'regressed', baseline: { commits: 14 } }]);
  });

  it('may have runs of which nobody says when they ran: then it is when they were created, to the microsecond', async () => {
    let runId = '';
    for (let i = 0; i < 10; i++) {
      const run = {
        model: 'timeless',
        at: new Date(),
        commit: `commit-${i}`,
        metrics: { 'step-time': STEP_NS },
      };
      runId = await addAnalysedRun(api.database, teamId, run);
      await api.database.forTeam(
        teamId,
        ({ $executeRaw }) =>
          $executeRaw`UPDATE runs SET started_at = NULL, created_at = clock_timestamp() WHERE id = ${runId}::uuid`,
      );
    }
    await trendChores(api.database).record();
    const { trend } = await get(`/v1/runs/${runId}`);
    expect(trend).toMatchObject([{ verdict: 'unchanged', baseline: { commits: 9 } }]);
  });

  it('may have facts that are called as what every object has', async () => {
    const add = (commit: string) =>
      addAnalysedRun(api.database, teamId, { at: new Date(), commit, metrics: { 'step-time': STEP_NS } });
    const [before, after] = [await add('a'), await add('b')];
    const metadata = { constructor: 'x', toString: { valueOf: 'y' } };
    await api.database.forTeam(teamId, ({ run }) => run.update({ where: { id: after }, data: { metadata } }));
    const groups = { before: { runIds: [before] }, after: { runIds: [after] } };
    await api.database.forTeam(teamId, ({ analysis }) =>
      analysis.updateMany({ where: { teamId, runId: { in: [before, after] } }, data: { report: REPORT } }),
    );
    const { body } = await api.http().post('/v1/compare').send(groups).set(headers).expect(200);
    expect((body as { configuration: object[] }).configuration).toMatchObject([
      { name: 'constructor', before: null, after: 'x' },
      { name: 'toString.valueOf', before: null, after: 'y' },
    ]);
  });
});

/** A report without steps, as far as a comparison reads it. */
const REPORT = { ranks: [], calibratedStep: null };
