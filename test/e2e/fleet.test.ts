import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { addAnalysedRun, type AnalysedRun, trendChores } from '../harness/trend-runs';

const NOW_MS = Date.now();
const HOUR_MS = 3_600_000;

interface Usage {
  value?: string | null;
  cluster?: string | null;
  runs: number;
  runsWithGpuHours: number;
  runsWithSteps: number;
  gpuHours: number | null;
  parts: { part: string; gpuHours: number | null; share: number | null }[];
  notComputing: { gpuHours: number | null; share: number | null };
  gains: { rule: string; runs: number; gpuHours: number | null; mostGpuHours: number | null }[];
  verdicts: { verdict: string; runs: number }[];
}
interface Fleet {
  total: Usage;
  groups: Usage[];
  isTruncated: boolean;
  notes: string[];
}

let api: InProcessApi;
let team: TestTeam;
let reader: { Authorization: string };

/** Parts of a step of 100 ns. */
function stepOf(compute: number, communication: number, input: number, launch: number) {
  const rest = 100 - compute - communication - input - launch;
  return {
    ...{
      'step-time': 100,
      'compute-time': compute,
      'exposed-communication': communication,
      'exposed-memcpy': 0,
    },
    ...{ 'input-wait': input, 'sync-wait': 0, 'launch-gap': launch, 'host-other': 0, 'allocator-wait': 0 },
    ...{ 'dependency-wait': 0, 'unexplained-idle': rest },
  };
}

const add = (hoursAgo: number, run: Omit<AnalysedRun, 'at'>) =>
  addAnalysedRun(api.database, team.teamId, { at: new Date(NOW_MS - hoursAgo * HOUR_MS), ...run });

beforeAll(async () => {
  api = await startInProcessApi();
  team = await api.createTeam();
  reader = await api.tokenHeader(team.teamId, ['runs:read']);
  // 8 GPUs for two hours, 24 GPUs for one hour, and one that does not say how long; one has no steps, one is old.
  const starved = {
    verdict: 'input-pipeline',
    findings: [
      { rule: 'data-starvation', expectedStepNs: 70 },
      { rule: 'told-long-ago', expectedStepNs: 90 },
    ],
    report: { findings: [{ rule: 'data-starvation', leastStepNs: 60 }] },
  };
  await add(1, { model: 'a', metrics: stepOf(60, 10, 30, 0), worldSize: 8, durationS: 7_200, ...starved });
  await add(2, { model: 'a', cluster: 'd', metrics: stepOf(80, 20, 0, 0), worldSize: 24, durationS: 3_600 });
  await add(3, { model: 'b', metrics: stepOf(50, 0, 0, 40), worldSize: 8, workload: 'tuning' });
  await add(4, {
    model: 'b',
    metrics: { 'step-time': null },
    setup: { hardware: { nodes: 2, gpusPerNode: 4 } },
    durationS: 3_600,
  });
  await add(24 * 40, {
    model: 'a',
    metrics: stepOf(100, 0, 0, 0),
    worldSize: 1_000_000,
    durationS: 315_360_000,
  });
  await trendChores(api.database).record();
});
afterAll(() => api.stop());

async function fleet(query: Record<string, string> = {}, headers = reader): Promise<Fleet> {
  const { body } = await api.http().get('/v1/fleet').query(query).set(headers).expect(200);
  return body as Fleet;
}
const part = ({ parts }: Usage, name: string) => parts.find((one) => one.part === name);

