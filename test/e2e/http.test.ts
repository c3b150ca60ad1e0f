import { type OpenAPIObject } from '@nestjs/swagger';
import { connect } from 'node:net';
import { Client } from 'pg';
import { Metrics } from '../../src/platform/telemetry';
import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';

let api: InProcessApi;
let team: TestTeam;
let admin: { Authorization: string };

beforeAll(async () => {
  api = await startInProcessApi({ REQUEST_BODY_BYTES: '2KiB' });
  team = await api.createTeam();
  admin = await api.tokenHeader(team.teamId, ['admin']);
});
afterAll(() => api.stop());

const json = (body: string) =>
  api.http().post('/v1/tokens').set(admin).set('Content-Type', 'application/json').send(body);

type OperationObject = Required<OpenAPIObject>['paths'][string]['get'] & object;

describe('requests that are wrong', () => {
  it('get a problem that says what and what to do', async () => {
    expectProblem(await api.http().get('/nothing/here'), 'route-not-found');
    expectProblem(await api.http().put('/v1/me'), 'route-not-found');
    expectProblem(await json('{"name": "x"'), 'malformed-json');
    expectProblem(await json('"text"'), 'malformed-json');
    expectProblem(await json(JSON.stringify({ name: 'x'.repeat(4096) })), 'payload-too-large');
    expectProblem(
      await json('{}').set('Content-Type', 'application/json; charset=x'),
      'unsupported-media-type',
    );
    expectProblem(await json('a,b').set('Content-Type', 'text/csv'), 'unsupported-media-type');
    expectProblem(await api.http().delete('/v1/tokens/%FF').set(admin), 'malformed-request');
    expectProblem(await json('{}'), 'validation-failed');
  });

  it('never quote a body that cannot be read', async () => {
    const response = await json('{"password": "hunter2"');
    expect(expectProblem(response, 'malformed-json').detail).not.toContain('hunter2');
    expect(api.logText()).not.toContain('hunter2');
  });

  it('do not blow up when compressed', async () => {
    const { gzipSync } = await import('node:zlib');
    const bomb = gzipSync(Buffer.from(JSON.stringify({ name: 'x'.repeat(5_000_000) })));
    const response = await api
      .http()
      .post('/v1/tokens')
      .set(admin)
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', 'gzip')
      .serialize((body: unknown) => body as string)
      .send(bomb);
    expectProblem(response, 'payload-too-large');
  });
});

describe('every answer', () => {
  it('carries a request id: the one offered when it is sane', async () => {
    const id = (offered: string) => api.http().get('/health/live').set('x-request-id', offered);
    expect((await id('trace-1.2_3')).headers['x-request-id']).toBe('trace-1.2_3');
    for (const bad of ['has space', 'x'.repeat(65), '-leading', 'a{b}']) {
      expect((await id(bad)).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('carries security headers and is not cached', async () => {
    const { headers } = await api.http().get('/v1/me').set(admin).expect(200);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it('leaves a line in the log with team, route and status, and without secrets', async () => {
    await api
      .http()
      .post('/v1/auth/login')
      .send({ email: team.ownerEmail, password: ownerPassword })
      .expect(200);
    await api.http().get('/v1/tokens?limit=1').set(admin).set('x-request-id', 'look-me-up').expect(200);
    await api.http().get('/nowhere?X-Amz-Signature=abcdef0123').set(admin);
    const lines = api
      .logText()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ requestId }) => requestId === 'look-me-up')).toEqual([
      expect.objectContaining({
        ...{ level: 'info', msg: 'request', method: 'GET', route: '/v1/tokens', status: 200 },
        ...{ teamId: team.teamId, principal: 'token', durationMs: expect.any(Number) as number },
      }),
    ]);
    expect(api.logText()).not.toContain(admin.Authorization.slice('Bearer '.length));
    expect(api.logText()).not.toContain(ownerPassword);
    expect(api.logText()).not.toContain('abcdef0123');
  });
});

describe('metrics', () => {
  it('are not for clients; they count requests by route and status, and name no team', async () => {
    await api.http().get('/v1/me').set(admin).expect(200);
    await api.http().get(`/v1/${team.teamId}`);
    await api.http().get('/metrics').expect(404);
    const text = await api.app.get(Metrics).registry.metrics();
    expect(text).toMatch(
      /stallscope_http_request_duration_seconds_count\{method="GET",route="\/v1\/me",status="200"\} [1-9]/,
    );
    expect(text).toMatch(/_count\{method="GET",route="unmatched",status="404"\} [1-9]/);
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(text).not.toContain(team.teamId);
  });
});

const publicOperations = [
  ...['login', 'refreshSession', 'logout', 'getSignInMethods', 'startOidcLogin', 'finishOidcLogin'],
  ...['previewInvitation', 'acceptInvitation', 'resetPassword', 'getLiveness', 'getReadiness'],
];

describe('the OpenAPI document', () => {
  it('describes every operation: name, credential, problems', async () => {
    const document = (await api.http().get('/openapi.json').expect(200)).body as OpenAPIObject;
    const operations = Object.values(document.paths).flatMap(
      (path) => Object.values(path) as OperationObject[],
    );
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { operationId, summary, security, responses } of operations) {
      expect({ operationId, summary }).toEqual({
        operationId: expect.any(String),
        summary: expect.any(String),
      });
      expect(security).toEqual(publicOperations.includes(operationId ?? '') ? [] : [{ bearer: [] }]);
      expect(responses.default).toMatchObject({
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      });
      expect(Object.keys(responses).some((status) => /^[23]/.test(status))).toBe(true);
    }
  });

  it('refers to schemas that are there', async () => {
    const { text } = await api.http().get('/openapi.json').expect(200);
    const { components } = JSON.parse(text) as OpenAPIObject;
    const referred = [...text.matchAll(/"\$ref": *"([^"]+)"/g)].map(([, ref]) => ref);
    expect(referred.length).toBeGreaterThan(10);
    for (const ref of referred) {
      expect(Object.keys(components?.schemas ?? {}).map((name) => `#/components/schemas/${name}`)).toContain(
        ref,
      );
    }
    expect(text).not.toContain('x-nestjs_zod');
  });

  it('is shown at /docs, whose scripts the policy allows', async () => {
    const page = await api.http().get('/docs').redirects(1).expect(200);
    const scripts = [...page.text.matchAll(/<script src="([^"]+)"/g)].map(([, path]) => path);
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) await api.http().get(new URL(script, 'http://h/docs').pathname).expect(200);
    expect(page.text).not.toMatch(/<script>(?!\s*<)/);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  });
});

