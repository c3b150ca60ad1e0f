import { randomUUID } from 'node:crypto';
import { type GateEvaluation } from '../../src/presentation';
import { expectProblem } from '../harness/expect-problem';
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
const runsUsed = ({ rules }: GateEvaluation) => rules[0].baseline?.runsUsed.map(({ runId }) => runId);

describe('POST /v1/gates/evaluate', () => {
  it('passes a run that is as good as the runs before it, with figures and links', async () => {
    const main = await addMain();
    const runId = await add({ hour: 20, stepNs: 101 * MS, branch: 'topic', commit: 'topic-1' });
    const evaluation = await judge(runId);
    expect(evaluation).toMatchObject({
      outcome: 'pass',
      reasons: ['Every rule that applies holds (1).'],
      policy: { name: null, revision: null, whenInconclusive: 'inconclusive' },
      run: {
        id: runId,
        model: 'm',
        cluster: 'c',
        branch: 'topic',
        commit: 'topic-1',
        at: '2026-06-01T20:00:00.000Z',
      },
      links: { run: `/v1/runs/${runId}`, report: `/v1/runs/${runId}/report` },
    });
    const [rule] = evaluation.rules;
    expect(rule).toMatchObject({
      ...{ metric: 'step-time', name: 'Step time', unit: 'ns', outcome: 'pass', countsAs: 'pass' },
      ...{ reason: 'within-limits', value: 101 * MS, repeats: 1, help: null },
      baseline: { description: 'latest 20 commits of branch main', commits: 12, runs: 12 },
    });
    expect(runsUsed(evaluation)).toEqual(main);
    expect(rule.baseline?.median ?? 0).toBeCloseTo(100 * MS, -6);
    expect(rule.changeRatio).toBeCloseTo(0.01, 2);
    expect(rule.bound.worstAllowed).toBeCloseTo((rule.baseline?.median ?? 0) * 1.03, 0);
  });

  it('fails a run that is worse than allowed, and says by how much', async () => {
    await addMain();
    const evaluation = await judge(await add({ hour: 20, stepNs: 110 * MS, branch: 'topic' }));
    expect(evaluation).toMatchObject({
      outcome: 'fail',
      rules: [{ reason: 'worse-than-allowed', countsAs: 'fail' }],
    });
    expect(evaluation.reasons).toEqual([
      expect.stringMatching(/^Step time: 110 ms is .* % worse than its baseline; 3.0 % is allowed\.$/),
    ]);
    expect(evaluation.rules[0].help).toContain('report');
    const reader = await api.tokenHeader(team.teamId, ['runs:read']);
    const compared = await api
      .http()
      .post('/v1/compare')
      .set(reader)
      .send(evaluation.compare ?? {})
      .expect(200);
    expect(compared.body).toMatchObject({ before: { runs: 12 }, after: { runIds: [evaluation.run.id] } });
    await api
      .http()
      .get(evaluation.links.series ?? '')
      .set(reader)
      .expect(200);
  });

  it('judges a run by its past only, also when it was uploaded late', async () => {
    await addMain();
    for (let hour = 30; hour < 50; hour++) await add({ hour, stepNs: noisy(hour, 200 * MS) });
    const evaluation = await judge(await add({ hour: 20, stepNs: 101 * MS, branch: 'topic' }));
    expect(evaluation).toMatchObject({ outcome: 'pass', rules: [{ baseline: { commits: 12 } }] });
  });

  it('takes repeats of a commit for one, and never the commit itself for its baseline', async () => {
    await addMain();
    for (let i = 0; i < 30; i++) await add({ hour: 12 + i / 100, stepNs: 150 * MS, commit: 'often' });
    await add({ hour: 19, stepNs: 109 * MS, commit: 'head' });
    await add({ hour: 19.5, stepNs: 104 * MS, commit: 'head' });
    const evaluation = await judge(await add({ hour: 20, stepNs: 108 * MS, commit: 'head' }));
    expect(evaluation.rules[0]).toMatchObject({
      value: 108 * MS,
      repeats: 3,
      baseline: { commits: 13, runs: 42 },
    });
    expect(evaluation.rules[0].baseline?.runsUsed.map(({ commit }) => commit)).not.toContain('head');
    expect(evaluation.rules[0].baseline?.median ?? 0).toBeLessThan(101 * MS);
    expect(evaluation.outcome).toBe('fail');
  });

  it('leaves runs of a regression out of the baseline', async () => {
    const good = await addMain({}, 0, 15);
    for (let hour = 15; hour < 25; hour++) await add({ hour, stepNs: noisy(hour, 112 * MS) });
    const evaluation = await judge(await add({ hour: 30, stepNs: 112 * MS, branch: 'topic' }));
    expect(evaluation.outcome).toBe('fail');
    expect(runsUsed(evaluation)).toEqual(good);
    const [bad] = await api.database.forTeam(team.teamId, ({ regression }) => regression.findMany());
    expect(
      (await judge(await add({ hour: 31, stepNs: 112 * MS }), pinned(bad.firstBadRunId ?? ''))).rules[0]
        .reason,
    ).toBe('baseline-run-regressed');
  });

  it('compares with the runs of a tag, and with one pinned run', async () => {
    await addMain();
    const nightly = await addMain({ tags: ['nightly'], branch: 'other', stepNs: 120 * MS }, 12, 17);
    const runId = await add({ hour: 20, stepNs: 121 * MS, branch: 'topic' });
    const byTag = await judge(runId, { ...ON_MAIN, baseline: { kind: 'tag', tag: 'nightly' } });
    expect([byTag.outcome, runsUsed(byTag)]).toEqual(['pass', nightly]);
    const byRun = await judge(runId, pinned(nightly[0]));
    expect([byRun.outcome, runsUsed(byRun)]).toEqual(['pass', [nightly[0]]]);
    expect((await judge(runId)).outcome).toBe('fail');
  });

  it('keeps absolute bounds, without any history', async () => {
    const runId = await add({ hour: 0, stepNs: 110 * MS });
    const bounds = (rule: object) => ({ version: 1, rules: [{ metric: 'step-time', ...rule }] });
    expect((await judge(runId, bounds({ max: 105 * MS }))).rules[0].reason).toBe('above-maximum');
    expect((await judge(runId, bounds({ min: 120 * MS }))).rules[0].reason).toBe('below-minimum');
    expect((await judge(runId, bounds({ min: 1, max: 120 * MS }))).outcome).toBe('pass');
  });

  it('lets a rule be for some runs only, and passes nothing that no rule was for', async () => {
    const runId = await add({ hour: 0, stepNs: 110 * MS });
    const rule = { metric: 'step-time', max: 1, scope: { models: ['other'], clusters: ['c'] } };
    const evaluation = await judge(runId, { version: 1, rules: [rule] });
    expect(evaluation).toMatchObject({
      outcome: 'inconclusive',
      rules: [{ outcome: 'not-applicable', countsAs: null }],
    });
    const own = { ...rule, scope: { models: ['m'] } };
    expect((await judge(runId, { version: 1, rules: [rule, own] })).outcome).toBe('fail');
  });
});

