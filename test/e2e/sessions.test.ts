import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';
import { sessionOf, signIn } from '../harness/sign-in';
import { ageSession, holdRow } from '../harness/session-rows';
import { until } from '../harness/until';

let api: InProcessApi;
let team: TestTeam;

beforeAll(async () => {
  api = await startInProcessApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  team = await api.createTeam();
});

const refresh = (refreshToken: string, more: object = {}) =>
  api
    .http()
    .post('/v1/auth/refresh')
    .send({ refreshToken, ...more });
const me = (token: string) => api.http().get('/v1/me').auth(token, { type: 'bearer' });

describe('POST /v1/auth/refresh', () => {
  it('gives a new access token of the same session, and the next refresh token', async () => {
    const first = await signIn(api, team);
    const { body } = await refresh(first.refreshToken).expect(200);
    expect(body).toEqual({
      accessToken: expect.any(String),
      expiresInS: 900,
      refreshToken: expect.stringMatching(/^ssr_[\w-]{43}$/),
      team: { id: team.teamId, slug: team.slug, name: team.slug },
    });
    expect(body.refreshToken).not.toBe(first.refreshToken);
    expect(sessionOf(body.accessToken)).toBe(first.sessionId);
    await me(body.accessToken).expect(200);
    await refresh(body.refreshToken).expect(200);
  });

  it('stores refresh tokens as SHA-256 only, and logs none', async () => {
    const { refreshToken } = await signIn(api, team);
    await refresh(refreshToken).expect(200);
    const rows = await api.database.withoutTeam((scope) => scope.refreshToken.findMany());
    expect(rows.every(({ tokenHash }) => tokenHash.length === 32)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(refreshToken.slice(4));
    expect(api.logText()).not.toContain(refreshToken.slice(4));
  });

  it('ends the whole session when a token is used a second time, and says so in log and audit log', async () => {
    const first = await signIn(api, team);
    const bystander = await signIn(api, team);
    const second = (await refresh(first.refreshToken).expect(200)).body;
    expectProblem(await refresh(first.refreshToken), 'refresh-token-reused');
    expectProblem(await refresh(second.refreshToken), 'session-ended');
    expectProblem(await me(second.accessToken), 'session-ended');
    expectProblem(await me(first.accessToken), 'session-ended');
    await me(bystander.accessToken).expect(200);

    const row = await api.database.withoutTeam(({ session }) =>
      session.findUnique({ where: { id: first.sessionId } }),
    );
    expect(row).toMatchObject({ endReason: 'refresh-token-reused', endedAt: expect.any(Date) });
    const entries = await auditEntries(api.database, team.teamId, 'session.reuse-detected');
    expect(entries).toMatchObject([
      { actorKind: 'user', actorId: team.ownerId, targetKind: 'session', targetId: first.sessionId },
    ]);
    expect(api.logText()).toContain('a refresh token was used a second time');
  });

  it('gives one successor however many use a token at once, and that one is good', async () => {
    const { refreshToken, sessionId } = await signIn(api, team);
    // Held until all have read that the token is unused: what happens when they arrive in one moment.
    const held = await holdRow(api.environment.ownerUrl, 'sessions', sessionId);
    const uses = Array.from({ length: 5 }, async () => refresh(refreshToken));
    await until(async () => (await held.waiting()) === 5, 'all wait');
    await held.release();
    const answers = await Promise.all(uses);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter((answer) => answer !== won[0])) {
      expectProblem(lost, 'refresh-token-in-use');
    }
    // They were under way at once, so nobody is taken for a thief.
    await refresh(won[0].body.refreshToken).expect(200);
  });

  it.each([['nonsense'], [`ssr_${'a'.repeat(43)}`], [`sst_${'a'.repeat(43)}`]])(
    'does not know %s',
    async (token) => {
      expectProblem(await refresh(token), 'refresh-token-unknown');
    },
  );

  it('needs a token', async () => {
    expectProblem(await api.http().post('/v1/auth/refresh').send({}), 'refresh-token-missing');
    expectProblem(await api.http().post('/v1/auth/refresh').send({ token: 'x' }), 'validation-failed');
    expectProblem(await api.http().post('/v1/auth/refresh'), 'validation-failed');
  });

  it('changes the team, with the role that the person has there now', async () => {
    const other = await api.createTeam();
    await api.teams.addMember(other.teamId, { email: team.ownerEmail, password: 'unused', role: 'viewer' });
    const { refreshToken, sessionId } = await signIn(api, team);
    const moved = (await refresh(refreshToken, { team: other.slug }).expect(200)).body;
    expect(moved.team.slug).toBe(other.slug);
    expect((await me(moved.accessToken).expect(200)).body).toMatchObject({
      role: 'viewer',
      team: { id: other.teamId },
    });
    const stayed = (await refresh(moved.refreshToken).expect(200)).body;
    expect(stayed.team.slug).toBe(other.slug);
    const stranger = await api.createTeam();
    expectProblem(await refresh(stayed.refreshToken, { team: stranger.slug }), 'not-a-member');
    expectProblem(await refresh(stayed.refreshToken, { team: 'no-such-team' }), 'not-a-member');
    // What was refused did not use the token up.
    const back = (await refresh(stayed.refreshToken, { team: team.slug }).expect(200)).body;
    const again = { team: team.slug };
    await refresh(back.refreshToken, again).expect(200);
    expectProblem(await refresh(moved.refreshToken, { team: other.slug }), 'refresh-token-reused');
    // Each team hears of those who come in, and of nothing else.
    const entered = { actorKind: 'user', actorId: team.ownerId, targetId: sessionId };
    const switched = { ...entered, details: { method: 'password', how: 'switched' } };
    const signedIn = { ...entered, details: { method: 'password' } };
    const heardOf = (teamId: string) => auditEntries(api.database, teamId, 'login.succeeded');
    expect(await heardOf(other.teamId)).toMatchObject([switched]);
    expect(await heardOf(team.teamId)).toMatchObject([signedIn, switched]);
    expect((await heardOf(team.teamId))[0].details).toEqual(signedIn.details);
  });

  it('stops when the membership has ended', async () => {
    const { refreshToken } = await signIn(api, team);
    await api.database.forTeam(team.teamId, ({ membership }) =>
      membership.deleteMany({ where: { teamId: team.teamId } }),
    );
    expectProblem(await refresh(refreshToken), 'membership-ended');
  });

  it('ends with idleness, and with old age however much it is used', async () => {
    const idle = await signIn(api, team);
    await ageSession(api.environment.ownerUrl, idle.sessionId, { expiresInS: -1 });
    expectProblem(await refresh(idle.refreshToken), 'session-ended');
    expectProblem(await me(idle.accessToken), 'session-ended');

    const used = await signIn(api, team);
    const dayS = 86_400;
    await ageSession(api.environment.ownerUrl, used.sessionId, { ageS: 29 * dayS, expiresInS: 60 });
    await refresh(used.refreshToken).expect(200);
    const { expiresInS } = await ageSession(api.environment.ownerUrl, used.sessionId, {});
    expect(expiresInS).toBeGreaterThan(dayS - 60);
    expect(expiresInS).toBeLessThanOrEqual(dayS);
  });
});

