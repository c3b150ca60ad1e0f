import { randomUUID } from 'node:crypto';
import { fillRuns, type SeededRun } from '../harness/seed-runs';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';

interface Page {
  items: { id: string; model: string; metrics: { id: string; value: number | null }[] }[];
  nextCursor: string | null;
}

let api: InProcessApi;
let team: TestTeam;
let reader: { Authorization: string };
let runs: SeededRun[];

beforeAll(async () => {
  api = await startInProcessApi();
  team = await api.createTeam();
  reader = await api.tokenHeader(team.teamId, ['runs:read']);
  runs = await fillRuns(api.database, team.teamId, 24);
});
afterAll(() => api.stop());

const list = async (query: string): Promise<Page> => {
  const { body } = await api.http().get(`/v1/runs?${query}`).set(reader).expect(200);
  return body as Page;
};
const idsOf = async (query: string) => (await list(query)).items.map(({ id }) => id);
const expected = (wanted: (run: SeededRun) => boolean) => runs.filter(wanted).map(({ id }) => id);

/** Every id, in pages of this size. */
async function walk(query: string, limit: number): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await list(`${query}&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return seen;
}

describe('filters of GET /v1/runs', () => {
  it.each<[string, (run: SeededRun) => boolean]>([
    ['model=m1', ({ model }) => model === 'm1'],
    ['cluster=c0', ({ cluster }) => cluster === 'c0'],
    ['workload=w0', ({ workload }) => workload === 'w0'],
    ['branch=main', ({ branch }) => branch === 'main'],
    ['commit=abc3', ({ commit }) => commit === 'abc3'],
    ['state=failed', ({ state }) => state === 'failed'],
    ['verdict=communication', ({ verdict }) => verdict === 'communication'],
    ['tag=nightly', ({ tags }) => tags.includes('nightly')],
    ['tag=nightly&tag=gpu', ({ tags }) => tags.includes('nightly') && tags.includes('gpu')],
    ['metric=mfu:0.2..0.4', ({ mfu }) => mfu !== null && mfu >= 0.2 && mfu <= 0.4],
    ['metric=mfu:..0.3', ({ mfu }) => mfu !== null && mfu <= 0.3],
    ['metric=mfu:..', ({ mfu }) => mfu !== null],
    [
      'metric=mfu:0.2..&metric=step-time:..2e8',
      ({ mfu, stepNs }) => mfu !== null && mfu >= 0.2 && stepNs !== null && stepNs <= 2e8,
    ],
    [
      'model=m1&branch=main&tag=gpu',
      (run) => run.model === 'm1' && run.branch === 'main' && run.tags.includes('gpu'),
    ],
    ['tag=nobody', () => false],
  ])('%s', async (query, wanted) => {
    const ids = expected(wanted);
    if (query !== 'tag=nobody') expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(runs.length);
    expect(await idsOf(`${query}&limit=200`)).toEqual(ids);
  });

  it('by time, from inclusive, to exclusive', async () => {
    const [from, to] = [runs[9].createdAt, runs[3].createdAt];
    const query = new URLSearchParams({ createdFrom: from.toISOString(), createdTo: to.toISOString() });
    expect(await idsOf(query.toString())).toEqual(
      expected(({ createdAt }) => createdAt >= from && createdAt < to),
    );
  });

  it.each([
    ['metric=nope:0..1', /unknown metric; the metrics are step-time, .*mfu/],
    ['metric=mfu', /must be <metric>:<min>\.\.<max>/],
    ['metric=mfu:1..0', /swapped/],
    ['metric=mfu:NaN..', /must be/],
    ['metric=mfu:1e999..', /must be/],
    ['sort=metric:nope', /the metrics are step-time/],
    ['sort=model', /must be createdAt or metric/],
    ['sort=-metric:__proto__', /must be createdAt/],
    ['createdFrom=0000-01-01T00:00:00Z', /1970/],
    ['createdFrom=yesterday', /./],
    ['verdict=slow', /input-pipeline/],
    ['state=gone', /queued/],
    ['tag=', /./],
    [Array.from({ length: 11 }, (_, i) => `tag=t${i}`).join('&'), /./],
    ['model=a&model=b', /./],
    ['text=x', /known field/],
  ])('refuse %s, and say why', async (query, why) => {
    const response = await api.http().get(`/v1/runs?${query}`).set(reader);
    expect(JSON.stringify(expectProblem(response, 'validation-failed').errors)).toMatch(why);
  });
});

describe('the order of GET /v1/runs', () => {
  const byValue = (direction: 1 | -1) => {
    const valued = runs.filter(({ mfu }) => mfu !== null).sort((a, b) => direction * (a.mfu! - b.mfu!));
    return { values: valued.map(({ mfu }) => mfu), without: expected(({ mfu }) => mfu === null) };
  };

  it('is the newest first, or the oldest', async () => {
    expect(await walk('', 7)).toEqual(expected(() => true));
    expect(await walk('sort=createdAt', 5)).toEqual(expected(() => true).reverse());
  });

  it.each([
    ['metric:mfu', 1, 5],
    ['metric:mfu', 1, 1],
    ['-metric:mfu', -1, 4],
    ['-metric:mfu', -1, 24],
  ] as const)(
    'is %s: ties once each, runs without the value last, pages of any size',
    async (sort, sign, limit) => {
      const seen = await walk(`sort=${sort}`, limit);
      expect([...seen].sort()).toEqual(expected(() => true).sort());
      const { values, without } = byValue(sign);
      const seenValues = seen.map((id) => runs.find((run) => run.id === id)!.mfu);
      expect(seenValues.slice(0, values.length)).toEqual(values);
      expect(seen.slice(values.length)).toEqual(without);
      expect(without.length).toBeGreaterThan(3);
      expect(new Set(values).size).toBeLessThan(values.length);
    },
  );

  it('stays total with filters, and shows a run that came meanwhile at most once', async () => {
    const first = await list('sort=-createdAt&limit=3');
    const [late] = await fillRuns(api.database, team.teamId, 1);
    const second = await list(`sort=-createdAt&limit=200&cursor=${first.nextCursor}`);
    await api.database.forTeam(team.teamId, ({ run }) => run.delete({ where: { id: late.id } }));
    const seen = [...first.items, ...second.items].map(({ id }) => id);
    expect(seen).toEqual(expected(() => true));
    expect(await walk('sort=metric:step-time&branch=main', 2)).toHaveLength(
      expected(({ branch }) => branch === 'main').length,
    );
  });

  it('has cursors that hold for nothing else', async () => {
    const { nextCursor } = await list('sort=metric:mfu&model=m1&limit=2');
    expect(nextCursor).not.toBeNull();
    for (const query of [
      'sort=metric:mfu',
      'model=m1',
      'sort=-metric:mfu&model=m1',
      'sort=metric:hfu&model=m1',
    ]) {
      expectProblem(
        await api.http().get(`/v1/runs?${query}&cursor=${nextCursor}`).set(reader),
        'cursor-invalid',
      );
    }
    await api
      .http()
      .get(`/v1/runs?model=m1&cursor=${nextCursor}&sort=metric:mfu&limit=9`)
      .set(reader)
      .expect(200);
  });

  it('refuses cursors that were made up', async () => {
    const { nextCursor } = await list('limit=2');
    const [fingerprint] = JSON.parse(Buffer.from(nextCursor ?? '', 'base64url').toString()) as [string];
    const forge = (place: unknown) => Buffer.from(JSON.stringify([fingerprint, place])).toString('base64url');
    const forged = [
      forge({ micros: -1, runId: randomUUID() }),
      forge({ micros: 1e300, runId: randomUUID() }),
      forge({ micros: '1', runId: randomUUID() }),
      forge({ micros: 1, runId: "'" }),
      forge({ value: 1, analysisId: randomUUID() }),
      forge(null),
      ...['x', randomUUID(), 'A'.repeat(2000)],
    ];
    for (const cursor of forged) {
      const response = await api.http().get(`/v1/runs?limit=2&cursor=${cursor}`).set(reader);
      expectProblem(response, 'cursor-invalid');
    }
    for (const cursor of ['%00', 'a b', '../x', 'A'.repeat(3000), '']) {
      const response = await api.http().get(`/v1/runs?limit=2&cursor=${cursor}`).set(reader);
      expectProblem(response, 'validation-failed');
    }
  });
});

describe('a run in the list', () => {
  it('has its verdict and its headline metrics, as the catalogue says', async () => {
    const { body } = await api.http().get('/v1/metrics-catalogue').set(reader).expect(200);
    const entries = (body as { items: { id: string; headline: boolean }[] }).items;
    const { items } = await list('sort=-metric:mfu&limit=1');
    expect(items[0]).toMatchObject({ verdict: { summary: 's', confidence: 'high' } });
    const headline = entries.filter((entry) => entry.headline).map(({ id }) => id);
    expect(headline).toEqual(expect.arrayContaining(items[0].metrics.map(({ id }) => id)));
    expect(items[0].metrics.map(({ id }) => id)).toEqual(['step-time', 'mfu']);
  });

  it('is not sent again to a client that has the page', async () => {
    const { headers } = await api.http().get('/v1/runs?limit=3').set(reader).expect(200);
    const again = api.http().get('/v1/runs?limit=3').set(reader).set('If-None-Match', headers.etag);
    expect((await again.expect(304)).text).toBe('');
    await api.http().get('/v1/runs?limit=4').set(reader).set('If-None-Match', headers.etag).expect(200);
  });
});

describe('a token that is limited', () => {
  it('sees the runs within its limits, whatever it asks for', async () => {
    const limits = { models: ['m1'], clusters: ['c0'] };
    const { token } = await api.teams.createApiToken(team.teamId, {
      name: 'l',
      scopes: ['runs:read'],
      limits,
    });
    const header = { Authorization: `Bearer ${token}` };
    const inside = expected(({ model, cluster }) => model === 'm1' && cluster === 'c0');
    for (const query of ['', 'sort=createdAt', 'sort=metric:mfu']) {
      const { body } = await api.http().get(`/v1/runs?limit=200&${query}`).set(header).expect(200);
      expect((body as Page).items.map(({ id }) => id).sort()).toEqual([...inside].sort());
    }
    const outside = await api.http().get('/v1/runs?model=m0').set(header).expect(200);
    expect((outside.body as Page).items).toEqual([]);
    await api.http().get(`/v1/runs/${inside[0]}`).set(header).expect(200);
    const other = expected(({ model }) => model === 'm0')[0];
    for (const path of ['', '/artifacts', '/report', '/steps', '/events']) {
      expectProblem(await api.http().get(`/v1/runs/${other}${path}`).set(header), 'run-not-found');
    }
  });
});
