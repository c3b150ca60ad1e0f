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
const refuse = (query: Record<string, string | number>) =>
  api.http().get('/v1/trends').query(query).set(reader);

describe('GET /v1/trends by run', () => {
  it('gives every run of a series in order, with unit, direction and noise floor', async () => {
    const found = await trend({ model: 'alpha', cluster: 'c', branch: 'main' });
    expect(found).toMatchObject({
      ...{ resolution: 'runs', resolutionReason: 'asked-for', noiseFloorRatio: 0.02 },
      metric: { id: 'step-time', unit: 'ns', direction: 'lower-is-better' },
    });
    expect(found.lines).toHaveLength(1);
    const [{ runs, seriesIds, value }] = found.lines;
    expect([value, seriesIds]).toEqual([found.series[0].id, [found.series[0].id]]);
    expect(runs?.atMs).toEqual(Array.from({ length: 40 }, (_, i) => timeOf(i)));
    expect(runs?.value).toEqual(Array.from({ length: 40 }, (_, i) => stepOf(i)));
    const [runId] = runs?.runId ?? [];
    await api.http().get(`/v1/runs/${runId}`).set(reader).expect(200);
  });

  it('leaves out the ids of runs where asked to', async () => {
    const query = { model: 'alpha', cluster: 'c', branch: 'main' };
    const [{ runs: whole }] = (await trend(query)).lines;
    const [{ runs: bare }] = (await trend({ ...query, runIds: 'false' })).lines;
    expect(bare).toEqual({ ...whole, runId: null });
    const [{ commits }] = (await trend({ ...query, by: 'commit', runIds: 'false' })).lines;
    expect(commits?.firstRunId[0]).toBe(whole?.runId?.[0]);
  });

  it.each<[Record<string, string>, number]>([
    [{}, 40 + 20 + 8 + 4],
    [{ model: 'beta' }, 4],
    [{ cluster: 'other' }, 8],
    [{ workload: 'tuning' }, 4],
    [{ branch: 'topic' }, 20],
    [{ tag: 'nightly' }, 10],
    [{ gpu: 'h200' }, 64],
    [{ gpu: 'NVIDIA B200' }, 8],
    [{ model: 'alpha', from: new Date(timeOf(10)).toISOString() }, 30 + 15],
    [{ cluster: 'c', branch: 'main', to: new Date(timeOf(10)).toISOString() }, 10],
    [{ model: 'nobody' }, 0],
  ])('filters by %j', async (query, count) => {
    const { lines } = await trend({ splitBy: 'none', ...query });
    expect(lines.reduce((sum, { runs }) => sum + (runs?.runId?.length ?? 0), 0)).toBe(count);
    const times = lines[0]?.runs?.atMs ?? [];
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it.each<[string, Record<string, number>]>([
    ['model', { alpha: 68, beta: 4 }],
    ['cluster', { c: 64, other: 8 }],
    ['branch', { main: 48, topic: 20, null: 4 }],
    ['gpu', { h200: 64, b200: 8 }],
    ['none', { null: 72 }],
  ])('splits by %s', async (splitBy, counts) => {
    const { lines } = await trend({ splitBy });
    expect(Object.fromEntries(lines.map(({ value, runs }) => [String(value), runs?.runId?.length]))).toEqual(
      counts,
    );
  });

  it('splits by series unless told otherwise', async () => {
    const { lines, series } = await trend({});
    expect(lines.map(({ value }) => value).sort()).toEqual(series.map(({ id }) => id).sort());
    expect(series).toHaveLength(3);
    const { lines: one } = await trend({ seriesId: series[0].id });
    expect(one).toHaveLength(1);
  });
});

describe('GET /v1/trends by commit', () => {
  it('takes repeats of a commit for one point, their median', async () => {
    const { lines, resolution } = await trend({ by: 'commit', model: 'alpha', cluster: 'c', branch: 'main' });
    expect(resolution).toBe('commits');
    const [{ commits }] = lines;
    expect(commits?.commit).toEqual(Array.from({ length: 20 }, (_, i) => `c${i}`));
    expect(commits?.runs).toEqual(new Array(20).fill(2));
    expect(commits?.value).toEqual(
      Array.from({ length: 20 }, (_, i) => (stepOf(2 * i) + stepOf(2 * i + 1)) / 2),
    );
    expect(commits?.atMs[3]).toBe(timeOf(6));
  });
});

/** Percentile with interpolation, as percentile_cont of Postgres. */
function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  return sorted[low] + (place - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

describe('GET /v1/trends by day', () => {
  const valuesOfDay = (day: number, bases: [number, (i: number) => boolean][]) =>
    [0, 1, 2, 3].flatMap((n) => {
      const i = day * 4 + n;
      return bases.filter(([, has]) => has(i)).map(([base]) => base - 100e6 + stepOf(i));
    });

  it('gives percentiles of each day of a series', async () => {
    const { lines, resolution } = await trend({ by: 'day', model: 'alpha', cluster: 'c', branch: 'main' });
    expect(resolution).toBe('days');
    const days = lines[0].days;
    expect(days?.day.slice(0, 2)).toEqual(['2026-06-01', '2026-06-02']);
    expect(days?.runs).toEqual(new Array(10).fill(4));
    for (const [day, p50] of (days?.p50 ?? []).entries()) {
      const values = valuesOfDay(day, [[100e6, () => true]]);
      expect(p50).toBeCloseTo(percentile(values, 0.5), 3);
      expect(days?.p95[day]).toBeCloseTo(percentile(values, 0.95), 3);
      expect([days?.min[day], days?.max[day]]).toEqual([Math.min(...values), Math.max(...values)]);
    }
  });

  it('gives the percentiles of all values where series or branches come together', async () => {
    const { lines } = await trend({ by: 'day', splitBy: 'model', model: 'alpha' });
    const days = lines[0].days;
    expect(days?.runs.slice(0, 3)).toEqual([10, 10, 6]);
    const values = valuesOfDay(1, [
      [100e6, () => true],
      [50e6, (i) => i % 2 === 0],
      [70e6, (i) => i < 8],
    ]);
    expect(days?.p50[1]).toBeCloseTo(percentile(values, 0.5), 3);
    expect(days?.p95[1]).toBeCloseTo(percentile(values, 0.95), 3);
  });

  it.each([
    [{ tag: 'nightly', branch: 'main' }, new Array(10).fill(1)],
    [{ branch: 'topic' }, new Array(10).fill(2)],
    [{ splitBy: 'branch', branch: 'topic' }, new Array(10).fill(2)],
    // Whole days that the time has part in.
    [
      {
        branch: 'main',
        cluster: 'c',
        from: new Date(timeOf(10)).toISOString(),
        to: new Date(timeOf(13)).toISOString(),
      },
      [4, 4],
    ],
  ])('filters by %j', async (query, runs) => {
    const { lines } = await trend({ by: 'day', splitBy: 'none', ...query });
    expect(lines[0].days?.runs).toEqual(runs);
  });

  it('gives days instead of more runs than asked for, and says so', async () => {
    const found = await trend({ model: 'alpha', cluster: 'c', branch: 'main', limit: 39 });
    expect(found).toMatchObject({ resolution: 'days', resolutionReason: 'more-points-than-limit' });
    expect(found.lines[0].days?.day).toHaveLength(10);
    expect(await trend({ model: 'alpha', cluster: 'c', branch: 'main', limit: 40 })).toMatchObject({
      resolution: 'runs',
    });
  });

  it('refuses what does not fit into one answer', async () => {
    expectProblem(await refuse({ metric: 'step-time', limit: 5 }), 'trend-too-wide');
  });
});

describe('what a trend is refused for, and who sees it', () => {
  it.each([
    [{}, 'validation-failed'],
    [{ metric: 'speed' }, 'metric-unknown'],
    [{ metric: 'step-time', by: 'hour' }, 'validation-failed'],
    [{ metric: 'step-time', limit: 10_001 }, 'validation-failed'],
    [{ metric: 'step-time', runIds: 'no' }, 'validation-failed'],
    [{ metric: 'step-time', from: '2026-06-02T00:00:00Z', to: '2026-06-01T00:00:00Z' }, 'validation-failed'],
    [{ metric: 'step-time', seriesId: 'x' }, 'validation-failed'],
  ] as const)('refuses %j', async (query, code) => {
    expectProblem(await refuse(query), code);
  });

  it('shows nothing of another team', async () => {
    const { teamId } = await api.createTeam();
    const other = await api.tokenHeader(teamId, ['runs:read']);
    const { series } = await trend({});
    expect(await trend({ seriesId: series[0].id }, other)).toMatchObject({ lines: [], series: [] });
    expect(await trend({ by: 'day' }, other)).toMatchObject({ lines: [], series: [] });
    const foreign = await api.http().get(`/v1/series/${series[0].id}`).set(other);
    expectProblem(foreign, 'series-not-found');
  });

  it('keeps a token within its limits', async () => {
    const limits = { models: ['alpha'], clusters: ['other'] };
    const token = { name: 'limited', scopes: ['runs:read' as const], limits };
    const created = await api.teams.createApiToken(team.teamId, token);
    const limited = { Authorization: `Bearer ${created.token}` };
    const { series } = await trend({ by: 'day', splitBy: 'model' }, limited);
    expect(series).toHaveLength(1);
    const all = (await trend({})).series.map(({ id }) => id);
    for (const id of all) {
      const answer = await api.http().get(`/v1/series/${id}`).set(limited);
      expect([id, answer.status]).toEqual([id, id === series[0].id ? 200 : 404]);
    }
  });
});
