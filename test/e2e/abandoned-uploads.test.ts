import { BucketOwner } from '../../src/modules/retention';
import { ObjectStore } from '../../src/platform/object-store';
import { Logger } from '@nestjs/common';
import { ExpireUploads } from '../../src/modules/ingestion';
import { RunWorkRepository } from '../../src/modules/ingestion/run-work.repository';
import { loadConfig } from '../../src/platform/config';
import { bucketContents } from '../harness/bucket-contents';
import { PipelineBench, putPart, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { retentionChores, unending } from '../harness/retention-chores';
import { until } from '../harness/until';

const [file] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));

describe('an upload that nobody completes', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await PipelineBench.open();
  });
  beforeEach(async () => {
    team = await bench.team();
  });
  afterAll(() => bench.close());

  const chore = (expiryS: number, store = bench.store) => {
    const config = loadConfig(bench.environment.env);
    const uploads = { ...config.uploads, expiryS };
    const work = new RunWorkRepository(bench.database);
    return new ExpireUploads(work, store, new BucketOwner(bench.database, store), { ...config, uploads });
  };
  const stored = async () => {
    const { keys, uploads } = await bucketContents(bench.environment.env);
    return [...keys, ...uploads].filter((key) => key.includes(team.teamId));
  };
  async function beginUpload(): Promise<string> {
    const runId = await team.createRun();
    const { body } = await team.register(runId, file);
    for (const part of body.parts) await putPart(part, file.bytes, body.partSizeBytes);
    await team.register(runId, { name: 'never-sent', bytes: Buffer.from('x') });
    return runId;
  }
  const age = (runId: string, days: number) =>
    bench.query(
      `UPDATE runs SET state_changed_at = now() - make_interval(days => $2) WHERE id = $1`,
      runId,
      days,
    );

  it('ends as a failed run with a reason, and leaves nothing in the store', async () => {
    const runId = await beginUpload();
    const young = await beginUpload();
    await age(runId, 8);
    await age(young, 6);
    // One artifact is an object already, the other one is missing: the client stopped there.
    expect((await team.complete(runId)).status).toBe(409);
    await bench.startWorker();
    const run = await team.waitFor(runId, ['failed']);
    expect(run.failure?.code).toBe('upload-abandoned');
    expect(run.failure?.reason).toContain('UPLOAD_EXPIRY_S');
    expect(run.artifacts.map(({ state }) => state)).toEqual(['rejected', 'rejected']);
    await until(async () => (await stored()).length === 2, 'only the young upload is left');
    expect(await team.state(young)).toMatchObject({ state: 'awaitingUpload' });
    await bench.stopWorkers();

    const again = await team.register(runId, file);
    expect(again).toMatchObject({ status: 409, body: { code: 'run-not-awaiting-upload' } });
    const more = await team.register(runId, { name: 'more', bytes: Buffer.from('y') });
    expect(more).toMatchObject({ status: 409, body: { code: 'run-not-awaiting-upload' } });
    expect(await team.complete(runId)).toMatchObject({ status: 200, body: { state: 'failed' } });
    expect(await stored()).toHaveLength(2);
  });

  it('is aborted in the store when no run knows of it', async () => {
    await bench.store.createMultipartUpload(`teams/${team.teamId}/artifacts/x/lost`);
    expect(await chore(7 * 86_400).pass(unending)).toBe(0);
    expect(await stored()).toHaveLength(1);
    await chore(0).pass(unending);
    expect(await stored()).toEqual([]);
  });

  it('is completed or given up, never both', async () => {
    const runs = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const runId = await team.createRun();
        const { body } = await team.register(runId, file);
        for (const part of body.parts) await putPart(part, file.bytes, body.partSizeBytes);
        return runId;
      }),
    );
    await Promise.all([chore(0).pass(unending), ...runs.map((runId) => team.complete(runId))]);
    await chore(0).pass(unending);
    await bench.startWorker();
    let done = 0;
    for (const runId of runs) {
      const run = await team.waitFor(runId, ['done', 'failed']);
      if (run.state === 'done') done++;
      else expect(run.failure?.code).toBe('upload-abandoned');
    }
    await until(async () => (await stored()).length === done, 'only what is analysed is left');
  });

  it('leaves nothing either when the store is away meanwhile', async () => {
    const runId = await beginUpload();
    expect((await team.complete(runId)).status).toBe(409);
    const { objectStore } = loadConfig(bench.environment.env);
    const away = new ObjectStore({ ...objectStore, endpoint: 'http://127.0.0.1:1' });
    await expect(chore(0, away).pass(unending)).rejects.toThrow();
    expect(await team.state(runId)).toMatchObject({ state: 'failed' });
    expect(await stored()).not.toEqual([]);
    await retentionChores(bench).deleteObjects.pass(unending);
    expect(await stored()).toEqual([]);
  });

  it('is given up however many there are', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => team.createRun()));
    await bench.query(
      `INSERT INTO runs (id, team_id, model, cluster, tags, state_changed_at)
       SELECT gen_random_uuid(), team_id, 'm', 'c', '{}', now() - interval '8 days' FROM runs, generate_series(1, 60)
       WHERE id = ANY($1::uuid[])`,
      runs,
    );
    let givenUp = 0;
    for (let inPass = 1; inPass > 0; givenUp += inPass) inPass = await chore(7 * 86_400).pass(unending);
    expect(givenUp).toBe(1_200);
  });
});
