import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { addPerson, type Credential, signInOwner, signInTo, type TeamPerson } from '../harness/team-people';

let api: InProcessApi;
let team: TestTeam;
let owner: TeamPerson;

async function start(overrides: Record<string, string>): Promise<void> {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1', ...overrides });
  team = await api.createTeam();
  owner = await signInOwner(api, team);
}

const change = (as: Credential, body: object) => api.http().patch('/v1/team').set(as).send(body);
const read = (as: Credential) => api.http().get('/v1/team').set(as).expect(200);
const createTeam = (as: Credential, body: object) => api.http().post('/v1/teams').set(as).send(body);

describe('the team', () => {
  beforeAll(() => start({ RETENTION_DAYS: '90', QUOTA_RUNS_PER_DAY: '77' }));
  afterAll(() => api.stop());

  it('says what it is called, and what holds for it', async () => {
    const viewer = await addPerson(api, team, 'viewer');
    expect((await read(viewer.headers)).body).toMatchObject({
      ...{ id: team.teamId, slug: team.slug, name: team.slug },
      ...{ retention: { days: 90, isDefault: true }, limits: { runsPerDay: 77 } },
    });
    await api.database.forTeam(team.teamId, (scope) =>
      scope.team.update({
        where: { id: team.teamId },
        data: { maxRunsPerDay: 5, maxStoredBytes: 2n ** 41n },
      }),
    );
    const { body } = await read(await api.tokenHeader(team.teamId, ['runs:write']));
    expect(body).toMatchObject({ limits: { runsPerDay: 5, storedBytes: 2 ** 41 } });
  });

  it('is renamed, and keeps its runs as long as it says', async () => {
    const { body } = await change(owner.headers, { name: 'Research', retentionDays: 30 }).expect(200);
    expect(body).toMatchObject({ name: 'Research', retention: { days: 30, isDefault: false } });
    const back = await change(owner.headers, { retentionDays: null }).expect(200);
    expect(back.body).toMatchObject({ name: 'Research', retention: { days: 90, isDefault: true } });
    const entries = await auditEntries(api.database, team.teamId, 'team.updated');
    expect(entries.map(({ details }) => details)).toEqual([
      { name: 'Research', retentionDays: 30 },
      { retentionDays: null },
    ]);
  });

  it('is not changed by what is not valid, nor in what operators decide', async () => {
    const before = (await read(owner.headers)).body as object;
    for (const body of [{}, { name: '' }, { retentionDays: 0 }, { slug: 'other' }, { maxRunsPerDay: 1 }]) {
      expectProblem(await change(owner.headers, body), 'validation-failed');
    }
    expect((await read(owner.headers)).body).toEqual(before);
  });

  it('cannot be made by people unless the operator lets them', async () => {
    expectProblem(await createTeam(owner.headers, { slug: 'second' }), 'team-creation-disabled');
  });
});

describe('with ALLOW_TEAM_CREATION=true', () => {
  beforeAll(() => start({ ALLOW_TEAM_CREATION: 'true' }));
  afterAll(() => api.stop());

  it('everybody may make a team, and owns it', async () => {
    const viewer = await addPerson(api, team, 'viewer');
    const { body } = await createTeam(viewer.headers, { slug: 'mine', name: 'Mine' }).expect(201);
    const { id: teamId } = body as { id: string };
    expect(body).toEqual({ id: teamId, slug: 'mine', name: 'Mine' });
    const there = await signInTo(api, { slug: 'mine' }, viewer.email);
    expect((await api.http().get('/v1/me').set(there.headers)).body).toMatchObject({ role: 'owner' });
    const [entry] = await auditEntries(api.database, teamId, 'team.created');
    expect(entry).toMatchObject({ actorKind: 'user', actorId: viewer.userId, targetId: teamId });
  });

  it('but no token, and no team twice', async () => {
    const token = await api.tokenHeader(team.teamId, ['admin']);
    expectProblem(await createTeam(token, { slug: 'robots' }), 'person-required');
    expectProblem(await createTeam(owner.headers, { slug: team.slug }), 'team-slug-taken');
    expectProblem(await createTeam(owner.headers, { slug: 'No Slug' }), 'validation-failed');
  });
});
