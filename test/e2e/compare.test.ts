import { randomUUID } from 'node:crypto';
import { type Analysis } from '../../src/analysis';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { sampleReport } from '../harness/stored-report';
import { addAnalysedRun, type AnalysedRun, trendChores } from '../harness/trend-runs';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 5, 1);
/** Noise of half a percent, the same every time. */
const noisy = (i: number, level: number) => level * (1 + 0.005 * Math.sin((i + 1) * 2.399963));

interface Comparison {
  before: { runs: number; runIds: string[]; isTruncated: boolean; withoutReport: string[] };
  after: Comparison['before'];
  comparable: boolean;
  differences: { name: string; before: string | null; after: string | null }[];
  metrics: {
    id: string;
    before: number | null;
    verdict: string | null;
    noiseFrom: string | null;
    changeRatio: number;
  }[];
  representatives: { before: string[]; after: string[] };
  configuration: { name: string; kind: string; before: string | null; after: string | null }[];
  explanation: { changeNs: number; parts: { changeNs: number }[]; explainedByConfiguration: boolean } | null;
}

let api: InProcessApi;
let team: TestTeam;
let reader: { Authorization: string };
let report: Analysis;
let old: string[];
let recent: string[];
let wide: string;
let waiting: string;

const H200 = { hardware: { gpu: 'NVIDIA H200' } };
const add = (hour: number, stepNs: number, run: Partial<AnalysedRun>) =>
  addAnalysedRun(api.database, team.teamId, {
    ...{ at: new Date(START_MS + hour * HOUR_MS), metrics: { 'step-time': stepNs, mfu: 0.4 }, report },
    ...{ setup: H200, worldSize: 8, commit: `c${hour}` },
    ...run,
  });

beforeAll(async () => {
  api = await startInProcessApi();
  team = await api.createTeam();
  reader = await api.tokenHeader(team.teamId, ['runs:read']);
  report = await sampleReport();
  old = [];
  recent = [];
  for (let i = 0; i < 12; i++) old.push(await add(i, noisy(i, 100e6), { tags: ['old'] }));
  const slower = structuredClone(report);
  for (const { steps } of slower.ranks)
    for (const step of steps) {
      step.wallNs += 1_000;
      step.idleNs += 1_000;
      step.idle.inputWaitNs += 1_000;
    }
  const framework = { name: 'pytorch', version: '2.10' };
  for (let i = 12; i < 20; i++)
    recent.push(await add(i, noisy(i, 110e6), { report: slower, setup: { ...H200, framework } }));
  wide = await add(20, 60e6, { worldSize: 16 });
  waiting = await api.database.forTeam(team.teamId, async ({ run }) => {
    return (await run.create({ data: { teamId: team.teamId, model: 'm', cluster: 'c', tags: [] } })).id;
  });
  await trendChores(api.database).record();
});
afterAll(() => api.stop());

const ask = (request: unknown, headers = reader) =>
  api
    .http()
    .post('/v1/compare')
    .set(headers)
    .send(request as object);
async function compare(before: object, after: object): Promise<Comparison> {
  return (await ask({ before, after }).expect(200)).body as Comparison;
}
const metric = ({ metrics }: Comparison, id: string) => metrics.find((one) => one.id === id);

