import { auditEntries } from '../harness/audit-log';
import { Browser } from '../harness/browser';
import { expectFetchedProblem } from '../harness/expect-problem';
import { goThroughProvider, type OidcBench, signInAs, startOidcBench } from '../harness/oidc-bench';
import { sessionOf } from '../harness/sign-in';
import { tokenHash } from '../../src/modules/teams/tokens/api-token';

const email = (name: string) => `${name}@example.test`;
const verified = (name: string) => ({ email: email(name), email_verified: true, name });
const accounts = {
  ada: verified('ada'),
  grace: verified('grace'),
  // Somebody else, to whom the provider gave an address that was Ada's.
  newcomer: verified('ada'),
  unverified: { ...verified('ada'), email_verified: false },
  nameless: {},
  ivy: verified('ivy'),
  eve: verified('eve'),
  vera: verified('vera'),
};

let bench: OidcBench;
let start: string;
let teamId: string;
let adaId: string;

beforeAll(async () => {
  bench = await startOidcBench(accounts);
  start = `${bench.url}/v1/auth/oidc/start`;
  const owner = { email: email('ada'), password: 'a long enough password' };
  ({ teamId, ownerId: adaId } = await bench.teams.createTeamWithOwner({ slug: 'first', owner }));
  await bench.teams.createTeamWithOwner({ slug: 'second', owner });
  await bench.teams.addMember(teamId, { ...owner, email: email('grace'), role: 'member' });
});
afterAll(() => bench.stop());

const json = async (response: Response) => (await response.json()) as Record<string, unknown>;
const get = async (path: string, accessToken: unknown) =>
  json(await fetch(`${bench.url}${path}`, { headers: { Authorization: `Bearer ${String(accessToken)}` } }));
const userOf = (name: string) =>
  bench.database.withoutTeam(({ user }) => user.findUnique({ where: { email: email(name) } }));

describe('signing in with an OpenID provider', () => {
  it('starts a session of the account with the verified address, and remembers whose it is', async () => {
    const answer = await json(await signInAs(start, 'ada'));
    expect(answer).toMatchObject({ expiresInS: 900, refreshToken: expect.stringMatching(/^ssr_/) });
    expect(await get('/v1/me', answer.accessToken)).toMatchObject({ id: adaId, team: { slug: 'first' } });
    const sessions = await get('/v1/auth/sessions', answer.accessToken);
    expect(sessions.items).toMatchObject([{ method: 'oidc', current: true }]);
    expect(await auditEntries(bench.database, teamId, 'identity.linked')).toMatchObject([
      { actorId: adaId, targetId: adaId, details: { issuer: bench.provider.issuer, removedPassword: false } },
    ]);
    expect(await auditEntries(bench.database, teamId, 'login.succeeded')).toMatchObject([
      { actorId: adaId, targetId: sessionOf(String(answer.accessToken)), details: { method: 'oidc' } },
    ]);
    // From now on by identity, whatever becomes of the address.
    await bench.database.withoutTeam(({ user }) =>
      user.update({ where: { id: adaId }, data: { email: email('ada.married') } as never }),
    );
    const again = await json(await signInAs(`${start}?team=second`, 'ada'));
    expect(again).toMatchObject({ team: { slug: 'second' } });
    await bench.database.withoutTeam(({ user }) =>
      user.update({ where: { id: adaId }, data: { email: email('ada') } as never }),
    );
    expect(await auditEntries(bench.database, teamId, 'identity.linked')).toHaveLength(1);
  });

  it('sends the browser where it wanted to go, with the refresh token in its cookie', async () => {
    const browser = new Browser();
    const callback = await goThroughProvider(browser, `${start}?returnTo=/runs%3Fstate=done`, 'grace');
    const response = await browser.get(callback.href);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/runs?state=done');
    expect(await response.text()).not.toContain('ssr_');
    expect(browser.cookie(start, 'stallscope_oidc')).toBeUndefined();
    const headers = { 'Content-Type': 'application/json' };
    const refreshed = await browser.get(`${bench.url}/v1/auth/refresh`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(await json(refreshed)).toMatchObject({ team: { slug: 'first' } });
  });

  it.each(['https://evil.test', '//evil.test', '/\\evil.test', 'javascript:alert(1)', '/.//evil.test', ''])(
    'does not send browsers to %p',
    async (returnTo) => {
      const response = await new Browser().get(`${start}?returnTo=${encodeURIComponent(returnTo)}`);
      await expectFetchedProblem(response, 'validation-failed');
    },
  );

  it('asks the provider for a code, bound by PKCE, nonce and state, with a cookie of this browser', async () => {
    const response = await new Browser().get(start);
    expect(response.status).toBe(302);
    const url = new URL(response.headers.get('location') ?? '');
    expect(url.origin).toBe(bench.provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'stallscope',
      response_type: 'code',
      redirect_uri: `${bench.url}/v1/auth/oidc/callback`,
      scope: 'openid email profile',
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
      code_challenge_method: 'S256',
    });
    const state = url.searchParams.get('state') ?? '';
    const [cookie] = response.headers.getSetCookie();
    expect(cookie.split('; ').sort()).toEqual(
      [`stallscope_oidc=${state}`, 'HttpOnly', 'Max-Age=600', 'Path=/v1/auth/oidc', 'SameSite=Lax'].sort(),
    );
    const stored = await bench.database.withoutTeam(({ oidcLogin }) =>
      oidcLogin.findUnique({ where: { stateHash: tokenHash(state) } }),
    );
    expect(stored).not.toBeNull();
    expect(JSON.stringify(stored)).not.toContain(state);
  });
});

