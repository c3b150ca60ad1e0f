import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';
import { type SignedIn, signIn } from '../harness/sign-in';

let api: InProcessApi;
let team: TestTeam;
const newPassword = 'another horse, another battery';

beforeAll(async () => {
  api = await startInProcessApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  team = await api.createTeam();
});

const change = ({ accessToken }: SignedIn, currentPassword: string, password = newPassword) =>
  api
    .http()
    .post('/v1/auth/password')
    .auth(accessToken, { type: 'bearer' })
    .send({ currentPassword, newPassword: password });
const login = (password: string) =>
  api.http().post('/v1/auth/login').send({ email: team.ownerEmail, password });
const me = ({ accessToken }: SignedIn) => api.http().get('/v1/me').auth(accessToken, { type: 'bearer' });

describe('POST /v1/auth/password', () => {
  it('changes the password and ends all other sessions of the person', async () => {
    const mine = await signIn(api, team);
    const others = [await signIn(api, team), await signIn(api, team)];
    const bystander = await signIn(api, await api.createTeam());
    await change(mine, ownerPassword).expect(204);
    await me(mine).expect(200);
    await me(bystander).expect(200);
    for (const other of others) {
      expectProblem(await me(other), 'session-ended');
      const { refreshToken } = other;
      expectProblem(await api.http().post('/v1/auth/refresh').send({ refreshToken }), 'session-ended');
    }
    expectProblem(await login(ownerPassword), 'login-failed');
    await login(newPassword).expect(200);
    expect(await auditEntries(api.database, team.teamId, 'password.changed')).toMatchObject([
      { actorId: team.ownerId, targetId: team.ownerId, details: { endedSessions: 2 } },
    ]);
    expect(api.logText()).not.toContain(newPassword);
  });

  it('wants the current password, which cannot be guessed with a stolen access token', async () => {
    const mine = await signIn(api, team);
    expectProblem(await change(mine, ownerPassword, 'too short'), 'validation-failed');
    for (let guess = 0; guess < 9; guess++) expectProblem(await change(mine, 'guess'), 'password-wrong');
    expectProblem(await change(mine, ownerPassword), 'rate-limited');
    await login(ownerPassword).expect(200);
  });

  it('is not for people without a password', async () => {
    const mine = await signIn(api, team);
    await api.database.withoutTeam(({ user }) =>
      user.update({ where: { id: team.ownerId }, data: { passwordHash: null } }),
    );
    expectProblem(await change(mine, ownerPassword), 'password-wrong');
    expectProblem(await login(ownerPassword), 'login-failed');
  });

  it('also ends a session that is being started with the old password', async () => {
    const mine = await signIn(api, team);
    const [changed, ...logins] = await Promise.all([
      change(mine, ownerPassword),
      ...Array.from({ length: 5 }, async () => login(ownerPassword)),
    ]);
    expect(changed.status).toBe(204);
    for (const { status, body } of logins) {
      expect([200, 401]).toContain(status);
      if (status === 200) expectProblem(await me(body as SignedIn), 'session-ended');
    }
  });
});