describe('POST /v1/compare', () => {
  it('compares two groups: medians, significance, configuration and where the time went', async () => {
    const found = await compare({ runIds: old }, { runIds: recent });
    expect(found).toMatchObject({ comparable: true, differences: [] });
    expect(metric(found, 'step-time')).toMatchObject({
      ...{ verdict: 'worse', noiseFrom: 'groups', beforeRuns: 12, afterRuns: 8 },
      changeRatio: expect.closeTo(0.1, 2),
    });
    expect(metric(found, 'mfu')).toMatchObject({ verdict: 'unchanged' });
    expect(metric(found, 'hfu')).toMatchObject({ verdict: null, before: null });
    expect(found.configuration).toContainEqual({
      ...{ name: 'framework.version', kind: 'software', before: null, after: '2.10' },
    });
    expect(found.explanation?.changeNs).toBeGreaterThan(0);
    const sum = found.explanation?.parts.reduce((all, { changeNs }) => all + changeNs, 0);
    expect(sum).toBeCloseTo(found.explanation?.changeNs ?? 0, 6);
    expect(found.representatives.before).toHaveLength(3);
  });

  it('compares two single runs, with the noise of the series before them', async () => {
    const found = await compare({ runIds: [old[11]] }, { runIds: [recent[3]] });
    expect(metric(found, 'step-time')).toMatchObject({ verdict: 'worse', noiseFrom: 'history' });
    const early = await compare({ runIds: [old[0]] }, { runIds: [old[1]] });
    expect(metric(early, 'step-time')).toMatchObject({ verdict: 'inconclusive', noiseFrom: null });
  });

  it('says what runs are not alike in', async () => {
    const found = await compare({ runIds: old }, { runIds: [wide, recent[0]] });
    expect(found.comparable).toBe(false);
    expect(found.differences).toEqual([{ name: 'worldSize', before: '8', after: '8, 16' }]);
  });

  it('finds groups by a filter, the latest first, and says when there are more', async () => {
    const found = await compare(
      { filter: { tag: 'old', limit: 10 } },
      {
        filter: {
          model: 'm',
          from: new Date(START_MS + 12 * HOUR_MS).toISOString(),
          to: new Date(START_MS + 20 * HOUR_MS).toISOString(),
        },
      },
    );
    expect(found.before).toMatchObject({ runs: 10, isTruncated: true, runIds: old.slice(2) });
    expect(found.after).toMatchObject({ runs: 8, isTruncated: false, runIds: recent });
    const byCommit = await compare(
      { filter: { commit: 'c3' } },
      { filter: { branch: 'main', cluster: 'c', limit: 1 } },
    );
    expect([byCommit.before.runIds, byCommit.after.runIds]).toEqual([[old[3]], [wide]]);
  });

  it('names runs without a report, and refuses a side of nothing else', async () => {
    const found = await compare({ runIds: [old[0], waiting] }, { runIds: [recent[0], recent[0]] });
    expect(found.before).toMatchObject({ runs: 1, withoutReport: [waiting] });
    expect(found.after.runIds).toEqual([recent[0]]);
    expectProblem(await ask({ before: { runIds: [waiting] }, after: { runIds: old } }), 'comparison-empty');
    expectProblem(
      await ask({ before: { filter: { model: 'nobody' } }, after: { runIds: old } }),
      'comparison-empty',
    );
  });

  it.each([
    [{}],
    [{ before: { runIds: [] }, after: { runIds: [randomUUID()] } }],
    [{ before: { runIds: [randomUUID()], filter: { model: 'm' } }, after: { runIds: [randomUUID()] } }],
    [{ before: { filter: {} }, after: { filter: { limit: 3 } } }],
    [{ before: { filter: { model: 'm', limit: 201 } }, after: { filter: { model: 'm' } } }],
    [
      {
        before: { runIds: Array.from({ length: 201 }, () => randomUUID()) },
        after: { filter: { model: 'm' } },
      },
    ],
  ])('refuses %#', async (request) => {
    expectProblem(await ask(request), 'validation-failed');
  });

  it('knows no runs of another team, and none outside of the limits of a token', async () => {
    const { teamId } = await api.createTeam();
    const other = await api.tokenHeader(teamId, ['runs:read']);
    const request = { before: { runIds: [old[0]] }, after: { runIds: [old[1]] } };
    expectProblem(await ask(request, other), 'run-not-found');
    const filtered = { before: { filter: { model: 'm' } }, after: { filter: { model: 'm' } } };
    expectProblem(await ask(filtered, other), 'comparison-empty');
    const limits = { models: ['other'], clusters: [] };
    const { token } = await api.teams.createApiToken(team.teamId, {
      name: 'l',
      scopes: ['runs:read'],
      limits,
    });
    const limited = { Authorization: `Bearer ${token}` };
    expectProblem(await ask(request, limited), 'run-not-found');
    expectProblem(await ask(filtered, limited), 'comparison-empty');
  });
});
