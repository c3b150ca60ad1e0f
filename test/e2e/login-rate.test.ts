import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, ownerPassword, startInProcessApi } from '../harness/in-process-api';
import { signIn } from '../harness/sign-in';
import { until } from '../harness/until';

let api: InProcessApi;

beforeAll(async () => {
  // One proxy is believed, so that a test can come from several addresses.
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
});
afterAll(() => api.stop());

const post = (path: string, from: string, body: object) =>
  api.http().post(`/v1/auth/${path}`).set('X-Forwarded-For', from).send(body);
const login = (from: string, email: string, password: string) => post('login', from, { email, password });

describe('the rate of attempts to log in', () => {
  it('is bounded per e-mail address, from wherever they come, and for the right password too', async () => {
    const victim = await api.createTeam();
    for (let attempt = 0; attempt < 10; attempt++) {
      expectProblem(await login(`192.0.2.${attempt}`, victim.ownerEmail, 'guess'), 'login-failed');
    }
    const refused = await login('192.0.2.100', victim.ownerEmail.toUpperCase(), ownerPassword);
    expectProblem(refused, 'rate-limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(300);
    const bystander = await api.createTeam();
    await login('192.0.2.100', bystander.ownerEmail, ownerPassword).expect(200);
  });

  it('is bounded per address of the client, whatever the e-mail address', async () => {
    for (let attempt = 0; attempt < 30; attempt++) {
      expectProblem(await login('198.51.100.1', `guess${attempt}@nowhere.test`, 'x'), 'login-failed');
    }
    expectProblem(await login('198.51.100.1', 'another@nowhere.test', 'x'), 'rate-limited');
    // Addresses before the proxy's own word are the client's invention.
    expectProblem(await login('203.0.113.9, 198.51.100.1', 'another@nowhere.test', 'x'), 'rate-limited');
    expectProblem(await login('198.51.100.2', 'another@nowhere.test', 'x'), 'login-failed');
  });

  it('is bounded for all addresses of one IPv6 network together', async () => {
    for (let attempt = 0; attempt < 30; attempt++) {
      await login(`2001:db8:0:7:${attempt}::1`, `guess${attempt}@nowhere.test`, 'x');
    }
    expectProblem(await login('2001:db8:0:7::ffff', 'another@nowhere.test', 'x'), 'rate-limited');
    expectProblem(await login('2001:db8:0:8::1', 'another@nowhere.test', 'x'), 'login-failed');
  });

  it('is the same for an address without account', async () => {
    for (let attempt = 0; attempt < 10; attempt++) await login(`192.0.2.${attempt}`, 'no@where.test', 'x');
    const unknown = expectProblem(await login('192.0.2.101', 'no@where.test', 'x'), 'rate-limited');
    const victim = await api.createTeam();
    for (let attempt = 0; attempt < 10; attempt++) await login(`192.0.2.${attempt}`, victim.ownerEmail, 'x');
    const known = expectProblem(await login('192.0.2.101', victim.ownerEmail, 'x'), 'rate-limited');
    expect({ ...known, instance: '' }).toEqual({ ...unknown, instance: '' });
  });
});

describe('attempts that fail', () => {
  it('stand in the log with a masked address, and in the audit logs of the teams of the account', async () => {
    const victim = await api.createTeam();
    const slug = `other-${victim.slug}`;
    const owner = { email: victim.ownerEmail, password: 'unused' };
    const { teamId: otherTeamId } = await api.teams.createTeamWithOwner({ slug, owner });
    for (let attempt = 0; attempt < 13; attempt++) await login('203.0.113.5', victim.ownerEmail, 'guess');
    await login('203.0.113.6', 'stranger@nowhere.test', 'a secret guess');
    for (const teamId of [victim.teamId, otherTeamId]) {
      const entries = () => auditEntries(api.database, teamId, 'login.failed');
      await until(async () => (await entries()).length === 10, 'every failed attempt is in the audit log');
      expect((await entries())[0]).toMatchObject({
        actorKind: 'anonymous',
        address: '203.0.113.5',
        targetKind: 'user',
        targetId: victim.ownerId,
        details: { attempt: 'login' },
      });
      const blocked = () => auditEntries(api.database, teamId, 'login.blocked');
      await until(async () => (await blocked()).length > 0, 'the block is in the audit log');
      // Once, however often it goes on.
      expect(await blocked()).toHaveLength(1);
    }
    const log = api.logText();
    const lineAbout = (words: string) => log.split('\n').filter((line) => line.includes(words));
    expect(lineAbout('an attempt to log in failed').join()).toMatch(
      /"email":"o\*\*\*@.*"address":"203\.0\.113\.5"/,
    );
    expect(lineAbout('an attempt to log in failed').join()).toContain('s***@nowhere.test');
    expect(lineAbout('attempts to sign in were blocked').join()).toContain('"address":"203.0.113.5"');
    expect(log).not.toMatch(new RegExp(`${victim.ownerEmail}|stranger@|a secret guess`));
  });

  it('do not fill the audit log of those who get in', async () => {
    const team = await api.createTeam();
    const { sessionId } = await signIn(api, team);
    expect(await auditEntries(api.database, team.teamId, 'login.succeeded')).toMatchObject([
      { actorKind: 'user', actorId: team.ownerId, targetId: sessionId, details: { method: 'password' } },
    ]);
  });
});

describe('the rate of other guesses', () => {
  it('is bounded for refresh tokens, per address', async () => {
    const guess = (from: string) => post('refresh', from, { refreshToken: `ssr_${'a'.repeat(43)}` });
    for (let attempt = 0; attempt < 60; attempt++) {
      expectProblem(await guess('198.51.100.30'), 'refresh-token-unknown');
    }
    expectProblem(await guess('198.51.100.30'), 'rate-limited');
    expectProblem(await guess('198.51.100.31'), 'refresh-token-unknown');
  });

  it.each(['start', 'callback?state=x'])('is bounded for GET /v1/auth/oidc/%s, per address', async (path) => {
    const guess = () => api.http().get(`/v1/auth/oidc/${path}`).set('X-Forwarded-For', '198.51.100.40');
    for (let attempt = 0; attempt < 30; attempt++) expect([400, 404]).toContain((await guess()).status);
    expectProblem(await guess(), 'rate-limited');
  });

  it('is bounded for API tokens and access tokens, per address, without harm to those that are right', async () => {
    const { teamId } = await api.createTeam();
    const header = await api.tokenHeader(teamId, ['admin']);
    const me = (authorization: string) =>
      api.http().get('/v1/me').set({ Authorization: authorization, 'X-Forwarded-For': '198.51.100.50' });
    for (let guess = 0; guess < 30; guess++) {
      expectProblem(await me(`Bearer sst_${'a'.repeat(43)}`), 'token-unknown');
      expectProblem(await me('Bearer nonsense'), 'session-invalid');
    }
    const refused = await me(`Bearer sst_${'b'.repeat(43)}`);
    expectProblem(refused, 'rate-limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await me(header.Authorization).expect(200);
  });
});
