import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import {
  addMember,
  addPerson,
  type Credential,
  signInOwner,
  signInTo,
  type TeamPerson,
} from '../harness/team-people';
import { auditEntries } from '../harness/audit-log';
import { type Role, roles } from '../../src/modules/teams';

let api: InProcessApi;
let team: TestTeam;
let owner: TeamPerson;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
});
afterAll(() => api.stop());
beforeEach(async () => {
  team = await api.createTeam();
  owner = await signInOwner(api, team);
});

interface Member {
  userId: string;
  role: Role;
}
interface Page {
  items: Member[];
  nextCursor: string | null;
}

const list = async (as: Credential, query: object = {}) =>
  (await api.http().get('/v1/members').set(as).query(query).expect(200)).body as Page;
const change = (as: Credential, userId: string, role: Role) =>
  api.http().patch(`/v1/members/${userId}`).set(as).send({ role });
const remove = (as: Credential, userId: string) => api.http().delete(`/v1/members/${userId}`).set(as);
const me = (as: Credential) => api.http().get('/v1/me').set(as);
const roleOf = async (userId: string) =>
  (await list(owner.headers, { limit: 200 })).items.find((member) => member.userId === userId)?.role;

describe('members', () => {
  it('are listed in pages without gap or repetition', async () => {
    for (const role of roles) await addPerson(api, team, role);
    const whole = await list(owner.headers);
    expect(whole.items).toHaveLength(5);
    expect(whole.items.find(({ userId }) => userId === team.ownerId)).toEqual({
      ...{ userId: team.ownerId, email: team.ownerEmail, name: team.ownerEmail, role: 'owner' },
      joinedAt: expect.any(String) as string,
    });
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list(owner.headers, { limit: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...page.items.map(({ userId }) => userId));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(whole.items.map(({ userId }) => userId));
  });

  it('have a new role from the next request on', async () => {
    const person = await addPerson(api, team, 'admin');
    expect((await change(owner.headers, person.userId, 'viewer').expect(200)).body).toMatchObject({
      role: 'viewer',
    });
    expect((await me(person.headers).expect(200)).body).toMatchObject({ scopes: ['runs:read'] });
    expectProblem(await api.http().get('/v1/members').set(person.headers), 'scope-missing');
    const [entry] = await auditEntries(api.database, team.teamId, 'member.role-changed');
    expect(entry).toMatchObject({
      ...{ actorKind: 'user', actorId: team.ownerId, targetKind: 'user', targetId: person.userId },
      details: { email: person.email, from: 'admin', to: 'viewer', revokedInvitations: [] },
    });
  });

  it('leave no entry when nothing changes', async () => {
    const person = await addPerson(api, team, 'member');
    await change(owner.headers, person.userId, 'member').expect(200);
    expect(await auditEntries(api.database, team.teamId, 'member.role-changed')).toEqual([]);
  });

  it('that are removed are out at once, with their sessions, and may be in other teams', async () => {
    const other = await api.createTeam();
    const person = await addPerson(api, team, 'member');
    await api.teams.addMember(other.teamId, { email: person.email, password: 'is kept', role: 'viewer' });
    const elsewhere = await signInTo(api, other, person.email);
    await remove(owner.headers, person.userId).expect(204);
    expect((await me(person.headers)).status).toBe(401);
    await me(elsewhere.headers).expect(200);
    const [entry] = await auditEntries(api.database, team.teamId, 'member.removed');
    expect(entry).toMatchObject({ details: { email: person.email, role: 'member', endedSessions: 1 } });
    // Whoever comes back does not find the old session open.
    await api.teams.addMember(team.teamId, { email: person.email, password: 'is kept', role: 'viewer' });
    expectProblem(await me(person.headers), 'session-ended');
    expectProblem(
      await remove(owner.headers, elsewhere.userId.replace(/^.{8}/, '00000000')),
      'member-not-found',
    );
  });

  it('may leave, whatever their role', async () => {
    for (const role of roles) {
      const person = await addPerson(api, team, role);
      await remove(person.headers, person.userId).expect(204);
      expect((await me(person.headers)).status).toBe(401);
    }
    const entries = await auditEntries(api.database, team.teamId, 'member.removed');
    expect(entries.map(({ actorId, targetId }) => actorId === targetId)).toEqual([true, true, true, true]);
  });

  it('of another team are as good as nobody', async () => {
    const stranger = await signInOwner(api, await api.createTeam());
    expectProblem(await change(owner.headers, stranger.userId, 'viewer'), 'member-not-found');
    expectProblem(await remove(owner.headers, stranger.userId), 'member-not-found');
    await me(stranger.headers).expect(200);
  });
});

describe('nobody reaches above their own role', () => {
  const rank: Record<Role, number> = { viewer: 0, member: 1, admin: 2, owner: 3 };
  const cases = roles.flatMap((actor) =>
    roles.flatMap((target) => roles.map((wanted) => ({ actor, target, wanted }))),
  );

  it.each(roles)(
    'as %s, for every role of the other and every role to give',
    async (actor) => {
      const by = await addPerson(api, team, actor);
      for (const { target, wanted } of cases.filter((one) => one.actor === actor)) {
        const other = await addMember(api, team, target);
        const response = await change(by.headers, other.userId, wanted);
        const manages = rank[actor] >= rank.admin;
        if (!manages) expectProblem(response, 'scope-missing');
        else if (rank[target] > rank[actor] || rank[wanted] > rank[actor])
          expectProblem(response, 'role-too-high');
        else expect(response.status).toBe(200);
        expect(await roleOf(other.userId)).toBe(response.status === 200 ? wanted : target);

        const removal = await remove(by.headers, other.userId);
        const now = response.status === 200 ? wanted : target;
        if (!manages) expectProblem(removal, 'scope-missing');
        else if (rank[now] > rank[actor]) expectProblem(removal, 'role-too-high');
        else expect(removal.status).toBe(204);
      }
    },
    120_000,
  );

  it('nor with a token, which counts as an admin and gives no scope that it lacks', async () => {
    const full = await api.tokenHeader(team.teamId, ['admin', 'runs:read', 'runs:write', 'gates:evaluate']);
    const narrow = await api.tokenHeader(team.teamId, ['admin', 'runs:read']);
    const person = await addPerson(api, team, 'viewer');
    expectProblem(await change(narrow, person.userId, 'member'), 'role-too-high');
    expectProblem(await change(full, person.userId, 'owner'), 'role-too-high');
    expectProblem(await change(full, team.ownerId, 'viewer'), 'role-too-high');
    expectProblem(await remove(full, team.ownerId), 'role-too-high');
    await change(full, person.userId, 'admin').expect(200);
    await remove(narrow, person.userId).expect(204);
    expectProblem(
      await remove(await api.tokenHeader(team.teamId, ['runs:read']), team.ownerId),
      'scope-missing',
    );
  });
});

describe('the last owner', () => {
  it('can neither leave, nor be removed, nor be demoted', async () => {
    expectProblem(await remove(owner.headers, team.ownerId), 'last-owner');
    for (const role of ['admin', 'member', 'viewer'] as const) {
      expectProblem(await change(owner.headers, team.ownerId, role), 'last-owner');
    }
    const second = await addPerson(api, team, 'owner');
    await change(owner.headers, team.ownerId, 'viewer').expect(200);
    expectProblem(await remove(second.headers, second.userId), 'last-owner');
    expect(await auditEntries(api.database, team.teamId, 'member.removed')).toEqual([]);
  });

  it('is left when owners demote, remove and leave at once, again and again', async () => {
    const acts = [
      (a: TeamPerson, b: TeamPerson) => [
        change(a.headers, b.userId, 'member'),
        change(b.headers, a.userId, 'member'),
      ],
      (a: TeamPerson, b: TeamPerson) => [remove(a.headers, b.userId), remove(b.headers, a.userId)],
      (a: TeamPerson, b: TeamPerson) => [remove(a.headers, a.userId), remove(b.headers, b.userId)],
      (a: TeamPerson, b: TeamPerson) => [change(a.headers, a.userId, 'viewer'), remove(b.headers, b.userId)],
    ];
    for (const act of [...acts, ...acts]) {
      const both = await api.createTeam();
      const [a, b] = [await signInOwner(api, both), await addPerson(api, both, 'owner')];
      const answers = await Promise.all(act(a, b).map(async (request) => (await request).status));
      const owners = await api.database.forTeam(both.teamId, ({ membership }) =>
        membership.count({ where: { teamId: both.teamId, role: 'owner' } }),
      );
      expect(owners).toBe(1);
      // The other one lost the right, the session or the company of a second owner.
      expect(answers.filter((status) => status < 300)).toHaveLength(1);
      expect(answers.every((status) => [200, 204, 401, 403, 404, 409].includes(status))).toBe(true);
    }
  });
});
