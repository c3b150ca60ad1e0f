import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { actsOf, newsOf, RegressionLane, showRegression } from '../harness/regression-lane';
import { addMember, signInOwner, type TeamPerson } from '../harness/team-people';
import { auditEntries } from '../harness/audit-log';

let api: InProcessApi;
let team: TestTeam;
let owner: TeamPerson;
let lane: RegressionLane;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
});
beforeEach(async () => {
  team = await api.createTeam();
  owner = await signInOwner(api, team);
  lane = new RegressionLane(api, team.teamId, { model: 'life' });
});
afterAll(() => api.stop());

const act = (id: string, name: string, body: object = { reason: 'because' }) =>
  api.http().post(`/v1/regressions/${id}/${name}`).set(owner.headers).send(body);
const only = async () => {
  const [regression, ...others] = await lane.regressions(owner.headers);
  expect(others).toEqual([]);
  return regression;
};
const slowDown = async (badRuns = 3) => {
  await lane.add(12, 100e6);
  await lane.add(badRuns, 110e6);
  return only();
};

describe('a regression', () => {
  it('is over when two runs are good again, also when it lasted for three', async () => {
    const opened = await slowDown();
    expect(opened).toMatchObject({
      ...{ state: 'open', metricId: 'step-time', resolution: null, timesReopened: 0 },
      firstBad: { commit: 'commit-12', runId: expect.any(String) },
      lastGood: { commit: 'commit-11', runId: expect.any(String) },
    });
    await lane.add(1, 100e6);
    expect((await only()).state).toBe('open');
    await lane.add(1, 100e6);
    const over = await only();
    expect(over).toMatchObject({ id: opened.id, state: 'resolved', resolution: 'recovered' });
    expect(actsOf(over)).toEqual(['opened', 'recovered']);
    expect(await newsOf(api, team.teamId)).toEqual(['opened', 'resolved']);
  });

  it('gets worse and better soon after it was found, and is one all the time', async () => {
    await slowDown();
    await lane.add(3, 130e6);
    const worse = await only();
    expect(actsOf(worse)).toEqual(['opened', 'worsened']);
    expect(worse.before).toBeCloseTo(100e6, -6);
    expect(worse.after).toBeCloseTo(130e6, -6);
    const idle = worse.metrics.find(({ metricId }) => metricId === 'device-idle');
    expect([idle!.before / 1e6, idle!.after / 1e6].map(Math.round)).toEqual([10, 13]);
    await lane.add(4, 115e6);
    const better = await only();
    expect(actsOf(better)).toEqual(['opened', 'worsened', 'improved']);
    expect(better).toMatchObject({ state: 'open', changeRatio: expect.closeTo(0.15, 1) });
    expect(await newsOf(api, team.teamId)).toEqual(['opened']);
  });

  it('comes back soon after it went as the same one', async () => {
    const { id } = await slowDown();
    await lane.add(3, 100e6);
    await lane.add(3, 110e6);
    const back = await only();
    expect(back).toMatchObject({ id, state: 'open', timesReopened: 1 });
    expect(actsOf(back)).toEqual(['opened', 'recovered', 'reopened']);
    expect(await newsOf(api, team.teamId)).toEqual(['opened', 'resolved', 'reopened']);
  });

  it('that comes back much later is another one', async () => {
    await slowDown();
    await lane.add(40, 100e6);
    await lane.add(3, 110e6);
    expect((await lane.regressions(owner.headers)).map(({ state }) => state)).toEqual(['open', 'resolved']);
  });

  it('is told by one metric, and goes on with another one that stays bad', async () => {
    await lane.add(12, 100e6, { mfu: 0.4 });
    await lane.add(3, 110e6, { mfu: 0.3 });
    const opened = await only();
    expect(opened.metricId).toBe('step-time');
    expect(opened.metrics.map(({ metricId }) => metricId)).toEqual(expect.arrayContaining(['mfu']));
    await lane.add(3, 100e6, { mfu: 0.3 });
    const left = await only();
    expect(left).toMatchObject({ id: opened.id, state: 'open', metricId: 'mfu' });
    expect(left.before).toBeCloseTo(0.4, 3);
    await lane.add(3, 100e6, { mfu: 0.4 });
    expect(await only()).toMatchObject({ state: 'resolved', resolution: 'recovered' });
  });
});