describe('GET /v1/fleet', () => {
  it('says where GPU-hours go and what would come back, over the last 30 days', async () => {
    const { total, notes } = await fleet();
    expect(total).toMatchObject({ runs: 4, runsWithGpuHours: 3, runsWithSteps: 3 });
    expect(total.gpuHours).toBeCloseTo(16 + 24 + 8, 6);
    expect(part(total, 'inputWait')?.gpuHours).toBeCloseTo(16 * 0.3, 5);
    expect(part(total, 'exposedCommunication')?.gpuHours).toBeCloseTo(16 * 0.1 + 24 * 0.2, 5);
    expect(total.notComputing.gpuHours).toBeCloseTo(16 * 0.4 + 24 * 0.2, 5);
    // Shares are of every run with steps, weighted by its GPUs.
    expect(part(total, 'launchGap')?.share).toBeCloseTo((8 * 0.4) / 40, 6);
    expect(total.parts.reduce((sum, { share }) => sum + (share ?? 0), 0)).toBeCloseTo(1, 6);
    expect(total.gains).toEqual([
      {
        rule: 'data-starvation',
        runs: 1,
        gpuHours: expect.closeTo(16 * 0.3, 5),
        share: expect.closeTo(0.06, 6),
        // At most, all but the 60 ns of compute; where a report does not say, what is expected.
        mostGpuHours: expect.closeTo(16 * 0.4, 5),
        mostShare: expect.closeTo(0.08, 6),
      },
      {
        ...{
          rule: 'told-long-ago',
          runs: 1,
          gpuHours: expect.closeTo(1.6, 5),
          share: expect.closeTo(0.02, 6),
        },
        ...{ mostGpuHours: expect.closeTo(1.6, 5), mostShare: expect.closeTo(0.02, 6) },
      },
    ]);
    expect(total.verdicts).toEqual([
      { verdict: 'none', runs: 3 },
      { verdict: 'input-pipeline', runs: 1 },
    ]);
    expect(notes.join(' ')).toMatch(/not known for 1 of 4 runs: send durationS and worldSize/);
    expect(notes.join(' ')).toMatch(/1 of 4 runs have no steps/);
  });

  it('takes nothing for zero', async () => {
    const { total } = await fleet({ workload: 'tuning' });
    expect(total).toMatchObject({ runs: 1, gpuHours: null, notComputing: { gpuHours: null } });
    expect(part(total, 'launchGap')).toEqual({
      part: 'launchGap',
      gpuHours: null,
      share: expect.closeTo(0.4, 6),
    });
    expect(part(total, 'inputWait')).toMatchObject({ gpuHours: null, share: 0 });
    const none = await fleet({ model: 'nobody' });
    expect(none).toMatchObject({
      groups: [],
      notes: [],
      total: { runs: 0, gpuHours: null, notComputing: { share: null } },
    });
  });

  it.each([
    ['model', ['a', 'b']],
    ['cluster', ['d', 'c']],
    ['workload', [null, 'tuning']],
  ])('groups by %s, the most GPU-hours first', async (groupBy, values) => {
    const { groups, total } = await fleet({ groupBy });
    expect(groups.map(({ value }) => value)).toEqual(values);
    expect(groups.reduce((sum, { runs }) => sum + runs, 0)).toBe(total.runs);
    expect(groups.reduce((sum, { gpuHours }) => sum + (gpuHours ?? 0), 0)).toBeCloseTo(
      total.gpuHours ?? 0,
      6,
    );
  });

  it('groups by model and cluster, with gains and verdicts of each', async () => {
    const { groups, total } = await fleet({ groupBy: 'model-and-cluster' });
    expect(groups.map(({ value, cluster, runs }) => [value, cluster, runs])).toEqual([
      ['a', 'd', 1],
      ['a', 'c', 1],
      ['b', 'c', 2],
    ]);
    expect(groups.map(({ gains }) => gains.length)).toEqual([0, 2, 0]);
    expect(groups[1].verdicts).toEqual([{ verdict: 'input-pipeline', runs: 1 }]);
    expect(groups[1].notComputing.gpuHours).toBeCloseTo(16 * 0.4, 5);
    expect(total.gains).toHaveLength(2);
  });

  it('goes as far back as is asked for, without overflow', async () => {
    const from = new Date(NOW_MS - 41 * 24 * HOUR_MS).toISOString();
    expect((await fleet({ from })).total.gpuHours).toBeCloseTo(1e6 * 87_600 + 48, 0);
    const to = new Date(NOW_MS - 39 * 24 * HOUR_MS).toISOString();
    expect((await fleet({ to })).total.runs).toBe(1);
  });

  it.each([
    [{ groupBy: 'gpu' }],
    [{ from: '2020-01-01T00:00:00Z' }],
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
  ])('refuses %j', async (query) => {
    expectProblem(await api.http().get('/v1/fleet').query(query).set(reader), 'validation-failed');
  });

  it('shows nothing of another team, and a token what is within its limits', async () => {
    const { teamId } = await api.createTeam();
    expect((await fleet({}, await api.tokenHeader(teamId, ['runs:read']))).total.runs).toBe(0);
    const limits = { models: ['a'], clusters: ['d'] };
    const { token } = await api.teams.createApiToken(team.teamId, {
      name: 'l',
      scopes: ['runs:read'],
      limits,
    });
    const limited = await fleet({}, { Authorization: `Bearer ${token}` });
    expect(limited.groups.map(({ value, runs }) => [value, runs])).toEqual([['a', 1]]);
    expect(limited.total.gpuHours).toBeCloseTo(24, 6);
  });

  it('forgets a run that is deleted', async () => {
    const runId = await add(1, {
      model: 'gone',
      metrics: stepOf(50, 0, 0, 0),
      worldSize: 1,
      durationS: 3_600,
    });
    await trendChores(api.database).record();
    expect((await fleet({ model: 'gone' })).total.runs).toBe(1);
    const admin = await api.tokenHeader(team.teamId, ['admin']);
    await api.http().delete(`/v1/runs/${runId}`).set(admin).expect(204);
    expect((await fleet({ model: 'gone' })).total.runs).toBe(0);
  });
});

describe('how long a job ran', () => {
  it('is told when a run is created, shown and exported, and bounded', async () => {
    const writer = await api.tokenHeader(team.teamId, ['runs:write', 'runs:read', 'admin']);
    const create = (durationS: unknown) =>
      api.http().post('/v1/runs').set(writer).send({ model: 'timed', cluster: 'c', durationS });
    const { body } = await create(5_400).expect(201);
    const { id } = body as { id: string };
    const shown = await api.http().get(`/v1/runs/${id}`).set(writer).expect(200);
    expect(shown.body).toMatchObject({ durationS: 5_400 });
    const exported = await api
      .http()
      .get('/v1/export')
      .set(writer)
      .buffer(true)
      .parse((response, done) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => done(null, Buffer.concat(pieces).toString()));
      });
    expect(exported.body as string).toContain('"durationS" : 5400');
    for (const wrong of [0, -1, 1.5, 315_360_001, '60'])
      expectProblem(await create(wrong), 'validation-failed');
  });
});