describe('a callback', () => {
  it('is refused in another browser, and not used up by it', async () => {
    const browser = new Browser();
    const callback = await goThroughProvider(browser, start, 'ada');
    await expectFetchedProblem(await new Browser().get(callback.href), 'oidc-login-invalid');
    const headers = { Cookie: 'stallscope_oidc=another' };
    await expectFetchedProblem(await fetch(callback, { headers }), 'oidc-login-invalid');
    expect((await browser.get(callback.href)).status).toBe(200);
  });

  it('works once', async () => {
    const browser = new Browser();
    const callback = await goThroughProvider(browser, start, 'ada');
    const cookie = `stallscope_oidc=${browser.cookie(start, 'stallscope_oidc')}`;
    const replay = () => fetch(callback, { headers: { Cookie: cookie } });
    const answers = await Promise.all([replay(), replay(), replay()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    await expectFetchedProblem(await replay(), 'oidc-login-invalid');
  });

  it('is refused with a state that was changed or made up', async () => {
    const browser = new Browser();
    const callback = await goThroughProvider(browser, start, 'ada');
    callback.searchParams.set('state', 'x'.repeat(43));
    await expectFetchedProblem(await browser.get(callback.href), 'oidc-login-invalid');
    const headers = { Cookie: `stallscope_oidc=${'x'.repeat(43)}` };
    await expectFetchedProblem(await fetch(callback, { headers }), 'oidc-login-invalid');
    callback.searchParams.delete('state');
    await expectFetchedProblem(await browser.get(callback.href), 'validation-failed');
  });

  it('is refused with a nonce or a code of another sign-in', async () => {
    const browser = new Browser();
    const otherNonce = await goThroughProvider(browser, start, 'ada', (url) => {
      if (url.searchParams.has('nonce')) url.searchParams.set('nonce', 'n'.repeat(43));
      return url;
    });
    await expectFetchedProblem(await browser.get(otherNonce.href), 'oidc-answer-invalid');

    const mine = await goThroughProvider(browser, start, 'grace');
    const stolen = await goThroughProvider(new Browser(), start, 'ada');
    mine.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    const problem = await expectFetchedProblem(await browser.get(mine.href), 'oidc-answer-invalid');
    expect(JSON.stringify(problem)).not.toContain(mine.searchParams.get('code'));
  });

  it('is refused with the issuer of another provider', async () => {
    const browser = new Browser();
    const callback = await goThroughProvider(browser, start, 'ada');
    callback.searchParams.set('iss', 'https://other.test');
    await expectFetchedProblem(await browser.get(callback.href), 'oidc-answer-invalid');
  });

  it('says so when somebody cancelled, or took too long', async () => {
    const browser = new Browser();
    const cancelled = await goThroughProvider(browser, start);
    const problem = await expectFetchedProblem(await browser.get(cancelled.href), 'oidc-refused');
    expect(problem.detail).toContain('access_denied');
    const late = await goThroughProvider(browser, start, 'ada');
    await bench.database.withoutTeam(({ oidcLogin }) =>
      oidcLogin.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } }),
    );
    await expectFetchedProblem(await browser.get(late.href), 'oidc-login-invalid');
  });
});

