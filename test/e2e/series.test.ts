import { randomUUID } from 'node:crypto';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { fillTrendTeam, readTrend, stepOf, timeOf } from '../harness/trend-team';

let api: InProcessApi;
let team: TestTeam;
let reader: { Authorization: string };

beforeAll(async () => {
  api = await startInProcessApi();
  team = await api.createTeam();
  reader = await api.tokenHeader(team.teamId, ['runs:read']);
  await fillTrendTeam(api, team.teamId);
});
afterAll(() => api.stop());

const trend = (query: Record<string, string | number>, headers = reader) => readTrend(api, headers, query);

describe('GET /v1/series', () => {
  const list = async (query: string) =>
    (await api.http().get(`/v1/series?${query}`).set(reader).expect(200)).body as {
      items: { id: string; runs: number; model: string; conditions: { name: string; value: string }[] }[];
      nextCursor: string | null;
    };

  it.each([
    ['', 3],
    ['model=alpha', 2],
    ['cluster=other', 1],
    ['workload=tuning', 1],
    ['q=b200', 1],
    ['q=TUNING', 1],
    ['q=%25', 0],
  ])('filters by %s', async (query, count) => {
    expect((await list(query)).items).toHaveLength(count);
  });

  it('gives each once, page by page, with what makes its runs comparable', async () => {
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.nextCursor}`);
    expect(second.nextCursor).toBeNull();
    const items = [...first.items, ...second.items];
    expect(new Set(items.map(({ id }) => id)).size).toBe(3);
    expect(items.map(({ runs }) => runs)).toEqual([60, 8, 4]);
    expect(items[0].conditions).toEqual([
      { name: 'gpu', value: 'h200' },
      { name: 'dtype', value: 'bf16' },
    ]);
    expectProblem(
      await api.http().get(`/v1/series?q=x&cursor=${first.nextCursor}`).set(reader),
      'cursor-invalid',
    );
  });

  it('shows one with its metrics, level changes and open regressions', async () => {
    const { items } = await list('model=alpha&cluster=c');
    const at = new Date(timeOf(20));
    const of = { teamId: team.teamId, seriesId: items[0].id, branch: 'main' };
    await api.database.forTeam(team.teamId, async ({ seriesSegment, regression }) => {
      await seriesSegment.create({ data: { ...of, at, reason: 'worse' } });
      const change = { metricId: 'mfu', metrics: [{ metricId: 'step-time' }], before: 1, after: 2 };
      await regression.create({ data: { ...of, ...change, changeRatio: 1, firstBadAt: at } });
    });
    const { body } = await api.http().get(`/v1/series/${items[0].id}`).set(reader).expect(200);
    expect(body).toMatchObject({
      ...{ runs: 60, openRegressions: 1, branches: ['main', 'topic'] },
      metrics: [
        { id: 'step-time', unit: 'ns', direction: 'lower-is-better', count: 60, latest: stepOf(39) },
        { id: 'mfu', count: 60 },
      ],
      segments: [{ at: at.toISOString(), reason: 'worse', isBaseline: false }],
      regressions: [{ metricId: 'mfu', state: 'open', branch: 'main' }],
    });
    expect(await trend({ seriesId: items[0].id })).toMatchObject({
      segments: [{ reason: 'worse' }],
      regressions: [{ metricId: 'mfu' }],
    });
    const before = await trend({ seriesId: items[0].id, to: at.toISOString() });
    expect([before.segments, before.regressions]).toEqual([[], []]);
    expect(await trend({ metric: 'mfu', seriesId: items[0].id })).toMatchObject({
      regressions: [{ state: 'open' }],
    });
    expectProblem(await api.http().get(`/v1/series/${randomUUID()}`).set(reader), 'series-not-found');
  });
});