describe('people', () => {
  it('acknowledge and assign it; what its state does not allow is refused', async () => {
    const { id } = await slowDown();
    const acknowledged = (await act(id, 'acknowledge').expect(200)).body;
    expect(acknowledged).toMatchObject({ state: 'acknowledged', acknowledgedReason: 'because' });
    expect(acknowledged.acts[0]).toMatchObject({
      ...{ act: 'acknowledged', reason: 'because' },
      actor: { id: owner.userId, name: owner.email },
    });
    expectProblem(await act(id, 'acknowledge'), 'regression-state-conflict');
    const member = await addMember(api, team, 'viewer');
    const assigned = (await act(id, 'assign', { userId: member.userId }).expect(200)).body;
    expect(assigned.assignedTo).toEqual({ userId: member.userId, name: member.email, email: member.email });
    const stranger = await addMember(api, await api.createTeam(), 'member');
    expectProblem(await act(id, 'assign', { userId: stranger.userId }), 'assignee-not-a-member');
    await api.http().delete(`/v1/members/${member.userId}`).set(owner.headers).expect(204);
    expect((await showRegression(api, owner.headers, id)).assignedTo).toBeNull();
    expect((await act(id, 'assign', { userId: null }).expect(200)).body.assignedTo).toBeNull();
    expectProblem(await act(id, 'reopen'), 'regression-state-conflict');
    expectProblem(await act(id, 'unmute'), 'regression-state-conflict');
    await act(id, 'resolve', { resolution: 'fixed', reason: 'r' }).expect(200);
    for (const name of ['acknowledge', 'mute', 'assign', 'resolve']) {
      const until = new Date(Date.now() + 60_000).toISOString();
      const bodies = { mute: { until, reason: 'r' }, assign: { userId: null } };
      const body = { ...bodies, resolve: { resolution: 'fixed', reason: 'r' } }[name];
      expectProblem(await act(id, name, body), 'regression-state-conflict');
    }
  });

  it('call it fixed: later runs confirm that, or it is there again', async () => {
    const { id } = await slowDown();
    expect((await act(id, 'resolve', { resolution: 'fixed', reason: 'reverted' })).body).toMatchObject({
      ...{ state: 'resolved', resolution: 'fixed', goodAgainAt: null },
    });
    // What ran before says nothing.
    await lane.add(3, 110e6);
    expect((await only()).state).toBe('resolved');
    await lane.addLater(3, 110e6);
    const there = await only();
    expect(there).toMatchObject({ id, state: 'open', timesReopened: 1 });
    expect(there.acts?.[0]).toMatchObject({ act: 'reopened', reason: 'still-there', actor: null });

    await act(id, 'resolve', { resolution: 'fixed', reason: 'really' }).expect(200);
    await lane.addLater(3, 100e6);
    const fixed = await only();
    expect(fixed).toMatchObject({ state: 'resolved', resolution: 'fixed', timesReopened: 1 });
    expect(fixed.acts?.[0]).toMatchObject({ act: 'confirmed' });
    expect(await newsOf(api, team.teamId)).toEqual(['opened', 'resolved', 'reopened', 'resolved']);
  });

  it('accept it: from the first bad run on its level is the baseline, until they reopen it', async () => {
    const { id } = await slowDown(10);
    const verdictOf = async (runId: string) => {
      const { body } = await api.http().get(`/v1/runs/${runId}`).set(owner.headers).expect(200);
      const { trend } = body as { trend: { metricId: string; verdict: string }[] };
      return trend.find(({ metricId }) => metricId === 'step-time');
    };
    const [slow] = await lane.add(1, 110e6);
    expect(await verdictOf(slow)).toMatchObject({
      ...{ verdict: 'regressed', unit: 'ns', value: expect.closeTo(110e6, -6) },
      ...{
        baseline: { median: expect.closeTo(100e6, -6), commits: 12 },
        changeRatio: expect.closeTo(0.1, 1),
      },
    });
    await act(id, 'resolve', { resolution: 'accepted', reason: 'larger vocabulary' }).expect(200);
    const [normal] = await lane.add(1, 110e6);
    expect(await verdictOf(normal)).toMatchObject({ verdict: 'unchanged' });
    await lane.add(12, 110e6);
    expect((await only()).state).toBe('resolved');
    await lane.add(3, 125e6);
    const [worse, accepted] = await lane.regressions(owner.headers);
    expect([worse.state, accepted.id]).toEqual(['open', id]);
    expect(worse.before).toBeCloseTo(110e6, -6);

    const superseded = expectProblem(await act(id, 'reopen'), 'regression-superseded');
    expect(superseded.detail).toContain(worse.id);
    await act(worse.id, 'resolve', { resolution: 'fixed', reason: 'r' }).expect(200);
    await act(id, 'reopen').expect(200);
    const [slowAgain] = await lane.add(1, 110e6);
    expect(await verdictOf(slowAgain)).toMatchObject({ verdict: 'regressed' });
    const [firstEntry, ...more] = await auditEntries(api.database, team.teamId, 'regression.resolved');
    expect(firstEntry).toMatchObject({
      ...{ actorId: owner.userId, targetId: id },
      details: { resolution: 'accepted', reason: 'larger vocabulary' },
    });
    expect(more).toHaveLength(1);
    expect(await auditEntries(api.database, team.teamId, 'regression.reopened')).toHaveLength(1);
  });

  it('call it none: its runs are as good as any, and the same change is not told again', async () => {
    const { id } = await slowDown();
    await act(id, 'resolve', { resolution: 'no-regression', reason: 'a busy node' }).expect(200);
    await lane.add(10, 100e6);
    await lane.add(4, 110e6);
    expect(await only()).toMatchObject({ id, state: 'resolved', resolution: 'no-regression' });
    await lane.add(10, 100e6);
    await lane.add(4, 140e6);
    expect((await lane.regressions(owner.headers)).map(({ state }) => state)).toEqual(['open', 'resolved']);
  });
});