describe('people whom the provider vouches for', () => {
  it('are refused without a verified address, even if there is an account with it', async () => {
    await expectFetchedProblem(await signInAs(start, 'unverified'), 'oidc-email-unverified');
    await expectFetchedProblem(await signInAs(start, 'nameless'), 'oidc-email-unverified');
  });

  it('are refused without account and invitation, and leave nothing behind', async () => {
    await expectFetchedProblem(await signInAs(start, 'eve'), 'oidc-account-unknown');
    expect(await userOf('eve')).toBeNull();
    expect(bench.logText()).toContain('e***@example.test');
    expect(bench.logText()).not.toContain('eve@example.test');
  });

  it('do not get the account of somebody who had their address before', async () => {
    await json(await signInAs(start, 'ada'));
    await expectFetchedProblem(await signInAs(start, 'newcomer'), 'oidc-account-taken');
  });

  it('get into teams that they are in only', async () => {
    await expectFetchedProblem(await signInAs(`${start}?team=second`, 'grace'), 'not-a-member');
  });

  it('get an account that a stranger made with an invitation, without the password and sessions of the stranger', async () => {
    const stranger = { email: email('vera'), password: 'chosen by a stranger' };
    await bench.teams.addMember(teamId, { ...stranger, role: 'viewer' });
    const { id } = (await userOf('vera')) ?? { id: '' };
    await bench.database.withoutTeam(({ user }) =>
      user.update({ where: { id }, data: { addressProven: false } }),
    );
    const login = async () => {
      const headers = { 'Content-Type': 'application/json' };
      return fetch(`${bench.url}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(stranger) });
    };
    const before = await json(await login());
    const answer = await json(await signInAs(start, 'vera'));
    expect(await get('/v1/me', answer.accessToken)).toMatchObject({ id, role: 'viewer' });
    await expectFetchedProblem(await login(), 'login-failed');
    expect(await get('/v1/me', before.accessToken)).toMatchObject({ code: 'session-ended' });
    expect(await userOf('vera')).toMatchObject({ passwordHash: null, addressProven: true });
    const linked = await auditEntries(bench.database, teamId, 'identity.linked');
    expect(linked.find(({ targetId }) => targetId === id)).toMatchObject({
      details: { removedPassword: true },
    });
  });

  it('join by an open invitation to the address, in its role, once', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const { id } = await bench.database.forTeam(teamId, async ({ invitation }) => {
      const common = { teamId, email: email('ivy'), expiresAt };
      const over = { ...common, expiresAt: new Date(0), role: 'admin' as const };
      await invitation.create({ data: { ...over, tokenHash: tokenHash('expired') } });
      const revoked = { ...common, role: 'admin' as const, revokedAt: new Date() };
      await invitation.create({ data: { ...revoked, tokenHash: tokenHash('revoked') } });
      return invitation.create({ data: { ...common, role: 'member', tokenHash: tokenHash('open') } });
    });
    await expectFetchedProblem(await signInAs(`${start}?team=second`, 'ivy'), 'oidc-account-unknown');
    const answer = await json(await signInAs(start, 'ivy'));
    expect(await get('/v1/me', answer.accessToken)).toMatchObject({
      role: 'member',
      name: 'ivy',
      team: { slug: 'first' },
    });
    expect(await userOf('ivy')).toMatchObject({ passwordHash: null });
    const [invitation] = await bench.database.forTeam(teamId, (scope) =>
      scope.invitation.findMany({ where: { teamId, id } }),
    );
    expect(invitation.acceptedAt).not.toBeNull();
    expect(await auditEntries(bench.database, teamId, 'invitation.accepted')).toMatchObject([
      { targetId: id, actorName: email('ivy') },
    ]);
    expect(await json(await signInAs(start, 'ivy'))).toMatchObject({ team: { slug: 'first' } });
  });
});
