import { Readable } from 'node:stream';
import { holdObject } from '../../src/modules/retention';
import { RunWorkRepository } from '../../src/modules/ingestion/run-work.repository';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { until } from '../harness/until';

const [{ bytes }] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));
const path = '/v1/ingest?model=m&cluster=c&name=r0.json.gz';

describe('a verified copy that went bad in the store', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open();
  });
  beforeEach(async () => {
    team = await bench.team();
  });
  afterEach(() => bench.stopWorkers());
  afterAll(() => bench.close());

  const ingest = async () => {
    const { status, body, text } = await team.call<{ runId: string }>('PUT', path, bytes);
    if (status !== 202) throw new Error(text);
    return body.runId;
  };
  const artifactOf = async (runId: string) => {
    const text = 'SELECT id, object_key AS key, state FROM artifacts WHERE run_id = $1';
    return (await bench.query<{ id: string; key: string; state: string }>(text, runId))[0];
  };
  const verifiedRun = async () => {
    const runId = await ingest();
    await bench.query(
      `WITH r AS (UPDATE runs SET state = 'done' WHERE id = $1)
       UPDATE artifacts SET state = 'verified', included_in = 1 WHERE run_id = $1`,
      runId,
    );
    return runId;
  };
  const waits = (query: string) =>
    until(async () => {
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1`;
      return (await bench.query(waiting, `%${query}%`)).length > 0;
    }, `${query} waits`);

  it('is what the run that stands on it is told of, and the next upload is kept', async () => {
    await bench.startWorker();
    const first = await ingest();
    await team.waitFor(first, ['done']);
    const { key } = await artifactOf(first);
    const rotten = Buffer.alloc(bytes.length, 'rot');
    await bench.store.write(key, Readable.from([rotten]), { maxBytes: rotten.length });

    const { failure } = await team.waitFor(await ingest(), ['failed']);
    expect(failure).toMatchObject({
      code: 'checksum-mismatch',
      reason: expect.stringContaining('was damaged since. Upload the file again.') as string,
    });
    expect(failure?.reason).not.toContain('changed while');
    await team.waitFor(await ingest(), ['done']);
  });

  it('is rejected only after whoever is being put on it, and stays for them', async () => {
    const first = await verifiedRun();
    const { id, key } = await artifactOf(first);
    await bench.query(`UPDATE runs SET state = 'analyzing' WHERE id = $1`, first);
    const [version] = await bench.query<{ runId: string; generation: number; attempts: number }>(
      'SELECT id AS "runId", generation, attempts FROM runs WHERE id = $1',
      first,
    );
    const second = await team.createRun();
    let ending: Promise<unknown> | undefined;
    await bench.database.forTeam(team.teamId, async (scope) => {
      expect(await holdObject(scope, key)).toBe(true);
      const failure = { code: 'checksum-mismatch', reason: 'r' };
      ending = new RunWorkRepository(bench.database).failRejecting(team.teamId, version, [id], failure);
      await waits('FOR NO KEY UPDATE');
      await scope.$executeRaw`
        INSERT INTO artifacts (id, team_id, run_id, name, size_bytes, sha256, state, object_key, part_size_bytes)
        SELECT gen_random_uuid(), team_id, ${second}::uuid, name, size_bytes, sha256, 'uploaded', object_key, part_size_bytes
        FROM artifacts WHERE run_id = ${first}::uuid`;
    });
    expect(await ending).toEqual({ nextGeneration: null });
    expect(await bench.query('SELECT 1 FROM object_deletions WHERE object_key = $1', key)).toEqual([]);
    expect(await artifactOf(first)).toMatchObject({ state: 'rejected' });
    expect(await artifactOf(second)).toMatchObject({ state: 'uploaded', key });
    await bench.database.forTeam(team.teamId, async (scope) => {
      expect(await holdObject(scope, key)).toBe(false);
    });
  });

  it('is not given to an ingest while it is being rejected: that one stands on its own copy', async () => {
    const { key } = await artifactOf(await verifiedRun());
    let next: Promise<string> | undefined;
    await bench.database.forTeam(team.teamId, async ({ $executeRaw, teamId }) => {
      await $executeRaw`UPDATE artifacts SET state = 'rejected' WHERE team_id = ${teamId}::uuid`;
      next = ingest();
      await waits('FOR SHARE');
    });
    await bench.store.delete(key);
    const runId = (await next) ?? '';
    expect((await artifactOf(runId)).key).not.toBe(key);
    await bench.startWorker();
    await team.waitFor(runId, ['done']);
  });
});
