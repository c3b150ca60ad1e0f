import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';
import { expectProblem } from '../harness/expect-problem';
import { sampleReport, storeReport } from '../harness/stored-report';

const setup = { hardware: { gpu: 'NVIDIA H200', nodes: 2 }, dtype: 'bf16' };
let api: InProcessApi;
let teamId: string;
let client: { Authorization: string };

beforeAll(async () => {
  api = await startInProcessApi();
  teamId = (await api.createTeam()).teamId;
  client = await api.tokenHeader(teamId, ['runs:read', 'runs:write']);
});
afterAll(() => api.stop());

const get = (path: string) => api.http().get(`/v1/runs/${path}`).set(client);
async function createRun(metadata: object = {}): Promise<string> {
  const run = { model: 'm', cluster: 'c', ...metadata };
  const { body } = await api.http().post('/v1/runs').set(client).send(run).expect(201);
  return (body as { id: string }).id;
}

describe('GET /v1/runs/{id}', () => {
  it('gives back what was said about the run', async () => {
    const said = { workload: 'w', branch: 'b', commit: 'abc', worldSize: 16, tags: ['x', 'y'], ...setup };
    const id = await createRun({ ...said, metadata: { note: { deep: [1] } } });
    const { body } = await get(id).expect(200);
    expect(body).toMatchObject({
      ...{ id, workload: 'w', branch: 'b', commit: 'abc', worldSize: 16, tags: ['x', 'y'], setup },
      ...{ metadata: { note: { deep: [1] } }, state: 'awaitingUpload', verdict: null, metrics: [] },
      ...{ analyses: [], artifacts: [], artifactCount: 0, runsAhead: null, failure: null },
    });
  });

  it('keeps the newest report in sight while the run is analysed again, and lists all of them', async () => {
    const report = await sampleReport();
    const runId = await storeReport(api.database, teamId, report, { ranks: 1, steps: 1 });
    await storeReport(api.database, teamId, report, { ranks: 1, steps: 1, runId, generation: 2 });
    await api.database.forTeam(teamId, ({ run }) =>
      run.update({ where: { id: runId }, data: { state: 'queued', generation: 3, queuedAt: new Date() } }),
    );
    const { body } = await get(runId).expect(200);
    expect(body).toMatchObject({
      ...{ state: 'queued', generation: 3, verdict: { bottleneck: report.verdict.bottleneck } },
      analyses: [
        { generation: 2, analysisVersion: report.analysisVersion, bottleneck: report.verdict.bottleneck },
        { generation: 1 },
      ],
    });
  });

  it('says how many runs of the team wait before it, and counts no other team', async () => {
    const stranger = (await api.createTeam()).teamId;
    const queuedAt = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
    const queue = (owner: string, seconds: number, state: 'queued' | 'analyzing' | 'done' = 'queued') =>
      api.database.forTeam(owner, ({ run }) =>
        run.create({
          data: { teamId: owner, model: 'q', cluster: 'c', tags: [], state, queuedAt: queuedAt(seconds) },
        }),
      );
    await queue(stranger, 1);
    await queue(teamId, 2, 'done');
    await queue(teamId, 3, 'analyzing');
    await queue(teamId, 4);
    const { id } = await queue(teamId, 5);
    await queue(teamId, 6);
    expect((await get(id).expect(200)).body).toMatchObject({ state: 'queued', runsAhead: 2 });
  });

  it('is not sent again to a client that has it, until it changes', async () => {
    const id = await createRun();
    const { headers } = await get(id).expect(200);
    expect(headers['cache-control']).toBe('private, no-cache');
    await get(id).set('If-None-Match', headers.etag).expect(304);
    await api.database.forTeam(teamId, ({ run }) => run.update({ where: { id }, data: { branch: 'new' } }));
    await get(id).set('If-None-Match', headers.etag).expect(200);
  });

  it('leads to all artifacts, page by page', async () => {
    const runId = await createRun();
    const names = Array.from({ length: 7 }, (_, i) => `rank${i}/трасса-${'x'.repeat(200)}.json`);
    await api.database.forTeam(teamId, ({ artifact }) =>
      artifact.createMany({
        data: names.map((name) => ({
          ...{
            teamId,
            runId,
            name,
            sizeBytes: 5n,
            sha256: 'a'.repeat(64),
            objectKey: name,
            partSizeBytes: 5,
          },
        })),
      }),
    );
    const seen: string[] = [];
    type Page = { items: { name: string }[]; nextCursor: string | null };
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `limit=3${cursor && `&cursor=${cursor}`}`;
      const page = (await get(`${runId}/artifacts?${query}`).expect(200)).body as Page;
      seen.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(names);
    const { nextCursor } = (await get(`${runId}/artifacts?limit=3`)).body as Page;
    expectProblem(await get(`${await createRun()}/artifacts?cursor=${nextCursor}`), 'cursor-invalid');
    expect((await get(runId)).body).toMatchObject({ artifactCount: 7 });
  });
});
