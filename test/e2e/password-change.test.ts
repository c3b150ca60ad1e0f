import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';
import { holdRow } from '../harness/session-rows';
import { type SignedIn, signIn } from '../harness/sign-in';
import { freshAddress } from '../harness/team-people';
import { until } from '../harness/until';

let api: InProcessApi;
let team: TestTeam;
const newPassword = 'another horse, another battery';

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
});
afterAll(() => api.stop());
beforeEach(async () => {
  team = await api.createTeam();
});

const change = ({ accessToken }: SignedIn, currentPassword: string, password = newPassword) =>
  api
    .http()
    .post('/v1/auth/password')
    .set(freshAddress())
    .auth(accessToken, { type: 'bearer' })
    .send({ currentPassword, newPassword: password });
const login = (password: string) =>
  api.http().post('/v1/auth/login').set(freshAddress()).send({ email: team.ownerEmail, password });
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
    const about = { actorKind: 'user', actorId: team.ownerId, targetKind: 'user', targetId: team.ownerId };
    const entry = { ...about, details: { attempt: 'password-change' } };
    const failed = () => auditEntries(api.database, team.teamId, 'login.failed');
    await until(async () => (await failed()).length === 9, 'every guess is in the audit log');
    expect(await failed()).toMatchObject(Array.from({ length: 9 }, () => entry));
    const blocked = () => auditEntries(api.database, team.teamId, 'login.blocked');
    await until(async () => (await blocked()).length > 0, 'the block is in the audit log');
    expect(await blocked()).toMatchObject([entry]);
    const lines = api.logText().split('\n');
    const guesses = lines.filter((line) => line.includes('an attempt to log in failed')).join();
    expect(guesses).toContain('"attempt":"password-change","email":"o***@');
    expect(guesses).not.toContain(team.ownerEmail);
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

describe('changes of a password that are under way at once', () => {
  /** All have checked the current password, and wait to write, before one goes on. */
  async function allAtOnce(sessions: SignedIn[]) {
    const held = await holdRow(api.environment.ownerUrl, 'users', team.ownerId);
    const changes = sessions.map(async (session, n) => change(session, ownerPassword, `${newPassword} ${n}`));
    await until(async () => (await held.waiting()) === sessions.length, 'all wait');
    await held.release();
    return Promise.all(changes);
  }

  it.each(['of one session', 'of several sessions'])('have one winner when they are %s', async (which) => {
    const mine = await signIn(api, team);
    const sessions =
      which === 'of one session'
        ? [mine, mine, mine]
        : [mine, await signIn(api, team), await signIn(api, team)];
    const answers = await allAtOnce(sessions);
    const winner = answers.findIndex(({ status }) => status === 204);
    const losers = answers.filter((_, n) => n !== winner);
    for (const lost of losers) {
      expectProblem(lost, which === 'of one session' ? 'password-wrong' : 'session-ended');
    }
    expect(losers).toHaveLength(2);
    for (const n of sessions.keys()) {
      const { status } = await login(`${newPassword} ${n}`);
      expect(status).toBe(n === winner ? 200 : 401);
    }
    await me(sessions[winner]).expect(200);
    expect(await auditEntries(api.database, team.teamId, 'password.changed')).toHaveLength(1);
  });

  it('have one winner also when nothing orders them', async () => {
    const sessions = [await signIn(api, team), await signIn(api, team), await signIn(api, team)];
    const answers = await Promise.all(sessions.map(async (session) => change(session, ownerPassword)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await auditEntries(api.database, team.teamId, 'password.changed')).toHaveLength(1);
  });

  it('fail when the session was ended meanwhile, and keep the password', async () => {
    const mine = await signIn(api, team);
    const held = await holdRow(api.environment.ownerUrl, 'users', team.ownerId);
    const changing = Promise.resolve(change(mine, ownerPassword));
    await until(async () => (await held.waiting()) === 1, 'it waits');
    const { refreshToken } = mine;
    await api.http().post('/v1/auth/logout').send({ refreshToken }).expect(204);
    await held.release();
    expectProblem(await changing, 'session-ended');
    await login(ownerPassword).expect(200);
    expect(await auditEntries(api.database, team.teamId, 'password.changed')).toEqual([]);
  });
});
