import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';
import { sampleReport, storeReport } from '../harness/stored-report';

interface StepPage {
  generation: number;
  items: { rank: number; index: number; wallNs: number; idleNs: number; idle: Record<string, number> }[];
  nextCursor: string | null;
}

const RANKS = 3;
const STEPS_PER_RANK = 7;
let api: InProcessApi;
let teamId: string;
let reader: { Authorization: string };
let runId: string;

beforeAll(async () => {
  api = await startInProcessApi();
  teamId = (await api.createTeam()).teamId;
  reader = await api.tokenHeader(teamId, ['runs:read']);
  runId = await storeReport(api.database, teamId, await sampleReport(), {
    ranks: RANKS,
    steps: STEPS_PER_RANK,
  });
});
afterAll(() => api.stop());

const get = (path: string) => api.http().get(`/v1/runs/${runId}${path}`).set(reader);

describe('fields of GET /v1/runs/{id}/report', () => {
  it('change nothing when they are left out, and select when they are not', async () => {
    const whole = (await get('/report').expect(200)).body as Record<string, unknown>;
    const some = (await get('/report?fields=findings,metrics').expect(200)).body as Record<string, unknown>;
    const named = 'analysisVersion analyzedAt generation runId runState schemaVersion stepsOmitted'.split(
      ' ',
    );
    expect(Object.keys(some).sort()).toEqual([...named, 'findings', 'metrics'].sort());
    for (const key of Object.keys(some)) expect(some[key]).toEqual(whole[key]);
    expect(whole.ranks).toBeDefined();
    const { body } = await get('/report?fields=ranks,verdict').expect(200);
    const { ranks, verdict } = body as { ranks: Record<string, unknown>[]; verdict: unknown };
    expect(ranks.map(({ steps }) => steps)).toEqual(ranks.map(() => undefined));
    expect(verdict).toEqual(whole.verdict);
    expect(((await get('/report?fields=steps')).body as typeof whole).ranks).toEqual(whole.ranks);
  });

  it('give fewer steps, or those of one rank, to whoever asks; the mean step stands on all', async () => {
    type Ranks = { ranks: { rank: number; steps: unknown[]; meanStep: unknown }[]; stepsOmitted: number };
    const askFor = async (query: string) => (await get(`/report?${query}`).expect(200)).body as Ranks;
    const whole = await askFor('fields=steps');
    const bounded = await askFor('fields=steps&maxSteps=2');
    const total = whole.ranks.reduce((sum, { steps }) => sum + steps.length, 0);
    expect(total).toBeGreaterThan(2);
    expect(bounded.ranks.map(({ steps }) => steps)).toEqual(
      whole.ranks.map(({ steps }) => steps.slice(0, 1)),
    );
    expect(bounded.stepsOmitted).toBe(total - whole.ranks.length);
    expect(bounded.ranks.map(({ meanStep }) => meanStep)).toEqual(
      whole.ranks.map(({ meanStep }) => meanStep),
    );
    expect(whole.ranks[1].meanStep).toMatchObject({ stepCount: expect.any(Number) as number });
    expect((await askFor('fields=steps&rank=1')).ranks).toEqual([whole.ranks[1]]);
    expect((await askFor('fields=steps&rank=9')).ranks).toEqual([]);
    const tag = async (query: string) => (await get(`/report?fields=steps${query}`)).headers.etag;
    const tags = await Promise.all(['', '&rank=1', '&maxSteps=1'].map(tag));
    expect(new Set(tags).size).toBe(3);
    for (const wrong of ['maxSteps=0', 'maxSteps=5001', 'rank=-1', 'rank=x'])
      expectProblem(await get(`/report?${wrong}`), 'validation-failed');
  });

  it('have ETags of their own', async () => {
    const tags = new Set<string>();
    const queries = [
      '',
      '?fields=metrics',
      '?fields=metrics,findings',
      '?fields=findings,metrics',
      '?fields=verdict',
    ];
    for (const query of queries) tags.add((await get(`/report${query}`).expect(200)).headers.etag);
    tags.add((await get('/report').set('Accept', 'text/markdown').expect(200)).headers.etag);
    expect(tags.size).toBe(queries.length);
    const { headers } = await get('/report?fields=metrics');
    await get('/report?fields=metrics').set('If-None-Match', `"x", W/${headers.etag}`).expect(304);
    await get('/report?fields=metrics').set('If-None-Match', '*').expect(304);
    await get('/report').set('If-None-Match', headers.etag).expect(200);
  });

  it('is not read for a client that has it', async () => {
    const { headers } = await get('/report').expect(200);
    const replaceReport = (report: object | string) =>
      api.database.forTeam(teamId, ({ analysis }) =>
        analysis.updateManyAndReturn({ where: { runId }, data: { report }, select: { id: true } }),
      );
    const [{ report }] = await api.database.forTeam(teamId, ({ analysis }) =>
      analysis.findMany({ where: { runId }, select: { report: true } }),
    );
    expect(await replaceReport('no object')).toHaveLength(1);
    await get('/report').set('If-None-Match', headers.etag).expect(304);
    await get('/report').expect(500);
    await replaceReport(report as object);
  });

  it('must be known, and are for JSON', async () => {
    const problem = expectProblem(await get('/report?fields=metrics,nope'), 'validation-failed');
    expect(problem.errors).toEqual([
      { field: 'fields', message: expect.stringMatching(/nope.*the fields are verdict/) as string },
    ]);
    for (const wrong of ['fields=', 'fields=a&fields=b', `fields=${'x,'.repeat(400)}`]) {
      expectProblem(await get(`/report?${wrong}`), 'validation-failed');
    }
    const markdown = get('/report?fields=metrics').set('Accept', 'text/markdown');
    expectProblem(await markdown, 'validation-failed');
  });
});

