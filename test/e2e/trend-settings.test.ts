import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { RegressionLane } from '../harness/regression-lane';
import { type Credential } from '../harness/team-people';

let api: InProcessApi;
let team: TestTeam;
let admin: Credential;

beforeAll(async () => {
  api = await startInProcessApi();
});
beforeEach(async () => {
  team = await api.createTeam();
  admin = await api.tokenHeader(team.teamId, ['admin', 'runs:read']);
});
afterAll(() => api.stop());

interface Answer {
  settings: object;
  inForce: { metricId: string; alerts: boolean; minChangeRatio: number; minScore: number }[];
}

const path = '/v1/team/trend-settings';
const put = (body: object, headers = admin) => api.http().put(path).set(headers).send(body);
const regressionsAfter = async (model: string, ratio: number) => {
  const lane = new RegressionLane(api, team.teamId, { model });
  await lane.add(20, 100e6);
  await lane.add(8, 100e6 * (1 + ratio));
  return lane.regressions(admin);
};

describe('the settings of trends', () => {
  it('are those of the installation until a team says otherwise, and what is put replaces all', async () => {
    const initial = (await api.http().get(path).set(admin).expect(200)).body as Answer;
    expect(initial.settings).toEqual({ metrics: {} });
    expect(initial.inForce.filter(({ alerts }) => alerts)).toEqual(
      ['unprofiled-step-time', 'step-time', 'mfu'].map((metricId) => ({
        ...{ metricId, alerts: true, minChangeRatio: 0.02, minScore: expect.any(Number) },
      })),
    );
    const settings = {
      sensitivity: 'low',
      metrics: { mfu: { alerts: false }, 'step-time': { minChangeRatio: 0.1, minScore: 7 } },
    };
    const changed = (await put(settings).expect(200)).body as Answer;
    expect(changed.settings).toEqual(settings);
    expect((await api.http().get(path).set(admin)).body).toEqual(changed);
    const ofMetric = (id: string) => changed.inForce.find(({ metricId }) => metricId === id);
    expect(ofMetric('step-time')).toMatchObject({ minChangeRatio: 0.1, minScore: 7, alerts: true });
    expect(ofMetric('mfu')).toMatchObject({ minChangeRatio: 0.05, alerts: false });
    expect((await put({}).expect(200)).body).toEqual(initial);
    const entries = await auditEntries(api.database, team.teamId, 'trend-settings.changed');
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries[0].details)).toContain('step-time');
  });

  it('say what is a regression', async () => {
    expect(await regressionsAfter('normal', 0.04)).toHaveLength(1);
    await put({ sensitivity: 'low' }).expect(200);
    expect(await regressionsAfter('low', 0.04)).toEqual([]);
    await put({ metrics: { 'step-time': { alerts: false } } }).expect(200);
    expect(await regressionsAfter('silent', 0.3)).toEqual([]);
    await put({ metrics: { 'step-time': { alerts: false }, 'device-idle': { alerts: true } } }).expect(200);
    expect(await regressionsAfter('other', 0.3)).toMatchObject([{ metricId: 'device-idle' }]);
  });

  it.each([
    [{ sensitivity: 'very' }],
    [{ sensitivity: 'low', minScore: 5 }],
    [{ minChangeRatio: 0 }],
    [{ minScore: 1 }],
    [{ metrics: { unknown: {} } }],
    [{ metrics: { mfu: { sensitivity: 'low', minChangeRatio: 0.1 } } }],
    [{ alerts: false }],
  ])('refuse %j', async (body) => {
    expectProblem(await put(body), 'validation-failed');
  });

  it('are for administrators to change, and for everybody who reads runs to see', async () => {
    const reader = await api.tokenHeader(team.teamId, ['runs:read']);
    expectProblem(await put({}, reader), 'scope-missing');
    await put({ sensitivity: 'high' }).expect(200);
    expect((await api.http().get(path).set(reader).expect(200)).body.settings.sensitivity).toBe('high');
    const stranger = await api.tokenHeader((await api.createTeam()).teamId, ['runs:read']);
    expect((await api.http().get(path).set(stranger).expect(200)).body.settings).toEqual({ metrics: {} });
  });
});
