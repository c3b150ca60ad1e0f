import { Redis } from 'ioredis';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';

const limits = {
  REQUESTS_PER_MINUTE_PER_TEAM: '12',
  REQUESTS_PER_MINUTE_PER_CREDENTIAL: '8',
  REQUESTS_PER_MINUTE_PER_ADDRESS: '6',
};

describe('limits of requests', () => {
  let api: InProcessApi;
  let teamId: string;

  beforeAll(async () => {
    api = await startInProcessApi(limits);
  });
  beforeEach(async () => {
    ({ teamId } = await api.createTeam());
  });
  afterAll(() => api.stop());

  const me = (header: { Authorization: string }) => api.http().get('/v1/me').set(header);

  it('say with every answer what is left, and refuse what is too much for a credential', async () => {
    const header = await api.tokenHeader(teamId, ['runs:read']);
    const first = await me(header);
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '8',
      'ratelimit-remaining': '7',
      'ratelimit-policy': '8;w=60',
    });
    expect(Number(first.headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
    for (let left = 6; left >= 0; left--)
      expect((await me(header)).headers['ratelimit-remaining']).toBe(String(left));
    const refused = await me(header);
    expect(expectProblem(refused, 'rate-limited').detail).toContain('this credential');
    expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);
    expect(refused.headers['ratelimit-remaining']).toBe('0');
  });

  it('hold for all credentials of a team together, and for no other team', async () => {
    const headers = [
      await api.tokenHeader(teamId, ['runs:read']),
      await api.tokenHeader(teamId, ['runs:read']),
    ];
    for (let i = 0; i < 12; i++) expect((await me(headers[i % 2])).status).toBe(200);
    expect(expectProblem(await me(headers[0]), 'rate-limited').detail).toContain('your team');
    const other = await api.createTeam();
    expect((await me(await api.tokenHeader(other.teamId, ['runs:read']))).status).toBe(200);
  });

  it('refuse an upload before its body is read', async () => {
    const header = await api.tokenHeader(teamId, ['runs:write']);
    for (let i = 0; i < 8; i++) await me(header);
    const refused = await api
      .http()
      .put('/v1/ingest?model=m&cluster=c')
      .set(header)
      .send(Buffer.alloc(100_000));
    expectProblem(refused, 'rate-limited');
  });

  it('hold for an address where no credential is needed, but never for health checks', async () => {
    const statuses = [];
    for (let i = 0; i < 8; i++) statuses.push((await api.http().post('/v1/auth/login').send({})).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429, 429]);
    for (let i = 0; i < 20; i++) expect((await api.http().get('/health/live')).status).toBe(200);
  });

  it('hold for what a credential may not do, too', async () => {
    const header = await api.tokenHeader(teamId, ['runs:read']);
    const statuses = new Set<number>();
    for (let i = 0; i < 301; i++) statuses.add((await api.http().get('/v1/tokens').set(header)).status);
    expect([...statuses]).toEqual([403, 429]);
  });

  it('are counted in Redis, where other processes see them; a queue in Postgres has none', async () => {
    const { REDIS_URL, QUEUE_PREFIX } = api.environment.env;
    const header = await api.tokenHeader(teamId, ['runs:read']);
    for (let i = 0; i < 8; i++) await me(header);
    if (REDIS_URL === undefined) return;
    const redis = new Redis(REDIS_URL);
    const keys = await redis.keys(`${QUEUE_PREFIX}:rate:requests-credential:*`);
    expect(keys.length).toBeGreaterThan(0);
    const counts = await redis.mget(keys);
    expect(counts).toContain('8');
    redis.disconnect();
  });
});

describe('limits of requests as they are unless set', () => {
  it('let a run of 600 ranks through as fast as it comes', async () => {
    const api = await startInProcessApi();
    try {
      const { teamId } = await api.createTeam();
      const header = await api.tokenHeader(teamId, ['runs:read', 'runs:write']);
      const { body } = await api.http().post('/v1/runs').set(header).send({ model: 'm', cluster: 'c' });
      const path = `/v1/runs/${(body as { id: string }).id}/artifacts/${teamId}/parts`;
      const statuses = new Set<number>();
      for (let i = 0; i < 36; i++) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, () =>
            api
              .http()
              .get(path)
              .set(header)
              .then(({ status }) => status),
          ),
        );
        for (const status of answers) statuses.add(status);
      }
      expect([...statuses]).toEqual([404]);
    } finally {
      await api.stop();
    }
  });
});
