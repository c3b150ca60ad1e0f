import { gunzipSync, gzipSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import { ExpireUploads } from '../../src/modules/ingestion';
import { RunWorkRepository } from '../../src/modules/ingestion/run-work.repository';
import { loadWorkerConfig } from '../../src/platform/config';
import { bucketContents } from '../harness/bucket-contents';
import { linkTo, type CuttableLink } from '../harness/cuttable-link';
import { PipelineBench, putPart, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { retentionChores, unending } from '../harness/retention-chores';

const ofRank = (rank: number) =>
  sampleRun('ddp_slow_link').filter(({ name }) => new RegExp(`rank[_-]?${rank}\\b`).test(name));
interface ReportBody {
  generation: number;
  runState: string;
  ranks: { rank: number }[];
}

describe('artifacts that come after a run was completed', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  let link: CuttableLink;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await PipelineBench.open();
    link = await linkTo(bench.environment.env.S3_ENDPOINT);
  });
  beforeEach(async () => {
    team = await bench.team();
  });
  afterEach(async () => {
    link.thaw();
    await bench.stopWorkers();
  });
  afterAll(async () => {
    await bench.close();
    await link.close();
  });

  const report = (runId: string, query = '') =>
    team.call<ReportBody>('GET', `/v1/runs/${runId}/report${query}`);
  const ranksOf = (body: ReportBody) => body.ranks.map(({ rank }) => rank);
  const sendAll = (runId: string, rank: number) =>
    Promise.all(ofRank(rank).map((file) => team.send(runId, file)));
  /** A worker whose analyses hang until the link is thawed. */
  const frozenWorker = () => {
    link.freeze();
    return bench.startWorker({ S3_ENDPOINT: link.through(bench.environment.env.S3_ENDPOINT) });
  };

  it('are analysed with the others as the next generation, and the report of before stays until then', async () => {
    await bench.startWorker();
    const runId = await team.upload(ofRank(0));
    await team.waitFor(runId, ['done']);
    await bench.stopWorkers();
    const first = await report(runId);
    expect(first.body).toMatchObject({ generation: 1, runState: 'done' });
    expect(ranksOf(first.body)).toEqual([0]);

    const late = await sendAll(runId, 1);
    expect(await team.complete(runId)).toMatchObject({
      status: 200,
      body: { state: 'queued', generation: 2, awaitingArtifacts: 0, newArtifacts: late.length },
    });
    const meanwhile = await report(runId);
    expect(meanwhile.body).toMatchObject({ generation: 1, runState: 'queued' });
    expect(meanwhile.headers.get('etag')).not.toBe(first.headers.get('etag'));
    const known = { 'if-none-match': meanwhile.headers.get('etag') ?? '' };
    expect((await team.call('GET', `/v1/runs/${runId}/report`, undefined, known)).status).toBe(304);

    await bench.startWorker();
    await team.waitFor(runId, ['done']);
    const second = await report(runId);
    expect(second.body).toMatchObject({ generation: 2, runState: 'done' });
    expect(ranksOf(second.body)).toEqual([0, 1]);
    expect(ranksOf((await report(runId, '?generation=1')).body)).toEqual([0]);
    expect(await team.complete(runId)).toMatchObject({ body: { state: 'done', generation: 2 } });
    expect(await bench.resultsOf(runId)).toMatchObject({ analyses: 2 });
  });

  it('join the analysis that waits, and follow the one that is going on', async () => {
    const runId = await team.upload(ofRank(0));
    await sendAll(runId, 1);
    expect(await team.complete(runId)).toMatchObject({ body: { state: 'queued', generation: 1 } });
    await frozenWorker();
    await team.waitFor(runId, ['analyzing']);
    await team.send(runId, { name: 'notes.txt', bytes: Buffer.from('remember the milk') });
    expect(await team.complete(runId)).toMatchObject({
      body: { state: 'analyzing', generation: 1, newArtifacts: 1 },
    });
    link.thaw();
    const reached = async () => (await team.state(runId)).generation;
    while ((await reached()) < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    await team.waitFor(runId, ['done']);
    expect(ranksOf((await report(runId, '?generation=1')).body)).toEqual([0, 1]);
    expect((await report(runId)).body).toMatchObject({ generation: 2, runState: 'done' });
    const events = await bench.query<{ type: string }>(
      'SELECT type FROM team_events WHERE run_id = $1 ORDER BY seq',
      runId,
    );
    const once = ['run.queued', 'run.analyzing', 'run.done'];
    expect(events.map(({ type }) => type)).toEqual(['run.created', ...once, ...once]);
  });

  it('come from many ranks side by side, each completing its own, and all get into the report', async () => {
    await bench.startWorker();
    const [trace] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));
    const text = gunzipSync(trace.bytes);
    const runId = await team.createRun({ worldSize: 6 });
    await Promise.all(
      Array.from({ length: 6 }, async (_, rank) => {
        // The same recording, in other bytes for each rank.
        const bytes = gzipSync(text, { level: 1 + rank });
        const id = await team.send(runId, { name: `rank${rank}/trace.json.gz`, bytes });
        expect((await team.complete(runId, [id])).status).toBe(200);
      }),
    );
    const ended = async () => (await team.waitFor(runId, ['done'])).generation;
    for (let seen = 0; seen !== (await ended());) seen = await ended();
    const [{ left }] = await bench.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM artifacts WHERE run_id = $1 AND included_in IS NULL',
      runId,
    );
    expect(left).toBe(0);
    const { body } = await team.call<{ artifacts: unknown[] }>('GET', `/v1/runs/${runId}/report`);
    expect(body.artifacts).toHaveLength(6);
  });

  it('are named to be complete, whatever others still upload', async () => {
    const runId = await team.createRun();
    const [trace, ...others] = ofRank(0);
    const id = await team.send(runId, trace);
    const { body: awaited } = await team.register(runId, others[0]);
    expect(await team.complete(runId)).toMatchObject({ status: 409, body: { code: 'upload-incomplete' } });
    expect(await team.complete(runId, [id, awaited.id])).toMatchObject({
      status: 409,
      body: { code: 'upload-incomplete' },
    });
    const stranger = '00000000-0000-4000-8000-000000000000';
    expect(await team.complete(runId, [stranger])).toMatchObject({ body: { code: 'artifact-not-found' } });
    expect(await team.complete(runId, ['rank0.json'])).toMatchObject({
      status: 400,
      body: {
        errors: [{ field: 'artifacts.0', message: expect.stringContaining('not the name') as string }],
      },
    });
    expect(await team.complete(runId, [id])).toMatchObject({
      status: 200,
      body: { state: 'queued', awaitingArtifacts: 1 },
    });
    // Now it is late, and still missing: whoever asks for all is told so once nothing new is there.
    await bench.query('UPDATE artifacts SET included_in = 1 WHERE id = $1', id);
    expect(await team.complete(runId)).toMatchObject({ status: 409, body: { code: 'upload-incomplete' } });
    for (const part of awaited.parts) await putPart(part, others[0].bytes, awaited.partSizeBytes);
    expect(await team.complete(runId)).toMatchObject({ status: 200, body: { awaitingArtifacts: 0 } });
  });

  it('are refused after a while, and given up when nobody uploads them', async () => {
    await bench.startWorker();
    const runId = await team.upload(ofRank(0));
    await team.waitFor(runId, ['done']);
    await bench.stopWorkers();
    const { body: never } = await team.register(runId, ofRank(1)[0]);
    await bench.query(`UPDATE runs SET created_at = now() - interval '25 hours' WHERE id = $1`, runId);
    for (const refused of [
      await team.register(runId, ofRank(1)[0]),
      await team.register(runId, ofRank(1)[1]),
      await team.complete(runId, [never.id]),
    ]) {
      expect(refused).toMatchObject({ status: 409, body: { code: 'upload-closed' } });
    }
    await bench.query(`UPDATE artifacts SET created_at = now() - interval '8 days' WHERE id = $1`, never.id);
    const config = loadWorkerConfig(bench.environment.env);
    const chore = new ExpireUploads(
      new RunWorkRepository(bench.database),
      bench.store,
      retentionChores(bench).owner,
      config,
    );
    await chore.pass(unending);
    await retentionChores(bench).deleteObjects.pass(unending);
    const { artifacts, state } = await team.state(runId);
    expect(state).toBe('done');
    expect(artifacts.find(({ id }) => id === never.id)?.state).toBe('rejected');
    expect(await team.complete(runId, [never.id])).toMatchObject({
      status: 409,
      body: { code: 'artifact-rejected' },
    });
    expect(await team.register(runId, ofRank(1)[0])).toMatchObject({ body: { code: 'upload-closed' } });
    const { uploads } = await bucketContents(bench.environment.env);
    expect(uploads.filter((key) => key.includes(team.teamId))).toEqual([]);
    expect(await team.complete(runId)).toMatchObject({ status: 200, body: { state: 'done', generation: 1 } });
  });
});

