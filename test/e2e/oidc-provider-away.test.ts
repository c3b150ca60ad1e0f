import { type AddressInfo, createServer, type Server } from 'node:net';
import { Browser } from '../harness/browser';
import { createTestEnvironment } from '../harness/environment';
import { expectFetchedProblem } from '../harness/expect-problem';
import { goThroughProvider, signInAs, startOidcBench } from '../harness/oidc-bench';
import { productProcesses } from '../harness/processes';

const processes = productProcesses();
afterAll(() => processes.stopAll());

/** An API whose provider is at the address; nothing else of it is needed. */
async function startApiWith(issuer: string) {
  const { env } = await createTestEnvironment({
    PUBLIC_URL: 'http://127.0.0.1:1',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'stallscope',
    OIDC_CLIENT_SECRET: 'secret',
  });
  return processes.startApi(env);
}

const listen = (server: Server) =>
  new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );

describe('while the OpenID provider is away', () => {
  it('says so when nothing listens there, and lets people in when it is back', async () => {
    const server = createServer();
    const issuer = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const api = await startApiWith(issuer);
    const response = await fetch(`${api.baseUrl}/v1/auth/oidc/start`);
    const problem = await expectFetchedProblem(response, 'oidc-unavailable');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(problem)).not.toContain('ECONNREFUSED');
    expect(api.output()).toContain('ECONNREFUSED');
    expect((await fetch(`${api.baseUrl}/health/ready`)).status).toBe(200);
  });

  it('does not wait for ever when it takes connections and never answers', async () => {
    const server = createServer(() => undefined);
    const api = await startApiWith(await listen(server));
    const starts = [1, 2, 3].map(() => fetch(`${api.baseUrl}/v1/auth/oidc/start`));
    for (const start of starts) await expectFetchedProblem(await start, 'oidc-unavailable');
    server.close();
  });

  it('does not believe what is no OpenID provider', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'),
      );
    });
    const api = await startApiWith(await listen(server));
    await expectFetchedProblem(await fetch(`${api.baseUrl}/v1/auth/oidc/start`), 'oidc-answer-invalid');
    server.close();
  });

  it('says so to people who come back, and passwords still work', async () => {
    const bench = await startOidcBench({ ada: { email: 'ada@example.test', email_verified: true } });
    const login = { email: 'ada@example.test', password: 'a long enough password' };
    await bench.teams.createTeamWithOwner({ slug: 'first', owner: login });
    const browser = new Browser();
    const start = `${bench.url}/v1/auth/oidc/start`;
    const callback = await goThroughProvider(browser, start, 'ada');
    await bench.provider.process.kill();
    await expectFetchedProblem(await browser.get(callback.href), 'oidc-unavailable');
    // What the provider said of itself is known for a while.
    expect((await new Browser().get(start)).status).toBe(302);
    const response = await fetch(`${bench.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(login),
    });
    expect(response.status).toBe(200);
    await bench.stop();
  });
});

describe('OIDC_AUTO_JOIN_TEAM', () => {
  it('lets people of the provider in who are in no team, in the role of OIDC_AUTO_JOIN_ROLE', async () => {
    const accounts = {
      ada: { email: 'ada@example.test', email_verified: true },
      eve: { email: 'eve@example.test', email_verified: true },
      unverified: { email: 'u@example.test', email_verified: false },
    };
    const bench = await startOidcBench(accounts, { OIDC_AUTO_JOIN_TEAM: 'everybody' });
    const start = `${bench.url}/v1/auth/oidc/start`;
    await expectFetchedProblem(await signInAs(start, 'eve'), 'oidc-account-unknown');
    const owner = { email: 'ada@example.test', password: 'a long enough password' };
    await bench.teams.createTeamWithOwner({ slug: 'other', owner });
    await bench.teams.createTeamWithOwner({
      slug: 'everybody',
      owner: { ...owner, email: 'o@example.test' },
    });
    const roleOf = async (account: string) => {
      const { accessToken, team } = (await (await signInAs(start, account)).json()) as {
        accessToken: string;
        team: { slug: string };
      };
      const headers = { Authorization: `Bearer ${accessToken}` };
      const me = (await (await fetch(`${bench.url}/v1/me`, { headers })).json()) as { role: string };
      return `${me.role} of ${team.slug}`;
    };
    expect(await roleOf('eve')).toBe('viewer of everybody');
    expect(await roleOf('eve')).toBe('viewer of everybody');
    // Who is in a team already stays there.
    expect(await roleOf('ada')).toBe('owner of other');
    await expectFetchedProblem(await signInAs(start, 'unverified'), 'oidc-email-unverified');
    await bench.stop();
  });
});
