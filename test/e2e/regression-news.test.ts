import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { newsOf, RegressionLane } from '../harness/regression-lane';
import { signInOwner, type TeamPerson } from '../harness/team-people';

const DAY_MS = 86_400_000;
let api: InProcessApi;
let team: TestTeam;
let owner: TeamPerson;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
});
beforeEach(async () => {
  team = await api.createTeam();
  owner = await signInOwner(api, team);
});
afterAll(() => api.stop());

const act = (id: string, name: string, body?: object) =>
  api.http().post(`/v1/regressions/${id}/${name}`).set(owner.headers).send(body).expect(200);
const hourAhead = () => new Date(Date.now() + 3_600_000).toISOString();

describe('what is told of regressions', () => {
  it('is nothing while they are muted, and then what still holds', async () => {
    const lane = new RegressionLane(api, team.teamId, { model: 'muted' });
    await lane.add(12, 100e6);
    await lane.add(3, 110e6);
    const [{ id }] = await lane.regressions(owner.headers);
    const { body } = await act(id, 'mute', { until: hourAhead(), reason: 'known' });
    expect(body.mutedUntil).not.toBeNull();
    await lane.add(3, 100e6);
    await lane.add(3, 110e6);
    expect(await newsOf(api, team.teamId)).toEqual(['opened']);
    await lane.add(3, 100e6);
    expect((await lane.regressions(owner.headers))[0].state).toBe('resolved');
    expect(await newsOf(api, team.teamId)).toEqual(['opened']);
    expect((await act(id, 'unmute')).body.mutedUntil).toBeNull();
    expect(await newsOf(api, team.teamId)).toEqual(['opened', 'resolved']);
  });

  it('comes with the first run after a mute that ended by itself', async () => {
    const lane = new RegressionLane(api, team.teamId, { model: 'ended' });
    await lane.add(12, 100e6);
    await lane.add(3, 110e6);
    const [{ id }] = await lane.regressions(owner.headers);
    await act(id, 'mute', { until: hourAhead(), reason: 'known' });
    await lane.add(3, 100e6);
    await api.database.forTeam(team.teamId, ({ regression }) =>
      regression.updateMany({ where: { teamId: team.teamId, id }, data: { mutedUntil: new Date() } }),
    );
    expect(await newsOf(api, team.teamId)).toEqual(['opened']);
    await lane.add(1, 100e6);
    expect(await newsOf(api, team.teamId)).toEqual(['opened', 'resolved']);
  });

  it('is nothing of a history that is uploaded later, but what lasts until today', async () => {
    const old = new RegressionLane(api, team.teamId, { model: 'old' }, 30 * DAY_MS);
    await old.add(12, 100e6);
    await old.add(5, 110e6);
    expect((await old.regressions(owner.headers))[0].state).toBe('open');
    expect(await newsOf(api, team.teamId)).toEqual([]);
    await old.addLater(1, 110e6);
    expect(await newsOf(api, team.teamId)).toEqual(['opened']);

    const gone = new RegressionLane(api, team.teamId, { model: 'gone' }, 30 * DAY_MS);
    await gone.add(12, 100e6);
    await gone.add(5, 110e6);
    await gone.add(5, 100e6);
    await gone.addLater(2, 100e6);
    expect((await gone.regressions(owner.headers))[0].state).toBe('resolved');
    expect(await newsOf(api, team.teamId)).toEqual(['opened']);
  });

  it('has the figures, the commits and the place, and no more than that', async () => {
    const place = { model: 'told', cluster: 'h200', workload: 'nightly' };
    const lane = new RegressionLane(api, team.teamId, place);
    await lane.add(12, 100e6);
    const [firstBad] = await lane.add(3, 110e6);
    const [{ id, before, after, changeRatio }] = await lane.regressions(owner.headers);
    const event = await api.database.forTeam(team.teamId, ({ teamEvent }) =>
      teamEvent.findFirstOrThrow({ where: { teamId: team.teamId, type: 'regression.opened' } }),
    );
    expect(event.runId).toBe(firstBad);
    expect(event.data).toEqual({
      ...{ regressionId: id, state: 'open', resolution: null, seriesId: expect.any(String) },
      ...{ ...place, branch: 'main', metricId: 'step-time', unit: 'ns', before, after, changeRatio },
      ...{ firstBadRunId: firstBad, firstBadCommit: 'commit-12', firstBadAt: expect.any(String) },
      lastGoodCommit: 'commit-11',
    });
  });

  it('is nothing of what people only look at or give to each other', async () => {
    const lane = new RegressionLane(api, team.teamId, { model: 'acts' });
    await lane.add(12, 100e6);
    await lane.add(3, 110e6);
    const [{ id }] = await lane.regressions(owner.headers);
    await act(id, 'acknowledge', { reason: 'seen' });
    await act(id, 'assign', { userId: owner.userId });
    expect(await newsOf(api, team.teamId)).toEqual(['opened']);
    await act(id, 'resolve', { resolution: 'accepted', reason: 'wanted' });
    await act(id, 'reopen', { reason: 'not wanted after all' });
    expect(await newsOf(api, team.teamId)).toEqual(['opened', 'resolved', 'reopened']);
  });
});
