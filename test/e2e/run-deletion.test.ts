import { Logger } from '@nestjs/common';
import { holdObject } from '../../src/modules/retention';
import { operator } from '../../src/platform/audit';
import { bucketContents } from '../harness/bucket-contents';
import { PipelineBench, putPart, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { retentionChores, unending } from '../harness/retention-chores';
import { until } from '../harness/until';

const [file] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));
const all = ['runs:read', 'runs:write', 'admin'] as const;

describe('DELETE /v1/runs/{id}', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  let chores: ReturnType<typeof retentionChores>;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await PipelineBench.open();
    chores = retentionChores(bench);
  });
  beforeEach(async () => {
    team = await bench.team([...all]);
  });
  afterAll(() => bench.close());

  const stored = async () => {
    const { keys, uploads } = await bucketContents(bench.environment.env);
    return [...keys, ...uploads].filter((key) => key.includes(team.teamId));
  };
  const remove = (runId: string) => team.call('DELETE', `/v1/runs/${runId}`);
  /** As an analysis leaves it. */
  const verify = (runId: string) =>
    bench.query(
      `WITH r AS (UPDATE runs SET state = 'done' WHERE id = $1)
       UPDATE artifacts SET state = 'verified' WHERE run_id = $1`,
      runId,
    );
  const rowsOfRuns = async () => {
    const tables = ['runs', 'artifacts', 'analyses', 'metric_values', 'step_breakdowns', 'findings'];
    tables.push('team_events', 'webhook_deliveries', 'idempotency_records', 'object_deletions');
    const counts: [string, number][] = [];
    for (const table of tables) {
      const [{ n }] = await bench.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${table} WHERE team_id = $1`,
        team.teamId,
      );
      counts.push([table, n]);
    }
    return Object.fromEntries(counts.filter(([, n]) => n > 0));
  };

  it('deletes every row and every byte of the run, and keeps who did it', async () => {
    const key = { 'idempotency-key': 'k' };
    const { body } = await team.call<{ id: string }>('POST', '/v1/runs', { model: 'm', cluster: 'c' }, key);
    const registered = (await team.register(body.id, file)).body;
    for (const part of registered.parts) await putPart(part, file.bytes, registered.partSizeBytes);
    await team.complete(body.id);
    await bench.startWorker();
    await team.waitFor(body.id, ['done']);
    await bench.stopWorkers();
    await bench.query(
      `INSERT INTO webhook_endpoints (id, team_id, url, events, payload_format) VALUES (gen_random_uuid(), $1, 'https://h.test/', '{}', 'stallscope')`,
      team.teamId,
    );
    await bench.query(
      `INSERT INTO webhook_deliveries (id, team_id, endpoint_id, event_id, event_type, body)
       SELECT gen_random_uuid(), e.team_id, w.id, e.id, e.type, '{}' FROM team_events e
       JOIN webhook_endpoints w ON w.team_id = e.team_id WHERE e.run_id = $1`,
      body.id,
    );
    expect(Object.keys(await rowsOfRuns())).toHaveLength(9);
    expect(await stored()).toHaveLength(1);

    expect((await remove(body.id)).status).toBe(204);
    expect(await rowsOfRuns()).toEqual({ object_deletions: 1 });
    expect(await chores.deleteObjects.pass(unending)).toBe(1);
    expect(await rowsOfRuns()).toEqual({});
    expect(await stored()).toEqual([]);
    expect(
      await bench.query('SELECT action, target_id FROM audit_entries WHERE team_id = $1', team.teamId),
    ).toContainEqual({ action: 'run.deleted', target_id: body.id });
    expect(await remove(body.id)).toMatchObject({ status: 404, body: { code: 'run-not-found' } });
    expect(await team.call('GET', `/v1/runs/${body.id}/report`)).toMatchObject({ status: 404 });
    const anew = await team.call('POST', '/v1/runs', { model: 'other', cluster: 'c' }, key);
    expect(anew.status).toBe(201);
    expect(anew.headers.get('idempotency-replayed')).toBeNull();
  });

  it('frees an upload that is not complete', async () => {
    const runId = await team.createRun();
    const { body } = await team.register(runId, file);
    for (const part of body.parts) await putPart(part, file.bytes, body.partSizeBytes);
    expect((await remove(runId)).status).toBe(204);
    await chores.deleteObjects.pass(unending);
    expect(await stored()).toEqual([]);
    expect(await team.complete(runId)).toMatchObject({ status: 404 });
  });

  it('needs the scope admin, and knows nothing of the runs of others', async () => {
    const runId = await team.createRun();
    const pipeline = await bench.team(['runs:read', 'runs:write']);
    expect(await pipeline.call('DELETE', `/v1/runs/${runId}`)).toMatchObject({
      status: 403,
      body: { code: 'scope-missing' },
    });
    const stranger = await bench.team([...all]);
    expect(await stranger.call('DELETE', `/v1/runs/${runId}`)).toMatchObject({
      status: 404,
      body: { code: 'run-not-found' },
    });
    expect(await team.state(runId)).toMatchObject({ state: 'awaitingUpload' });
  });

  it('stops the analysis that is going on, and leaves none of its results', async () => {
    await bench.startWorker();
    for (let i = 0; i < 3; i++) {
      const runId = await team.upload([file]);
      await team.waitFor(runId, ['analyzing', 'done']);
      expect((await remove(runId)).status).toBe(204);
    }
    const after = await team.upload([file]);
    await team.waitFor(after, ['done']);
    await remove(after);
    await until(
      async () => Object.keys(await rowsOfRuns()).every((name) => name === 'object_deletions'),
      'only objects are left to delete',
    );
    await until(async () => (await stored()).length === 0, 'the worker deleted the objects');
    await bench.stopWorkers();
  });

  it('keeps an object while another run has the same content, and deletes it with the last one', async () => {
    const first = await team.upload([file]);
    await verify(first);
    const second = await team.createRun();
    expect((await team.register(second, file)).body).toMatchObject({ state: 'uploaded', parts: [] });
    await Promise.all([remove(first), team.complete(second)]);
    await chores.deleteObjects.pass(unending);
    expect(await stored()).toHaveLength(1);
    await remove(second);
    await chores.deleteObjects.pass(unending);
    expect(await stored()).toEqual([]);
  });

  it('deletes a shared object when both of its runs go at the same time', async () => {
    for (let i = 0; i < 5; i++) {
      const runs = [await team.upload([file])];
      await verify(runs[0]);
      for (let n = 0; n < 3; n++) {
        runs.push(await team.createRun());
        await team.register(runs[n + 1], file);
      }
      expect(await stored()).toHaveLength(1);
      await Promise.all(runs.map(remove));
      await chores.deleteObjects.pass(unending);
      expect(await stored()).toEqual([]);
    }
  });

  it('waits for an artifact that is being put on the object, and then leaves the object', async () => {
    const first = await team.upload([file]);
    await verify(first);
    const second = await team.createRun();
    const [key] = await stored();
    let deletion: Promise<unknown> | undefined;
    await bench.database.forTeam(team.teamId, async (scope) => {
      expect(await holdObject(scope, key)).toBe(true);
      deletion = chores.runs.deleteForPerson(team.teamId, first, operator);
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INTO object_deletions%'`;
      await until(async () => (await bench.query(waiting)).length > 0, 'the deletion waits');
      await scope.$executeRaw`
        INSERT INTO artifacts (id, team_id, run_id, name, size_bytes, sha256, state, object_key, part_size_bytes)
        SELECT gen_random_uuid(), team_id, ${second}::uuid, name, size_bytes, sha256, 'uploaded', object_key, part_size_bytes
        FROM artifacts WHERE run_id = ${first}::uuid`;
    });
    expect(await deletion).toBe(true);
    await chores.deleteObjects.pass(unending);
    expect(await stored()).toEqual([key]);
    await bench.database.forTeam(team.teamId, async (scope) => {
      // Only content that was verified is taken over.
      expect(await holdObject(scope, key)).toBe(false);
    });
  });

  it('never takes an object from under a run that has just been registered', async () => {
    for (let i = 0; i < 10; i++) {
      const first = await team.upload([file]);
      await verify(first);
      const second = await team.createRun();
      const [registration] = await Promise.all([
        team.register(second, file),
        remove(first),
        chores.deleteObjects.pass(unending),
        team.call('PUT', '/v1/ingest?model=m&cluster=c', file.bytes),
      ]);
      expect(registration.status).toBe(201);
      await chores.deleteObjects.pass(unending);
      const used = await bench.query<{ object_key: string }>(
        `SELECT DISTINCT object_key FROM artifacts WHERE team_id = $1 AND state <> 'awaitingUpload'`,
        team.teamId,
      );
      const keys = await stored();
      for (const { object_key } of used) expect(keys).toContain(object_key);
      for (const { id } of await bench.query<{ id: string }>(
        'SELECT id FROM runs WHERE team_id = $1',
        team.teamId,
      ))
        await remove(id);
      await chores.deleteObjects.pass(unending);
      expect(await stored()).toEqual([]);
    }
  });
});