describe('a further analysis', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    team = await bench.team();
  });
  afterAll(() => bench.close());

  const again = (runId: string, key?: string) =>
    team.call<{ generation: number; code: string }>(
      'POST',
      `/v1/runs/${runId}/analyses`,
      undefined,
      key === undefined ? {} : { 'idempotency-key': key },
    );

  it('is made of a run that is over, once for one key, and not while one is to come', async () => {
    const runId = await team.upload(ofRank(0));
    expect(await again(runId)).toMatchObject({ status: 409, body: { code: 'analysis-in-progress' } });
    await bench.startWorker();
    await team.waitFor(runId, ['done']);
    await bench.stopWorkers();
    const asked = await again(runId, 'upgrade');
    expect(asked).toMatchObject({ status: 202, body: { state: 'queued', generation: 2 } });
    const replayed = await again(runId, 'upgrade');
    expect(replayed.body).toEqual(asked.body);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(await again(runId, 'other')).toMatchObject({ body: { code: 'analysis-in-progress' } });
    await bench.startWorker();
    await team.waitFor(runId, ['done']);
    expect(await bench.resultsOf(runId)).toMatchObject({ analyses: 2 });
  });

  it('leaves the report of before when it fails', async () => {
    await bench.startWorker();
    const runId = await team.upload(ofRank(0));
    await team.waitFor(runId, ['done']);
    await bench.query(`UPDATE artifacts SET sha256 = repeat('a', 64) WHERE run_id = $1`, runId);
    expect((await again(runId)).status).toBe(202);
    await team.waitFor(runId, ['failed']);
    const { body } = await team.call<ReportBody>('GET', `/v1/runs/${runId}/report`);
    expect(body).toMatchObject({ generation: 1, runState: 'failed' });
    expect(await again(runId)).toMatchObject({ status: 409, body: { code: 'nothing-to-analyze' } });
  });

  it('needs something to analyse', async () => {
    const runId = await team.createRun();
    expect(await again(runId)).toMatchObject({ status: 409, body: { code: 'nothing-to-analyze' } });
    const theirs = await bench.team();
    const path = `/v1/runs/${runId}/analyses`;
    expect(await theirs.call('POST', path)).toMatchObject({ status: 404, body: { code: 'run-not-found' } });
  });
});
