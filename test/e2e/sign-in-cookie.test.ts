import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';

let api: InProcessApi;
let team: TestTeam;

beforeAll(async () => {
  api = await startInProcessApi({ PUBLIC_URL: 'https://stallscope.test' });
  team = await api.createTeam();
});
afterAll(() => api.stop());

const post = (path: string, body: object, cookie?: string) => {
  const request = api.http().post(`/v1/auth/${path}`);
  return (cookie === undefined ? request : request.set('Cookie', cookie)).send(body);
};

/** The one cookie that an answer sets, as the browser sends it back, and how it was set. */
function cookieOf(response: { headers: Record<string, unknown> }): { sent: string; attributes: string[] } {
  const set = response.headers['set-cookie'] as string[];
  expect(set).toHaveLength(1);
  const [sent, ...attributes] = set[0].split('; ');
  return { sent, attributes: attributes.sort() };
}

async function signInWithCookie(): Promise<string> {
  const login = { email: team.ownerEmail, password: ownerPassword, delivery: 'cookie' };
  return cookieOf(await post('login', login).expect(200)).sent;
}

/** What was used is used for longer than a page takes to come back. */
const letTimePass = () =>
  api.database.withoutTeam(({ refreshToken }) =>
    refreshToken.updateMany({
      where: { usedAt: { not: null } },
      data: { usedAt: new Date(Date.now() - 11_000) },
    }),
  );

describe('a refresh token in a cookie', () => {
  it('is out of reach of scripts, other sites and unencrypted lines, and goes to the sign-in routes only', async () => {
    const login = { email: team.ownerEmail, password: ownerPassword, delivery: 'cookie' };
    const response = await post('login', login).expect(200);
    expect(Object.keys(response.body).sort()).toEqual(['accessToken', 'expiresInS', 'team']);
    const { sent, attributes } = cookieOf(response);
    expect(sent).toMatch(/^stallscope_refresh=ssr_[\w-]{43}$/);
    expect(attributes).toEqual([
      'HttpOnly',
      `Max-Age=${14 * 86_400}`,
      'Path=/v1/auth',
      'SameSite=Strict',
      'Secure',
    ]);
  });

  it('rotates within the cookie, and never leaves it', async () => {
    const first = await signInWithCookie();
    const response = await post('refresh', { delivery: 'body' }, first).expect(200);
    expect(response.body.refreshToken).toBeUndefined();
    const { sent } = cookieOf(response);
    expect(sent).not.toBe(first);
    await letTimePass();
    expectProblem(await post('refresh', {}, first), 'refresh-token-reused');
    expectProblem(await post('refresh', {}, sent), 'session-ended');
  });

  it('may come again for a moment, since a page that is left does not see the answer; then the lost one is used up', async () => {
    const first = await signInWithCookie();
    const lost = cookieOf(await post('refresh', {}, first).expect(200)).sent;
    const next = cookieOf(await post('refresh', {}, first).expect(200)).sent;
    await letTimePass();
    await post('refresh', {}, next).expect(200);
    // Whoever has the lost one is found out.
    expectProblem(await post('refresh', {}, lost), 'refresh-token-reused');
    expectProblem(await post('refresh', {}, next), 'session-ended');
  });

  it('may not come again in a body', async () => {
    const first = await signInWithCookie();
    await post('refresh', {}, first).expect(200);
    const [, refreshToken] = first.split('=');
    expectProblem(await post('refresh', { refreshToken }), 'refresh-token-reused');
  });

  it('is taken away at the end', async () => {
    const cookie = await signInWithCookie();
    const response = await post('logout', {}, cookie).expect(204);
    expect(cookieOf(response)).toMatchObject({
      sent: 'stallscope_refresh=',
      attributes: expect.arrayContaining(['Max-Age=0', 'Path=/v1/auth']),
    });
    expectProblem(await post('refresh', {}, cookie), 'session-ended');
  });

  it('is not read from what another site could make a browser send', async () => {
    const cookie = await signInWithCookie();
    for (const path of ['refresh', 'logout']) {
      const form = api.http().post(`/v1/auth/${path}`).set('Cookie', cookie).type('text/plain').send('{}');
      expectProblem(await form, 'unsupported-media-type');
    }
    const empty = await api.http().post('/v1/auth/logout').set('Cookie', cookie);
    expectProblem(empty, 'unsupported-media-type');
    const { headers } = await api
      .http()
      .options('/v1/auth/refresh')
      .set({ Origin: 'https://evil.stallscope.test', 'Access-Control-Request-Method': 'POST' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    await post('refresh', {}, cookie).expect(200);
  });

  it('survives cookies that are broken', async () => {
    for (const cookie of ['=;;=', 'stallscope_refresh', 'stallscope_refresh=%E0%A4%A', '__proto__=x']) {
      const response = await post('refresh', {}, cookie);
      expect(response.status).toBe(401);
    }
  });
});