describe('a gate refuses', () => {
  it.each(['queued', 'analyzing', 'awaitingUpload'] as const)(
    'a run that is %s, with the time to wait',
    async (state) => {
      const { id } = await api.database.forTeam(team.teamId, ({ run }) =>
        run.create({
          data: { teamId: team.teamId, model: 'm', cluster: 'c', tags: [], state, generation: 1 },
        }),
      );
      const response = await ask(id);
      expectProblem(response, 'report-not-ready');
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    },
  );

  it('a run that is done but in no series yet, and takes it once it is', async () => {
    const runId = await add({ hour: 0, stepNs: 100 * MS });
    expect(expectProblem(await ask(runId), 'report-not-ready').detail).toContain('series');
    await recordHistory(api.database);
    await ask(runId).expect(200);
  });

  it('runs and policies of other teams, as what nobody has', async () => {
    const other = await api.createTeam();
    const theirs = await addHistoryRun(api.database, other.teamId, { hour: 0, stepNs: 1 });
    const admin = await api.tokenHeader(other.teamId, ['admin']);
    await api.http().put('/v1/gates/policies/theirs').set(admin).send(ON_MAIN).expect(200);
    const [a, b] = [
      expectProblem(await ask(theirs), 'run-not-found'),
      expectProblem(await ask(randomUUID()), 'run-not-found'),
    ];
    expect(a.detail).toBe(b.detail);
    const runId = await add({ hour: 0, stepNs: 1 });
    const named = await api.http().post('/v1/gates/evaluate').set(gates).send({ runId, policy: 'theirs' });
    expectProblem(named, 'gate-policy-not-found');
  });

  it('credentials without the scope, and runs outside of the limits of a token', async () => {
    await addMain();
    const outside = await add({ hour: 20, stepNs: 100 * MS, model: 'secret' });
    const inside = await add({ hour: 20, stepNs: 100 * MS });
    await recordHistory(api.database);
    expectProblem(
      await ask(inside, ON_MAIN, await api.tokenHeader(team.teamId, ['runs:read', 'admin'])),
      'scope-missing',
    );
    const limits = { models: ['m'], clusters: [] };
    const { token } = await api.teams.createApiToken(team.teamId, {
      name: 'l',
      scopes: ['gates:evaluate'],
      limits,
    });
    const limited = { Authorization: `Bearer ${token}` };
    expectProblem(await ask(outside, ON_MAIN, limited), 'run-not-found');
    expect((await judge(inside, ON_MAIN, limited)).outcome).toBe('pass');
    const hidden = await judge(inside, pinned(outside), limited);
    expect(hidden.rules[0].reason).toBe('baseline-run-missing');
    expect(JSON.stringify(hidden)).not.toContain('secret');
  });

  it.each([
    [{}, 'policy'],
    [{ policy: 'a', inlinePolicy: ON_MAIN }, 'policy'],
    [{ policy: 'A b' }, 'policy'],
    [{ policy: 'a@0' }, 'policy'],
    [
      { inlinePolicy: { ...ON_MAIN, rules: [{ ...THREE_PERCENT, metric: 'speed' }] } },
      'inlinePolicy.rules.0.metric',
    ],
    [{ policy: 'a', runId: 'x' }, 'runId'],
  ])('the question %j', async (body, field) => {
    const response = await api
      .http()
      .post('/v1/gates/evaluate')
      .set(gates)
      .send({ runId: randomUUID(), ...body });
    expect(expectProblem(response, 'validation-failed').errors?.map((one) => one.field)).toContain(field);
  });
});
