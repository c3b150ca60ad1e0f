import { setTimeout as sleep } from 'node:timers/promises';
import { PipelineBench, type TeamClient } from '../harness/pipeline-bench';

const body = { model: 'm', cluster: 'c', metadata: { b: 1, a: [2] } };
type Receipt = { id: string; state: string };

describe('Idempotency-Key of POST /v1/runs', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  const create = (client: TeamClient, key: string, content: unknown = body) =>
    client.call<Receipt>('POST', '/v1/runs', content, { 'idempotency-key': key });
  const runCount = async () =>
    (await bench.query('SELECT id FROM runs WHERE team_id = $1', team.teamId)).length;

  beforeAll(async () => {
    bench = await PipelineBench.open();
  });
  beforeEach(async () => {
    team = await bench.team();
  });
  afterAll(() => bench.close());

  it('gives the same answer again', async () => {
    const first = await create(team, 'k1');
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const second = await create(team, 'k1');
    expect(second.status).toBe(201);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect((await create(team, 'k2')).body.id).not.toBe(first.body.id);
    expect((await team.call<Receipt>('POST', '/v1/runs', body)).body.id).not.toBe(first.body.id);
    expect(await runCount()).toBe(3);
  });

  it('refuses the key for another request', async () => {
    await create(team, 'k1');
    const other = await create(team, 'k1', { ...body, model: 'n' });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
    expect(await runCount()).toBe(1);
  });

  it('makes one run of many requests at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(team, 'k1')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await runCount()).toBe(1);
  });

  it('belongs to a team', async () => {
    const stranger = await bench.team();
    const [ours, theirs] = [await create(team, 'k1'), await create(stranger, 'k1', { ...body, model: 'n' })];
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(ours.body.id);
  });

  it('says that the first request is still at it, and is free again when that one dies', async () => {
    await bench.query('BEGIN');
    await bench.query(
      `INSERT INTO idempotency_records (team_id, route, key, request_hash) VALUES ($1, 'POST /v1/runs', 'k1', 'x')`,
      team.teamId,
    );
    const waiting = await create(team, 'k1');
    expect(waiting).toMatchObject({ status: 409, body: { code: 'idempotency-key-in-progress' } });
    expect(waiting.headers.get('retry-after')).toBe('2');
    // What Postgres does for a process that dies.
    await bench.query('ROLLBACK');
    expect((await create(team, 'k1')).status).toBe(201);
  });

  it.each([
    ['the counters of the team', 'usage_days', () => '/v1/runs', 201],
    ['the run', 'runs', (runId: string) => `/v1/runs/${runId}/analyses`, 202],
  ])('does not shorten the wait for %s', async (_what, table, pathOf, status) => {
    const { id } = (await create(team, 'first')).body;
    await bench.query(
      `WITH a AS (INSERT INTO artifacts (id, team_id, run_id, name, size_bytes, sha256, state, object_key, part_size_bytes)
         VALUES (gen_random_uuid(), $1, $2, 'n', 1, repeat('a', 64), 'uploaded', 'k', 1))
       UPDATE runs SET state = 'done' WHERE id = $2`,
      team.teamId,
      id,
    );
    await bench.query('BEGIN');
    await bench.query(`SELECT 1 FROM ${table} WHERE team_id = $1 FOR UPDATE`, team.teamId);
    const sentBody = status === 201 ? body : undefined;
    const answer = team.call('POST', pathOf(id), sentBody, { 'idempotency-key': 'k1' });
    // Longer than a request waits for another one with its key.
    await sleep(4_000);
    await bench.query('ROLLBACK');
    expect((await answer).status).toBe(status);
  });

  it('is forgotten after a day', async () => {
    const first = await create(team, 'k1');
    await bench.query(`UPDATE idempotency_records SET created_at = now() - interval '25 hours'`);
    const second = await create(team, 'k1', { ...body, model: 'n' });
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it.each(['', 'x'.repeat(256), 'schlüssel'])('refuses the key %j', async (key) => {
    const { status, body: problem } = await create(team, Buffer.from(key).toString('latin1'));
    expect({ status, problem }).toMatchObject({ status: 400, problem: { code: 'idempotency-key-invalid' } });
    expect(await runCount()).toBe(0);
  });
});
