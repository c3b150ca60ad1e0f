import { randomUUID } from 'node:crypto';
import { type Response } from 'supertest';
import { type Analysis } from '../../src/analysis';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { sampleReport, storeReport } from '../harness/stored-report';

interface Table {
  id: string;
  rungCount: number;
  speedup: number | null;
  rungs: {
    label: string;
    run: { id: string; model: string } | null;
    verdict: string;
    reason: string | null;
    speedup: number | null;
    cumulativeSpeedup: number | null;
    warning: string | null;
    step: { ns: number; clock: string } | null;
    utilisation: { id: string; value: number | null; reason?: string }[];
  }[];
  next: { finding: { rule: string; fixes: { title: string }[] } | null; text: string } | null;
}

let api: InProcessApi;
let team: TestTeam;
let writer: { Authorization: string };
let reader: { Authorization: string };
let report: Analysis;

beforeAll(async () => {
  api = await startInProcessApi();
  team = await api.createTeam();
  writer = await api.tokenHeader(team.teamId, ['runs:read', 'runs:write']);
  reader = await api.tokenHeader(team.teamId, ['runs:read']);
  report = await sampleReport();
});
afterAll(() => api.stop());

/** A run whose mean step without the profiler has this time, in the team or in another one. */
async function addRun(
  stepMs: number,
  setup: object = {},
  model = 'm',
  teamId = team.teamId,
): Promise<string> {
  const mean = {
    id: 'unprofiled-mean-step-time',
    value: stepMs * 1e6,
    unit: 'ns',
    source: 'measured',
  } as const;
  const runId = await storeReport(
    api.database,
    teamId,
    { ...report, metrics: [...report.metrics.filter(({ id }) => id !== mean.id), mean] },
    { ranks: 2, steps: 1 },
  );
  await api.database.forTeam(teamId, ({ run }) =>
    run.update({ where: { id: runId }, data: { setup, model } }),
  );
  return runId;
}

async function addLadder(name: string, runIds: readonly string[]): Promise<string> {
  const { body } = await api.http().post('/v1/ladders').set(writer).send({ name }).expect(201);
  const { id } = body as { id: string };
  await putRungs(id, runIds).expect(200);
  return id;
}

const putRungs = (id: string, runIds: readonly string[]) =>
  api
    .http()
    .put(`/v1/ladders/${id}/rungs`)
    .set(writer)
    .send({ rungs: runIds.map((runId, i) => ({ runId, label: `rung ${i}` })) });
const get = (id: string, credential = reader): Promise<Response> =>
  api.http().get(`/v1/ladders/${id}`).set(credential).then();
const table = async (id: string) => (await get(id)).body as Table;

