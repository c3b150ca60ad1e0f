import { type Response, type Test } from 'supertest';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';
import { createMarkedTeam, type MarkedTeam } from '../harness/marked-team';

const ORIGIN = 'https://app.example.org';
const OTHER_ORIGINS = [
  'https://evil.example.org',
  'https://app.example.org.evil.test',
  'https://app.example.org:444',
  'http://app.example.org',
  'https://APP.example.org.',
  'null',
];

let team: MarkedTeam;

/** One answer of each kind. */
const kindsOf = (api: InProcessApi): [string, () => Test][] => [
  ['data', () => api.http().get('/v1/runs').set(team.owner)],
  [
    'a stream of events',
    () => api.http().get(`/v1/runs/${team.ids['/v1/runs/{id}']}/events`).set(team.owner),
  ],
  ['a report in Markdown', () => report(api).set('Accept', 'text/markdown')],
  ['nothing new', () => report(api).set('If-None-Match', '*')],
  ['nothing at all', () => api.http().delete(`/v1/tokens/${team.ids['/v1/tokens/{id}']}`).set(team.owner)],
  ['no credential', () => api.http().get('/v1/runs')],
  ['a wrong query', () => api.http().get('/v1/runs?limit=x').set(team.owner)],
  ['a broken body', () => api.http().post('/v1/runs').set(team.owner).type('json').send('{')],
  ['no such path', () => api.http().get('/v1/nothing')],
  ['no such page', () => api.http().get('/nothing')],
  ['a path that cannot be read', () => api.http().get('/v1/runs/%FF').set(team.owner)],
  ['the document', () => api.http().get('/openapi.json')],
  ['health', () => api.http().get('/health/live')],
  ['a page', () => api.http().get('/docs').redirects(1)],
];
const report = (api: InProcessApi) =>
  api.http().get(`/v1/runs/${team.ids['/v1/runs/{id}']}/report`).set(team.owner);

const corsHeadersOf = ({ headers }: Response) =>
  Object.keys(headers as object).filter((name) => name.startsWith('access-control-'));

describe('an installation that names no origins', () => {
  let api: InProcessApi;
  beforeAll(async () => {
    api = await startInProcessApi({ PUBLIC_URL: 'https://stallscope.example.org' });
    team = await createMarkedTeam(api, 'plain');
  });
  afterAll(() => api.stop());

  it('gives every kind of answer the headers that keep browsers from harm', async () => {
    const statuses: Record<string, number> = {};
    for (const [kind, ask] of kindsOf(api)) {
      const { headers, status } = await ask();
      statuses[kind] = status;
      expect({ kind, ...headers }).toMatchObject({
        kind,
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': expect.stringMatching(
          /^default-src '(none|self)'.*frame-ancestors 'none'/,
        ) as string,
        'strict-transport-security': expect.stringContaining('max-age=') as string,
        'x-request-id': expect.any(String) as string,
      });
      expect([kind, headers['x-powered-by'], headers.server]).toEqual([kind, undefined, undefined]);
      const isPage = kind === 'a page' || kind === 'no such page';
      const cache = (headers as Record<string, string>)['cache-control'] ?? '';
      const opener = (headers as Record<string, string>)['cross-origin-opener-policy'];
      expect([kind, opener]).toEqual([kind, isPage ? 'same-origin-allow-popups' : 'same-origin']);
      expect([kind, isPage || /no-store|private, no-cache/.test(cache)]).toEqual([kind, true]);
    }
    expect(Object.values(statuses)).toEqual([
      200, 200, 200, 304, 204, 401, 400, 400, 404, 404, 400, 200, 200, 200,
    ]);
  });

  it('lets no page of another origin read anything', async () => {
    for (const [kind, ask] of kindsOf(api)) {
      expect([kind, corsHeadersOf(await ask().set('Origin', ORIGIN))]).toEqual([kind, []]);
    }
    const preflight = api.http().options('/v1/runs').set('Origin', ORIGIN);
    const answer = await preflight.set('Access-Control-Request-Method', 'GET');
    expect([answer.status, corsHeadersOf(answer)]).toEqual([404, []]);
  });
});

describe('an installation that names origins', () => {
  let api: InProcessApi;
  beforeAll(async () => {
    api = await startInProcessApi({ CORS_ORIGINS: `${ORIGIN}, http://127.0.0.1:3000` });
    team = await createMarkedTeam(api, 'open');
  });
  afterAll(() => api.stop());

  it('lets pages of exactly these read every kind of answer, refusals too', async () => {
    for (const origin of [ORIGIN, 'http://127.0.0.1:3000']) {
      for (const [kind, ask] of kindsOf(api)) {
        const { headers } = await ask().set('Origin', origin);
        expect({ kind, ...headers }).toMatchObject({
          kind,
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': expect.stringContaining('Retry-After') as string,
          vary: expect.stringContaining('Origin') as string,
        });
      }
    }
  });

  it('lets no others read, and never all', async () => {
    for (const origin of OTHER_ORIGINS) {
      const { headers } = await api.http().get('/v1/runs').set(team.owner).set('Origin', origin);
      expect([origin, headers['access-control-allow-origin']]).toEqual([origin, undefined]);
      expect(headers.vary).toContain('Origin');
    }
  });

  it('answers what browsers ask first, without a credential', async () => {
    const ask = (origin: string) =>
      api
        .http()
        .options('/v1/runs')
        .set('Origin', origin)
        .set('Access-Control-Request-Method', 'POST')
        .set('Access-Control-Request-Headers', 'authorization,idempotency-key');
    const { headers } = await ask(ORIGIN).expect(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': expect.stringContaining('PATCH') as string,
      'access-control-allow-headers': expect.stringMatching(
        /Authorization.*Idempotency-Key.*Last-Event-ID/,
      ) as string,
      'x-content-type-options': 'nosniff',
    });
    for (const origin of OTHER_ORIGINS) {
      expect((await ask(origin)).headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});