describe('trouble on our side', () => {
  let owner: Client;
  beforeAll(async () => {
    const url = new URL(api.environment.ownerUrl);
    url.pathname = '/postgres';
    owner = new Client({ connectionString: url.toString() });
    await owner.connect();
  });
  afterAll(() => owner.end());

  it('shows a request id and nothing of the inside', async () => {
    const direct = new Client({ connectionString: api.environment.ownerUrl });
    await direct.connect();
    await direct.query('ALTER TABLE api_tokens RENAME COLUMN prefix TO gone');
    const response = await api.http().get('/v1/tokens').set(admin).set('x-request-id', 'broken-1');
    await direct.query('ALTER TABLE api_tokens RENAME COLUMN gone TO prefix');
    await direct.end();
    const problem = expectProblem(response, 'internal-error');
    expect(problem.instance).toBe('urn:stallscope:request:broken-1');
    expect(JSON.stringify(problem)).not.toMatch(/prefix|column|api_tokens|prisma/i);
    expect(api.logText()).toMatch(/"requestId":"broken-1".*prefix/);
    await api.http().get('/v1/tokens').set(admin).expect(200);
  });

  it('is a 503 with Retry-After while the database is away, and over when it is back', async () => {
    const name = new URL(api.environment.ownerUrl).pathname.slice(1);
    await owner.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await owner.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    const away = await api.http().get('/v1/tokens').set(admin);
    const alsoReady = await api.http().get('/health/ready');
    await owner.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    // A connection may be lost after the commit was sent: nothing is promised.
    expect(expectProblem(away, 'database-unavailable').detail).toMatch(/whether .* is not known/);
    expect(Number(away.headers['retry-after'])).toBeGreaterThan(0);
    expect(expectProblem(alsoReady, 'not-ready').errors?.map(({ field }) => field)).toContain('database');
    await api.http().get('/v1/tokens').set(admin).expect(200);
  });

  it('keeps serving after its connections were cut in the middle of work', async () => {
    const name = new URL(api.environment.ownerUrl).pathname.slice(1);
    const requests = Array.from({ length: 20 }, () => api.http().get('/v1/tokens').set(admin));
    const answers = Promise.all(requests);
    await owner.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    for (const answer of await answers) expect([200, 503]).toContain(answer.status);
    await api.http().get('/v1/tokens').set(admin).expect(200);
  });
});

describe('a connection that sends half a body', () => {
  it('is told so when the client gives up', async () => {
    const { port } = api.app.getHttpServer().address() as { port: number };
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /v1/auth/login HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a"',
    );
    socket.end();
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk))).on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^(HTTP\/1.1 400 |$)/);
    await api.http().get('/health/live').expect(200);
  });
});