describe('ladders', () => {
  it('say what each rung gained, warn, and recommend what to try next', async () => {
    const setups = [{ dtype: 'fp32' }, { dtype: 'bf16' }, { dtype: 'bf16', loader: { numWorkers: 8 } }];
    const runs = [await addRun(400, setups[0]), await addRun(200, setups[1]), await addRun(199, setups[2])];
    runs.push(await addRun(250, { dtype: 'fp8', batch: { micro: 2 } }));
    const ladder = await table(await addLadder('gains', runs));
    expect(ladder.rungs.map(({ verdict, speedup }) => [verdict, speedup])).toEqual([
      ['baseline', null],
      ['keep', 2],
      ['within-noise', 200 / 199],
      ['revert', 199 / 250],
    ]);
    expect(ladder).toMatchObject({ rungCount: 4, speedup: 1.6 });
    expect(ladder.rungs.map(({ run }) => run?.id)).toEqual(runs);
    expect(ladder.rungs.map(({ warning }) => warning !== null)).toEqual([false, false, false, true]);
    expect(ladder.rungs[3].warning).toContain('batch.micro, dtype, loader.numWorkers');
    expect(ladder.rungs[0].step).toMatchObject({ ns: 400e6, clock: 'unprofiled-mean' });
    const power = ladder.rungs[0].utilisation.find(({ id }) => id === 'power');
    expect(power).toMatchObject({ value: null, reason: expect.stringContaining('dmon') as string });
    expect(ladder.next?.finding?.rule).toBe(report.findings[0].rule);
    expect(ladder.next?.text).toContain(ladder.next?.finding?.fixes[0].title);
  });

  it('are listed, renamed and deleted, and names are unique', async () => {
    const id = await addLadder('one', []);
    expectProblem(
      await api.http().post('/v1/ladders').set(writer).send({ name: 'one' }),
      'ladder-name-taken',
    );
    const other = await addLadder('two', []);
    const rename = (name: string) => api.http().patch(`/v1/ladders/${other}`).set(writer).send({ name });
    expectProblem(await rename('one'), 'ladder-name-taken');
    expect((await rename('three').expect(200)).body).toMatchObject({ name: 'three', description: '' });
    const page = await api.http().get('/v1/ladders?limit=1').set(reader).expect(200);
    const { items, nextCursor } = page.body as { items: { id: string }[]; nextCursor: string };
    expect(items.map((item) => item.id)).toEqual([other]);
    const second = await api.http().get(`/v1/ladders?limit=1&cursor=${nextCursor}`).set(reader).expect(200);
    expect((second.body as { items: { id: string }[] }).items.map((item) => item.id)).toEqual([id]);
    await api.http().delete(`/v1/ladders/${id}`).set(writer).expect(204);
    expectProblem(await get(id), 'ladder-not-found');
    expect((await table(other)).next).toBeNull();
  });

  it('keep a rung whose run was deleted, and go on past it', async () => {
    const runs = [await addRun(400), await addRun(300), await addRun(100)];
    const id = await addLadder('deleted', runs);
    await api.database.forTeam(team.teamId, ({ run }) => run.delete({ where: { id: runs[1] } }));
    const { rungs } = await table(id);
    expect(rungs).toMatchObject([
      { verdict: 'baseline' },
      { label: 'rung 1', run: null, verdict: 'not-comparable', reason: 'run-deleted' },
      { verdict: 'keep', speedup: 4, cumulativeSpeedup: 4 },
    ]);
  });

  it('take the place of the rungs before as a whole, or not at all', async () => {
    const runs = [await addRun(400), await addRun(300)];
    const id = await addLadder('whole', runs);
    expectProblem(await putRungs(id, [runs[1], randomUUID()]), 'run-not-found');
    expect((await table(id)).rungs).toHaveLength(2);
    expectProblem(await putRungs(id, [runs[0], runs[0]]), 'validation-failed');
    expectProblem(
      await putRungs(
        id,
        Array.from({ length: 51 }, () => randomUUID()),
      ),
      'validation-failed',
    );
    await putRungs(id, [runs[1]]).expect(200);
    expect((await table(id)).rungs.map(({ run }) => run?.id)).toEqual([runs[1]]);
  });

  it('belong to one team, and take runs of no other', async () => {
    const stranger = await api.createTeam();
    const theirs = await api.tokenHeader(stranger.teamId, ['runs:read', 'runs:write']);
    const id = await addLadder('ours', [await addRun(400)]);
    const path = `/v1/ladders/${id}`;
    expectProblem(await get(id, theirs), 'ladder-not-found');
    expectProblem(await api.http().patch(path).set(theirs).send({ name: 'x' }), 'ladder-not-found');
    expectProblem(await api.http().put(`${path}/rungs`).set(theirs).send({ rungs: [] }), 'ladder-not-found');
    expectProblem(await api.http().delete(path).set(theirs), 'ladder-not-found');
    const theirRun = await addRun(100, {}, 'm', stranger.teamId);
    expectProblem(await putRungs(id, [theirRun]), 'run-not-found');
    expect((await table(id)).rungs).toHaveLength(1);
  });

  it('are changed by runs:write only', async () => {
    const id = await addLadder('scopes', []);
    const path = `/v1/ladders/${id}`;
    for (const request of [
      api.http().post('/v1/ladders').send({ name: 'x' }),
      api.http().patch(path).send({ name: 'x' }),
      api.http().put(`${path}/rungs`).send({ rungs: [] }),
      api.http().delete(path),
    ]) {
      expectProblem(await request.set(reader), 'scope-missing');
    }
  });

  it('are seen by a limited token where all their runs are within its limits', async () => {
    const [mine, other] = [await addRun(4, {}, 'mine'), await addRun(3, {}, 'other')];
    const [inside, mixed, empty] = [
      await addLadder('inside', [mine]),
      await addLadder('mixed', [mine, other]),
      await addLadder('empty', []),
    ];
    const limits = { models: ['mine'], clusters: [] };
    const scopes = ['runs:read', 'runs:write'] as const;
    const { token } = await api.teams.createApiToken(team.teamId, { name: 'l', scopes: [...scopes], limits });
    const limited = { Authorization: `Bearer ${token}` };
    const { body } = await api.http().get('/v1/ladders').set(limited).expect(200);
    expect((body as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([inside]);
    expect((await get(inside, limited)).status).toBe(200);
    for (const id of [mixed, empty]) expectProblem(await get(id, limited), 'ladder-not-found');
    expectProblem(await api.http().delete(`/v1/ladders/${inside}`).set(limited), 'token-limited');
  });
});
