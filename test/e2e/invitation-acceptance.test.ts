import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type Role } from '../../src/modules/teams';
import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';
import {
  addPerson,
  type Credential,
  freshAddress,
  signInOwner,
  signInTo,
  type TeamPerson,
} from '../harness/team-people';
import { until } from '../harness/until';

const password = 'a password of my own';

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

const newEmail = () => `guest-${randomBytes(5).toString('hex')}@guest.test`;
const accept = (body: object, headers: Partial<Credential> = {}) =>
  api.http().post('/v1/invitations/accept').set(freshAddress()).set(headers).send(body);

async function invite(email: string, role: Role = 'member'): Promise<{ id: string; token: string }> {
  const { body } = await api
    .http()
    .post('/v1/invitations')
    .set(owner.headers)
    .send({ email, role })
    .expect(201);
  return body as { id: string; token: string };
}

async function countAccounts(email: string): Promise<number> {
  const client = new Client({ connectionString: api.environment.ownerUrl });
  await client.connect();
  try {
    return (await client.query('SELECT 1 FROM users WHERE email = $1', [email])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

const memberships = async (email: string) => {
  const { body } = await api.http().get('/v1/members').set(owner.headers).query({ limit: 200 }).expect(200);
  const { items } = body as { items: { email: string; name: string; role: Role }[] };
  return items.filter((member) => member.email === email);
};

describe('somebody without an account', () => {
  it('gets one with the password, and is in', async () => {
    const email = newEmail();
    const { token, id } = await invite(email);
    const { body } = await accept({ token, password, name: 'Guest' }).expect(200);
    expect(body).toEqual({
      ...{ team: { id: team.teamId, slug: team.slug, name: team.slug }, email, role: 'member' },
    });
    const person = await signInTo(api, team, email, password);
    expect(await memberships(email)).toMatchObject([{ name: 'Guest', role: 'member' }]);
    const [accepted] = await auditEntries(api.database, team.teamId, 'invitation.accepted');
    expect(accepted).toMatchObject({
      actorKind: 'user',
      actorId: person.userId,
      actorName: email,
      targetId: id,
    });
    const [added] = await auditEntries(api.database, team.teamId, 'member.added');
    expect(added).toMatchObject({ targetId: person.userId, details: { email, role: 'member' } });
  });

  it('needs a password that is long enough, and changes nothing without', async () => {
    const email = newEmail();
    const { token } = await invite(email);
    expectProblem(await accept({ token, password: 'short' }), 'validation-failed');
    expectProblem(await accept({ token }), 'invitation-proof-needed');
    expect(await countAccounts(email)).toBe(0);
    await accept({ token, password }).expect(200);
  });
});

describe('somebody with an account', () => {
  it('proves it with its password, which is the only thing that tells that there is one', async () => {
    const stranger = await api.createTeam();
    const [known, unknown] = [stranger.ownerEmail, newEmail()];
    const answers: object[] = [];
    for (const email of [known, unknown]) {
      const { token } = await invite(email);
      const { body } = await api
        .http()
        .post('/v1/invitations/preview')
        .set(freshAddress())
        .send({ token })
        .expect(200);
      const rest = [await accept({ token }), await accept({ token, password: 'short' })].map((response) => ({
        ...(response.body as object),
        instance: '',
      }));
      answers.push([{ ...(body as object), email: '', expiresAt: '' }, ...rest]);
      if (email === known) {
        expectProblem(await accept({ token, password }), 'login-failed');
        await accept({ token, password: ownerPassword, name: 'is not changed' }).expect(200);
      }
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(await memberships(known)).toMatchObject([{ name: known }]);
    expect(await memberships(unknown)).toEqual([]);
    await signInTo(api, team, known);
    const failed = () => auditEntries(api.database, stranger.teamId, 'login.failed');
    await until(async () => (await failed()).length > 0, 'the guess in the audit log');
  });

  it('or by being signed in with the address, and no other', async () => {
    const other = await api.createTeam();
    const [guest, third] = [await signInOwner(api, other), await addPerson(api, other, 'member')];
    const { token } = await invite(guest.email, 'viewer');
    expectProblem(await accept({ token }, third.headers), 'invitation-for-another');
    // The password of the account does not help whoever is signed in as somebody else.
    expectProblem(await accept({ token, password: ownerPassword }, third.headers), 'invitation-for-another');
    expectProblem(await accept({ token }, { Authorization: 'Bearer nonsense' }), 'session-invalid');
    const apiToken = await api.tokenHeader(other.teamId, ['admin']);
    expectProblem(await accept({ token }, apiToken), 'invitation-proof-needed');
    expect((await accept({ token }, guest.headers).expect(200)).body).toMatchObject({ role: 'viewer' });
  });

  it('cannot be opened by guessing: attempts count with those to log in', async () => {
    const victim = await api.createTeam();
    const { token } = await invite(victim.ownerEmail);
    for (let i = 0; i < 10; i++)
      expectProblem(await accept({ token, password: `${password}${i}` }), 'login-failed');
    const blocked = await accept({ token, password: ownerPassword });
    expectProblem(blocked, 'rate-limited');
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0);
    const login = { email: victim.ownerEmail, password: ownerPassword };
    expectProblem(await api.http().post('/v1/auth/login').set(freshAddress()).send(login), 'rate-limited');
    expect(await memberships(victim.ownerEmail)).toEqual([]);
  });

  it.each([
    { has: 'viewer', invited: 'admin', gets: 'admin' },
    { has: 'admin', invited: 'viewer', gets: 'admin' },
    { has: 'member', invited: 'member', gets: 'member' },
  ] as const)('and the role $has, invited as $invited, is $gets then', async ({ has, invited, gets }) => {
    const person = await addPerson(api, team, has);
    const { token } = await invite(person.email, invited);
    expect((await accept({ token }, person.headers).expect(200)).body).toMatchObject({ role: gets });
    expect(await memberships(person.email)).toMatchObject([{ role: gets }]);
    const changes = await auditEntries(api.database, team.teamId, 'member.role-changed');
    expect(changes).toHaveLength(has === gets ? 0 : 1);
  });
});

describe('an account that was made with an invitation', () => {
  it('may be that of a stranger: operators who name its address give it a password of theirs', async () => {
    const email = newEmail();
    await accept({ token: (await invite(email)).token, password }).expect(200);
    const stranger = await signInTo(api, team, email, password);
    const other = await api.createTeam();
    const asked = { email, password: 'given by the operator', role: 'admin' as const };
    await api.teams.addMember(other.teamId, asked);
    expectProblem(await api.http().get('/v1/me').set(stranger.headers), 'session-ended');
    const login = { email, password, team: other.slug };
    expectProblem(await api.http().post('/v1/auth/login').set(freshAddress()).send(login), 'login-failed');
    await signInTo(api, other, email, asked.password);
    // From now on the account is somebody's, and keeps its password.
    await api.teams.addMember(team.teamId, { ...asked, password: 'is not used' });
    await signInTo(api, other, email, asked.password);
  });
});

describe('an invitation', () => {
  it('works once', async () => {
    const { token, id } = await invite(newEmail());
    await accept({ token, password }).expect(200);
    expectProblem(await accept({ token, password }), 'invitation-ended');
    const revoking = await api.http().delete(`/v1/invitations/${id}`).set(owner.headers);
    expectProblem(revoking, 'invitation-accepted');
  });

  it('works once also when it is used many times at once', async () => {
    const email = newEmail();
    const { token } = await invite(email);
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => (await accept({ token, password })).status),
    );
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
    expect(answers.filter((status) => ![200, 409, 410].includes(status))).toEqual([]);
    expect(await countAccounts(email)).toBe(1);
    expect(await auditEntries(api.database, team.teamId, 'invitation.accepted')).toHaveLength(1);
  });

  it('and another to the same address make one account when both are accepted at once', async () => {
    const email = newEmail();
    const tokens = [await invite(email, 'viewer'), await invite(email, 'admin')].map(({ token }) => token);
    const all = () => Promise.all(tokens.map(async (token) => (await accept({ token, password })).status));
    await all();
    // Whoever lost sends the same again, as the answer says.
    await all();
    expect(await countAccounts(email)).toBe(1);
    expect(await memberships(email)).toMatchObject([{ role: 'admin' }]);
  });

  it('is void once its team is gone', async () => {
    const { token } = await invite(newEmail());
    await api.database.forTeam(team.teamId, (scope) =>
      scope.team.update({ where: { id: team.teamId }, data: { deletedAt: new Date() } }),
    );
    expectProblem(await accept({ token, password }), 'invitation-unknown');
  });

  it('cannot be looked for from one address without end', async () => {
    const ask = () =>
      api.http().post('/v1/invitations/preview').set('X-Forwarded-For', '10.9.8.7').send({ token: 'x' });
    for (let i = 0; i < 30; i++) expectProblem(await ask(), 'invitation-unknown');
    expectProblem(await ask(), 'rate-limited');
  });
});
