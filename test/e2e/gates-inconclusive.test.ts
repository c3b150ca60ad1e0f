import { randomUUID } from 'node:crypto';
import { type GateEvaluation } from '../../src/presentation';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { addHistoryRun, type HistoryRun, noisy, recordHistory } from '../harness/seed-history';

const MS = 1e6;
const THREE_PERCENT = { metric: 'step-time', maxWorseRatio: 0.03 };
const ON_MAIN = { version: 1, rules: [THREE_PERCENT], baseline: { kind: 'branch', branch: 'main' } };

let api: InProcessApi;
let team: TestTeam;
let gates: { Authorization: string };

beforeAll(async () => {
  api = await startInProcessApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  team = await api.createTeam();
  gates = await api.tokenHeader(team.teamId, ['gates:evaluate']);
});

const add = (run: HistoryRun) => addHistoryRun(api.database, team.teamId, run);
/** Twelve runs of main, an hour apart, at 100 ms. */
async function addMain(more: Partial<HistoryRun> = {}, from = 0, to = 12): Promise<string[]> {
  const ids: string[] = [];
  for (let hour = from; hour < to; hour++)
    ids.push(await add({ hour, stepNs: noisy(hour, 100 * MS), ...more }));
  return ids;
}
const pinned = (runId: string) => ({ ...ON_MAIN, baseline: { kind: 'run', runId } });
const ask = (runId: string, inlinePolicy: object = ON_MAIN, as = gates) =>
  api.http().post('/v1/gates/evaluate').set(as).send({ runId, inlinePolicy });
async function judge(runId: string, policy?: object, as = gates): Promise<GateEvaluation> {
  await recordHistory(api.database);
  const response = await ask(runId, policy, as);
  expect([response.status, response.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  return response.body as GateEvaluation;
}

describe('a gate is inconclusive, says why and what would help,', () => {
  async function expectInconclusive(
    runId: string,
    reason: string,
    words: RegExp,
    policy?: object,
    as?: typeof gates,
  ) {
    const evaluation = await judge(runId, policy, as);
    expect(evaluation).toMatchObject({
      outcome: 'inconclusive',
      rules: [{ outcome: 'inconclusive', reason }],
    });
    expect(evaluation.reasons[0]).toMatch(words);
    expect(evaluation.rules[0].help).toMatch(/\.$/);
    return evaluation;
  }
  const next = (more: Partial<HistoryRun> = {}) =>
    add({ hour: 20, stepNs: 100 * MS, branch: 'topic', ...more });

  it('when there is too little to compare with', async () => {
    await addMain({}, 0, 3);
    await expectInconclusive(
      await next(),
      'too-little-evidence',
      /has 3 commits and 3 runs before this one; the policy asks for 5 commits/,
    );
    await expectInconclusive(
      await next({ cluster: 'd' }),
      'too-little-evidence',
      /no comparable run before this one\.?$/,
    );
    const setup = { dtype: 'fp8' };
    const words = /no comparable run before this one: of those of main, dtype is fp8 here and bf16 there/;
    await expectInconclusive(await next({ setup }), 'too-little-evidence', words);
  });

  it('when noise hides what is allowed', async () => {
    for (let hour = 0; hour < 10; hour++) await add({ hour, stepNs: (hour % 2 ? 80 : 120) * MS });
    await expectInconclusive(await next(), 'noise-hides-the-limit', /varies by \d+ % by chance/);
  });

  it('when the metric was not measurable, with the reason of the report', async () => {
    await addMain();
    const mfu = { ...ON_MAIN, rules: [{ metric: 'mfu', maxWorseRatio: 0.1 }] };
    await expectInconclusive(await next(), 'not-measured', /MFU.*not measurable: no shapes/i, mfu);
  });

  it('when the analysis failed, or what the policy says then', async () => {
    const { id } = await api.database.forTeam(team.teamId, ({ run }) =>
      run.create({
        data: {
          ...{ teamId: team.teamId, model: 'm', cluster: 'c', tags: [], generation: 1, state: 'failed' },
          ...{ failureCode: 'not-a-gpu-trace', failureReason: 'no events' },
        },
      }),
    );
    await expectInconclusive(id, 'run-failed', /failed: not-a-gpu-trace: no events/);
    expect((await judge(id, { ...ON_MAIN, whenInconclusive: 'fail' })).outcome).toBe('fail');
    const tolerant = await judge(id, { ...ON_MAIN, whenInconclusive: 'pass' });
    expect(tolerant).toMatchObject({
      outcome: 'pass',
      rules: [{ outcome: 'inconclusive', countsAs: 'pass' }],
    });
    expect(tolerant.reasons[0]).toContain('which this policy takes for pass');
  });

  it('when the pinned run is of other conditions, and names them', async () => {
    const other = await add({
      hour: 0,
      stepNs: 100 * MS,
      cluster: 'd',
      setup: { dtype: 'fp16', sequenceLength: 4096 },
    });
    const words =
      /cluster is c here and d there; dtype is bf16 here and fp16 there; sequenceLength is not told here and 4096 there/;
    await expectInconclusive(await next(), 'baseline-run-not-comparable', words, pinned(other));
  });

  it('when the pinned run is later, of the same commit, not measured, or not there', async () => {
    const runId = await next({ commit: 'head' });
    const later = await add({ hour: 21, stepNs: 100 * MS });
    await expectInconclusive(runId, 'baseline-run-later', /judged by its past only/, pinned(later));
    const same = await add({ hour: 2, stepNs: 100 * MS, commit: 'head' });
    await expectInconclusive(runId, 'baseline-run-same-commit', /of the commit/, pinned(same));
    const early = await add({ hour: 3, stepNs: 100 * MS });
    await expectInconclusive(runId, 'baseline-run-missing', /no pinned run/, pinned(randomUUID()));
    await api.database.forTeam(team.teamId, async ({ run, metricValue }) => {
      const { latestAnalysisId: analysisId } = await run.findUniqueOrThrow({ where: { id: early } });
      await metricValue.updateMany({
        where: { analysisId: analysisId ?? '' },
        data: { value: null, source: 'notMeasurable', reason: 'lost' },
      });
    });
    await expectInconclusive(runId, 'baseline-run-not-measured', /no value: lost/, pinned(early));
  });

  it('when the pinned run is of another team, in the same words as when nobody has it', async () => {
    const runId = await next();
    const other = await api.createTeam();
    const theirs = await addHistoryRun(api.database, other.teamId, { hour: 0, stepNs: 100 * MS });
    const [a, b] = [await judge(runId, pinned(theirs)), await judge(runId, pinned(randomUUID()))];
    expect(a).toEqual(b);
    expect(a.rules[0].reason).toBe('baseline-run-missing');
  });
});