describe('GET /v1/runs/{id}/steps', () => {
  const pageOf = async (query: string) => (await get(`/steps?${query}`).expect(200)).body as StepPage;

  it.each([1, 4, 7, 20, 21, 5_000])(
    'gives every step once, by rank and index, in pages of %d',
    async (limit) => {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: StepPage = await pageOf(`limit=${limit}${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.items.map(({ rank, index }) => `${rank}.${index}`));
        cursor = page.nextCursor;
      }
      const wanted = Array.from({ length: RANKS }, (_, rank) =>
        Array.from({ length: STEPS_PER_RANK }, (_unused, index) => `${rank}.${index}`),
      );
      expect(seen).toEqual(wanted.flat());
    },
  );

  it('gives the steps of one rank, whose parts sum', async () => {
    const { items, generation } = await pageOf('rank=1');
    expect(generation).toBe(1);
    expect(items.map(({ rank }) => rank)).toEqual(Array.from({ length: STEPS_PER_RANK }, () => 1));
    for (const { idle, idleNs } of items) {
      expect(Object.values(idle).reduce((sum, part) => sum + part, 0)).toBe(idleNs);
    }
  });

  it('stays with its analysis while another one ends, and with its question', async () => {
    const first = await pageOf('limit=2');
    await storeReport(api.database, teamId, await sampleReport(), {
      ranks: 1,
      steps: 1,
      runId,
      generation: 2,
    });
    expect(await pageOf(`limit=2&cursor=${first.nextCursor}`)).toMatchObject({
      generation: 1,
      items: [{ index: 2 }, { index: 3 }],
    });
    expect(await pageOf('')).toMatchObject({
      generation: 2,
      items: [{ rank: 0, index: 0 }],
      nextCursor: null,
    });
    expectProblem(await get(`/steps?rank=0&cursor=${first.nextCursor}`), 'cursor-invalid');
    expectProblem(await get('/steps?generation=3'), 'report-not-found');
    expectProblem(await get('/steps?rank=-1'), 'validation-failed');
  });
});
