import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { addHistoryRun, recordHistory } from '../harness/seed-history';

interface Policy {
  name: string;
  revision: number;
  createdBy: string | null;
  policy: { rules: { max: number }[]; whenInconclusive: string };
}
interface Page {
  items: Omit<Policy, 'policy'>[];
  nextCursor: string | null;
}

let api: InProcessApi;
let team: TestTeam;
let admin: { Authorization: string };

beforeAll(async () => {
  api = await startInProcessApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  team = await api.createTeam();
  admin = await api.tokenHeader(team.teamId, ['runs:read', 'admin', 'gates:evaluate']);
});

const atMost = (max: number) => ({ version: 1, rules: [{ metric: 'step-time', max }] });
const save = (name: string, policy: object, headers: Record<string, string> = {}) =>
  api
    .http()
    .put(`/v1/gates/policies/${name}`)
    .set({ ...admin, ...headers })
    .send(policy);
const read = async <T = Policy>(path: string) =>
  (await api.http().get(`/v1/gates/policies${path}`).set(admin).expect(200)).body as T;

describe('gate policies', () => {
  it('are kept in every revision, which the same content does not make', async () => {
    const first = await save('pr', atMost(1)).expect(200);
    expect(first.body).toMatchObject({
      name: 'pr',
      revision: 1,
      createdBy: 'test',
      policy: { whenInconclusive: 'inconclusive' },
    });
    expect(first.headers.etag).toBe('"r1"');
    expect((await save('pr', atMost(2)).expect(200)).headers.etag).toBe('"r2"');
    // Defaults, and the order of fields, are no other content.
    const same = { whenInconclusive: 'inconclusive', ...atMost(2) };
    expect((await save('pr', same).expect(200)).body).toMatchObject({ revision: 2 });
    expect((await read('/pr')).policy.rules[0].max).toBe(2);
    expect((await read('/pr?revision=1')).policy.rules[0].max).toBe(1);
    expect((await read<Page>('/pr/revisions')).items.map(({ revision }) => revision)).toEqual([2, 1]);
    // An earlier content is a new revision again.
    expect((await save('pr', atMost(1)).expect(200)).body).toMatchObject({ revision: 3 });
  });

  it('are listed by name in their newest revision, page by page, as their revisions are', async () => {
    for (const name of ['c', 'a', 'b']) await save(name, atMost(1)).expect(200);
    await save('a', atMost(2)).expect(200);
    const first = await read<Page>('?limit=2');
    expect(first.items.map(({ name, revision }) => [name, revision])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    const second = await read<Page>(`?limit=2&cursor=${first.nextCursor}`);
    expect([second.items.map(({ name }) => name), second.nextCursor]).toEqual([['c'], null]);
    const newest = await read<Page>('/a/revisions?limit=1');
    const older = await read<Page>(`/a/revisions?limit=1&cursor=${newest.nextCursor}`);
    expect([newest, older].map(({ items }) => items[0].revision)).toEqual([2, 1]);
    expect(older.nextCursor).toBeNull();
    const foreign = api.http().get(`/v1/gates/policies/b/revisions?cursor=${newest.nextCursor}`).set(admin);
    expectProblem(await foreign, 'cursor-invalid');
  });

  it('are not changed from a revision that is not the newest any more', async () => {
    await save('pr', atMost(1), { 'if-none-match': '*' }).expect(200);
    expectProblem(await save('pr', atMost(2), { 'if-none-match': '*' }), 'gate-policy-changed');
    await save('pr', atMost(2), { 'if-match': '"r1"' }).expect(200);
    expect(
      expectProblem(await save('pr', atMost(3), { 'if-match': '"r1"' }), 'gate-policy-changed').detail,
    ).toContain('2');
    expectProblem(await save('new', atMost(3), { 'if-match': '"r1"' }), 'gate-policy-changed');
    const unclear: Record<string, string>[] = [
      { 'if-match': '2' },
      { 'if-match': '*, W/"r2"' },
      { 'if-none-match': '"r2"' },
      { 'if-match': '"r2"', 'if-none-match': '*' },
    ];
    for (const headers of unclear) expectProblem(await save('pr', atMost(4), headers), 'malformed-request');
    expect((await read('/pr')).revision).toBe(2);
  });

  it('take one of many changes from the same revision, and lose none of those that expect nothing', async () => {
    await save('pr', atMost(1)).expect(200);
    const racing = await Promise.all(
      Array.from({ length: 8 }, (_, i) => save('pr', atMost(10 + i), { 'if-match': '"r1"' })),
    );
    expect(racing.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(412)]);
    const free = await Promise.all(Array.from({ length: 8 }, (_, i) => save('pr', atMost(100 + i))));
    expect(free.map(({ body }) => (body as Policy).revision).sort((a, b) => a - b)).toEqual([
      3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, i) => save('fresh', atMost(i), { 'if-none-match': '*' })),
    );
    expect(created.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('say what is wrong with them', async () => {
    const wrong = {
      version: 1,
      rules: [
        { metric: 'speed', max: 1 },
        { metric: 'step-time', maxWorseRatio: 0.1 },
      ],
    };
    const { errors } = expectProblem(await save('pr', wrong), 'validation-failed');
    expect(errors?.map(({ field }) => field)).toEqual(['rules.0.metric', 'rules.1.baseline']);
    expect(errors?.[0].message).toContain('/v1/metrics-catalogue');
    for (const name of ['Big', 'a%20b', '-a', 'a'.repeat(101)])
      expectProblem(await save(name, atMost(1)), 'validation-failed');
    const other = await api.createTeam();
    const runId = await addHistoryRun(api.database, other.teamId, { hour: 0, stepNs: 1 });
    const pinned = {
      ...atMost(1),
      rules: [{ metric: 'step-time', maxWorseRatio: 0 }],
      baseline: { kind: 'run', runId },
    };
    expectProblem(await save('pr', pinned), 'run-not-found');
    expectProblem(await api.http().get('/v1/gates/policies/pr').set(admin), 'gate-policy-not-found');
    expectProblem(
      await api.http().get('/v1/gates/policies/pr/revisions').set(admin),
      'gate-policy-not-found',
    );
  });

  it('are written by admins only, read with runs:read, and audited', async () => {
    const member = await api.tokenHeader(team.teamId, ['runs:read', 'runs:write', 'gates:evaluate']);
    expectProblem(await save('pr', atMost(1), member), 'scope-missing');
    expectProblem(await api.http().delete('/v1/gates/policies/pr').set(member), 'scope-missing');
    await save('pr', atMost(1)).expect(200);
    await save('pr', atMost(1)).expect(200);
    await api.http().get('/v1/gates/policies/pr').set(member).expect(200);
    await api.http().delete('/v1/gates/policies/pr').set(admin).expect(204);
    expectProblem(await api.http().delete('/v1/gates/policies/pr').set(admin), 'gate-policy-not-found');
    const { body } = await api.http().get('/v1/audit-log').set(admin).expect(200);
    const acts = (body as { items: { action: string; target: unknown; details: unknown }[] }).items;
    expect(acts.filter(({ action }) => action.startsWith('gate-policy'))).toMatchObject([
      { action: 'gate-policy.deleted', target: { kind: 'gate-policy', id: 'pr' }, details: { revisions: 1 } },
      { action: 'gate-policy.saved', target: { kind: 'gate-policy', id: 'pr' }, details: { revision: 1 } },
    ]);
  });

  it('are bounded in number', async () => {
    await api.database.forTeam(team.teamId, ({ gatePolicy }) =>
      gatePolicy.createMany({
        data: [
          ...Array.from({ length: 199 }, (_, i) => ({
            teamId: team.teamId,
            name: `p${i}`,
            revision: 1,
            policy: {},
          })),
          { teamId: team.teamId, name: 'p0', revision: 1_000, policy: {} },
        ],
      }),
    );
    await save('last', atMost(1)).expect(200);
    expectProblem(await save('more', atMost(1)), 'gate-policy-limit-reached');
    expectProblem(await save('p0', atMost(1)), 'gate-policy-limit-reached');
    await save('last', atMost(2)).expect(200);
  });

  it('judge runs by name, in the newest revision or the one that is named', async () => {
    await save('pr', atMost(1)).expect(200);
    await save('pr', atMost(1e9)).expect(200);
    const runId = await addHistoryRun(api.database, team.teamId, { hour: 0, stepNs: 1e8 });
    await recordHistory(api.database);
    const judge = (policy: string) =>
      api.http().post('/v1/gates/evaluate').set(admin).send({ runId, policy });
    expect((await judge('pr').expect(200)).body).toMatchObject({
      outcome: 'pass',
      policy: { name: 'pr', revision: 2 },
    });
    expect((await judge('pr@1').expect(200)).body).toMatchObject({
      outcome: 'fail',
      policy: { name: 'pr', revision: 1 },
    });
    expectProblem(await judge('pr@3'), 'gate-policy-not-found');
  });

  it('judge by a metric that is gone as inconclusive, and are still read', async () => {
    const policy = {
      version: 1,
      rules: [{ metric: 'gone', max: 1 }],
      minimumEvidence: { commits: 5 },
      whenInconclusive: 'inconclusive',
    };
    await api.database.forTeam(team.teamId, ({ gatePolicy }) =>
      gatePolicy.create({ data: { teamId: team.teamId, name: 'old', revision: 1, policy } }),
    );
    expect((await read('/old')).policy).toEqual(policy);
    const runId = await addHistoryRun(api.database, team.teamId, { hour: 0, stepNs: 1e8 });
    await recordHistory(api.database);
    const { body } = await api
      .http()
      .post('/v1/gates/evaluate')
      .set(admin)
      .send({ runId, policy: 'old' })
      .expect(200);
    expect(body).toMatchObject({ outcome: 'inconclusive', rules: [{ reason: 'unknown-metric', unit: '' }] });
  });
});
