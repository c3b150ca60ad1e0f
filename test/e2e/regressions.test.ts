import { randomUUID } from 'node:crypto';
import { ResolveUnfounded } from '../../src/modules/trends';
import { UnfoundedRepository } from '../../src/modules/trends/regressions/unfounded.repository';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { RegressionLane, type ShownRegression, showRegression } from '../harness/regression-lane';
import { addPerson, type Credential, signInOwner, type TeamPerson } from '../harness/team-people';

interface ShownRun {
  seriesId: string;
  regressions: object[];
  trend: object[];
}

let api: InProcessApi;
let team: TestTeam;
let owner: TeamPerson;
let reader: Credential;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
});
beforeEach(async () => {
  team = await api.createTeam();
  owner = await signInOwner(api, team);
  reader = await api.tokenHeader(team.teamId, ['runs:read']);
});
afterAll(() => api.stop());

const slowLane = async (model: string, place: object = {}) => {
  const lane = new RegressionLane(api, team.teamId, { model, ...place });
  const good = await lane.add(12, 100e6);
  const bad = await lane.add(3, 110e6);
  const [regression] = await lane.regressions(owner.headers);
  return { lane, good, bad, regression };
};
const list = async (query: object = {}, headers: Credential = reader) => {
  const { body } = await api.http().get('/v1/regressions').query(query).set(headers).expect(200);
  return body as { items: ShownRegression[]; nextCursor: string | null };
};
const idsOf = ({ items }: { items: ShownRegression[] }) => items.map(({ id }) => id);
const showRun = async (id: string) =>
  (await api.http().get(`/v1/runs/${id}`).set(reader).expect(200)).body as ShownRun;
const deleteRun = (id: string) => api.http().delete(`/v1/runs/${id}`).set(owner.headers).expect(204);

describe('a run', () => {
  it('leads to the regressions that it is part of, and says how many runs a verdict lacks', async () => {
    const { lane, good, bad, regression } = await slowLane('told');
    const { id, metricId } = regression;
    const told = { id, metricId, state: 'open', resolution: null, self: `/v1/regressions/${id}` };
    const [before, first, last] = await Promise.all([good[11], bad[0], bad[2]].map(showRun));
    expect(before.regressions).toEqual([]);
    expect(first.regressions).toEqual([{ ...told, isFirstBadRun: true }]);
    expect(last.regressions).toEqual([{ ...told, isFirstBadRun: false }]);
    expect(first.trend[0]).toMatchObject({ verdict: 'regressed', missingCommits: null });
    expect((await showRun(good[5])).trend[0]).toMatchObject({ reason: 'too-few-runs', missingCommits: 3 });
    const [again] = await lane.add(3, 100e6);
    expect((await showRun(again)).regressions).toEqual([]);
    expect((await showRun(bad[2])).regressions).toMatchObject([{ id, resolution: 'recovered' }]);
    const ofSeries = { state: 'any', seriesId: first.seriesId };
    expect(idsOf(await list(ofSeries))).toEqual([id]);
    expect(idsOf(await list({ ...ofSeries, seriesId: randomUUID() }))).toEqual([]);
  });
});