describe('the sessions of a person', () => {
  const list = (token: string, query = '') =>
    api.http().get(`/v1/auth/sessions${query}`).auth(token, { type: 'bearer' });

  it('are listed page by page, with where they came from, and only those that go on', async () => {
    const ended = await signIn(api, team);
    const old = await signIn(api, team);
    await api.http().post('/v1/auth/logout').send({ refreshToken: ended.refreshToken }).expect(204);
    await api.createTeam().then((other) => signIn(api, other));
    const login = { email: team.ownerEmail, password: ownerPassword };
    const { body } = await api
      .http()
      .post('/v1/auth/login')
      .set('User-Agent', `Browser \x80${'x'.repeat(500)}`)
      .send(login);
    const mine = await list(body.accessToken).expect(200);
    expect(mine.body.items).toEqual([
      {
        id: sessionOf(body.accessToken),
        teamId: team.teamId,
        method: 'password',
        userAgent: expect.stringMatching(/^Browser \?+x{290,}$/),
        address: expect.stringContaining('127.0.0.1'),
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        expiresAt: expect.any(String),
        current: true,
      },
      expect.objectContaining({ id: old.sessionId, current: false }),
    ]);
    const first = await list(body.accessToken, '?limit=1').expect(200);
    const second = await list(body.accessToken, `?limit=1&cursor=${first.body.nextCursor}`).expect(200);
    expect([...first.body.items, ...second.body.items]).toEqual(mine.body.items);
    expect(second.body.nextCursor).toBeNull();
  });

  it('end one by one; those of others are not found', async () => {
    const mine = await signIn(api, team);
    const other = await signIn(api, team);
    const stranger = await signIn(api, await api.createTeam());
    const end = (id: string) =>
      api.http().delete(`/v1/auth/sessions/${id}`).auth(mine.accessToken, { type: 'bearer' });
    await end(other.sessionId).expect(204);
    await end(other.sessionId).expect(204);
    expectProblem(await me(other.accessToken), 'session-ended');
    expectProblem(await refresh(other.refreshToken), 'session-ended');
    expectProblem(await end(stranger.sessionId), 'session-not-found');
    await me(stranger.accessToken).expect(200);
    expectProblem(await end('x'), 'validation-failed');
    expect(await auditEntries(api.database, team.teamId, 'session.ended')).toMatchObject([
      { targetId: other.sessionId, actorId: team.ownerId, details: { reason: 'ended-by-person' } },
    ]);
  });

  it('are of people, not of API tokens', async () => {
    const header = await api.tokenHeader(team.teamId, ['admin']);
    for (const request of [
      api.http().get('/v1/auth/sessions'),
      api.http().delete(`/v1/auth/sessions/${team.teamId}`),
      api
        .http()
        .post('/v1/auth/password')
        .send({ currentPassword: 'x', newPassword: 'y'.repeat(12) }),
    ]) {
      expectProblem(await request.set(header), 'person-required');
    }
  });
});

describe('POST /v1/auth/logout', () => {
  const logout = (body?: object) => api.http().post('/v1/auth/logout').send(body);

  it('ends the session of a refresh token, used or not, and may be repeated', async () => {
    const first = await signIn(api, team);
    const { body } = await refresh(first.refreshToken).expect(200);
    await logout({ refreshToken: first.refreshToken }).expect(204);
    await logout({ refreshToken: body.refreshToken }).expect(204);
    expectProblem(await me(body.accessToken), 'session-ended');
    await logout({ refreshToken: 'unknown' }).expect(204);
    expect(await auditEntries(api.database, team.teamId, 'session.ended')).toHaveLength(1);
  });

  it('ends the session of an access token', async () => {
    const { accessToken } = await signIn(api, team);
    await logout().auth(accessToken, { type: 'bearer' }).expect(204);
    expectProblem(await me(accessToken), 'session-ended');
    expectProblem(await logout().auth('nonsense', { type: 'bearer' }), 'session-invalid');
    expectProblem(await logout({}), 'refresh-token-missing');
  });
});