describe('GET /v1/regressions', () => {
  it('gives those that are not resolved, the newest first, by page, and others when asked', async () => {
    const ids: string[] = [];
    for (const [model, cluster, branch] of [
      ['a', 'x', 'main'],
      ['a', 'y', 'topic'],
      ['b', 'x', 'main'],
    ])
      ids.unshift((await slowLane(model, { cluster, branch })).regression.id);
    expect(idsOf(await list())).toEqual(ids);
    const first = await list({ limit: 2 });
    const rest = await list({ limit: 2, cursor: first.nextCursor });
    expect([...idsOf(first), ...idsOf(rest), rest.nextCursor]).toEqual([...ids, null]);
    const other = await api
      .http()
      .get('/v1/regressions')
      .query({ cursor: first.nextCursor, model: 'a' })
      .set(reader);
    expectProblem(other, 'cursor-invalid');

    const resolve = { resolution: 'fixed', reason: 'r' };
    await api.http().post(`/v1/regressions/${ids[2]}/resolve`).set(owner.headers).send(resolve).expect(200);
    await api
      .http()
      .post(`/v1/regressions/${ids[0]}/assign`)
      .set(owner.headers)
      .send({ userId: owner.userId })
      .expect(200);
    expect(idsOf(await list())).toEqual(ids.slice(0, 2));
    expect(idsOf(await list({ state: 'resolved' }))).toEqual([ids[2]]);
    expect(idsOf(await list({ state: 'any', model: 'a' }))).toEqual(ids.slice(1));
    expect(idsOf(await list({ state: 'any', model: 'a', cluster: 'x' }))).toEqual([ids[2]]);
    expect(idsOf(await list({ branch: 'topic' }))).toEqual([ids[1]]);
    expect(idsOf(await list({ metric: 'device-idle' }))).toEqual(ids.slice(0, 2));
    expect(idsOf(await list({ metric: 'mfu' }))).toEqual([]);
    expect(idsOf(await list({ assignedTo: owner.userId }))).toEqual([ids[0]]);
    expect(idsOf(await list({ assignedTo: 'nobody' }))).toEqual([ids[1]]);
    expect(idsOf(await list({ firstBadFrom: new Date().toISOString() }))).toEqual([]);
    expect(idsOf(await list({ firstBadTo: new Date().toISOString() }))).toEqual(ids.slice(0, 2));
    expectProblem(await api.http().get('/v1/regressions?metric=none').set(reader), 'validation-failed');
  });

  it('shows a team and a limited token their own, and nobody else’s can be touched', async () => {
    const { regression } = await slowLane('inside', { cluster: 'here' });
    const { regression: outside } = await slowLane('outside', { cluster: 'here' });
    const limits = { models: ['inside'], clusters: ['here'] };
    const scopes = ['runs:read', 'runs:write'] as const;
    const { token } = await api.teams.createApiToken(team.teamId, { name: 'l', scopes: [...scopes], limits });
    const limited = { Authorization: `Bearer ${token}` };
    const stranger = await api.tokenHeader((await api.createTeam()).teamId, [...scopes]);
    expect(idsOf(await list({}, limited))).toEqual([regression.id]);
    expect(idsOf(await list({}, stranger))).toEqual([]);
    expect((await showRegression(api, limited, regression.id)).id).toBe(regression.id);
    const acts = ['acknowledge', 'reopen'].map((name) => ['post', `/${name}`] as const);
    for (const [method, path] of [['get', ''] as const, ...acts]) {
      for (const [headers, id] of [
        [limited, outside.id],
        [stranger, regression.id],
        [owner.headers, randomUUID()],
      ] as const) {
        const client = api.http();
        const request = client[method](`/v1/regressions/${id}${path}`).set(headers);
        const answer = await request.send({ reason: 'r' });
        expectProblem(answer, 'regression-not-found');
      }
    }
    const body = { reason: 'r' };
    await api.http().post(`/v1/regressions/${regression.id}/acknowledge`).set(limited).send(body).expect(200);
    const viewer = await addPerson(api, team, 'viewer');
    const refused = api.http().post(`/v1/regressions/${outside.id}/acknowledge`).set(viewer.headers);
    expectProblem(await refused.send(body), 'scope-missing');
    const member = await addPerson(api, team, 'member');
    const allowed = api.http().post(`/v1/regressions/${outside.id}/acknowledge`).set(member.headers);
    await allowed.send(body).expect(200);
  });

  it('refuses what a body may not have', async () => {
    const { regression } = await slowLane('bodies');
    const post = (name: string, body: object) =>
      api.http().post(`/v1/regressions/${regression.id}/${name}`).set(owner.headers).send(body);
    for (const [name, body] of [
      ['acknowledge', {}],
      ['acknowledge', { reason: ' ' }],
      ['acknowledge', { reason: 'a\u0000b' }],
      ['mute', { until: '2020-01-01T00:00:00Z', reason: 'r' }],
      ['mute', { reason: 'r' }],
      ['resolve', { resolution: 'recovered', reason: 'r' }],
      ['assign', { userId: 'x' }],
      ['assign', {}],
    ] as const) {
      expectProblem(await post(name, body), 'validation-failed');
    }
  });
});

describe('when runs are deleted', () => {
  it('a regression keeps its commits and links to what is there', async () => {
    const { good, bad, regression } = await slowLane('links');
    expect(regression).toMatchObject({ firstBad: { runId: bad[0] }, lastGood: { runId: good[11] } });
    await deleteRun(bad[0]);
    await deleteRun(good[11]);
    const left = await showRegression(api, reader, regression.id);
    expect(left).toMatchObject({
      ...{ firstBad: { runId: null, commit: 'commit-12' }, lastGood: { runId: null, commit: 'commit-11' } },
      links: { firstBadRun: null, lastGoodRun: null },
      ...{ commitRange: { after: 'commit-11', upTo: 'commit-12' }, acts: [{ act: 'opened', runId: null }] },
    });
  });

  it('one without bad runs ends, and what comes later is looked at anew', async () => {
    const { lane, bad, regression } = await slowLane('unfounded');
    const chore = new ResolveUnfounded(new UnfoundedRepository(api.database));
    const pass = () => chore.pass(new AbortController().signal);
    expect(await pass()).toBe(0);
    for (const id of bad) await deleteRun(id);
    expect(await pass()).toBe(1);
    expect(await showRegression(api, reader, regression.id)).toMatchObject({
      ...{ state: 'resolved', resolution: 'no-runs-left' },
    });
    await lane.add(3, 110e6);
    const states = (await lane.regressions(reader)).map(({ state }) => state);
    expect(states).toEqual(['open', 'resolved']);
  });

  it('all of a series: its regressions are history', async () => {
    const { good, bad, regression } = await slowLane('emptied');
    for (const id of [...good, ...bad]) await deleteRun(id);
    expect((await showRegression(api, reader, regression.id)).firstBad.runId).toBeNull();
    expect(idsOf(await list({ model: 'emptied' }))).toEqual([regression.id]);
  });
});
