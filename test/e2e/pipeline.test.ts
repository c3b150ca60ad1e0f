import { gunzipSync } from 'node:zlib';
import { reportSchema } from '../../src/presentation';
import { bucketContents } from '../harness/bucket-contents';
import {
  PipelineBench,
  putPart,
  sampleRun,
  sha256,
  type Registered,
  type TeamClient,
} from '../harness/pipeline-bench';

const metadata = {
  model: 'gpt-small',
  cluster: 'h200-a',
  workload: 'pretraining',
  branch: 'main',
  commit: '0123abc',
  worldSize: 1,
  tags: ['nightly'],
  metadata: { dtype: 'bf16', parallelism: { data: 1 } },
};
const launchBound = sampleRun('launch_bound');
const trace = sampleRun('data_starved').filter(({ name }) => name.includes('trace'))[0];

describe('a run, from upload to report', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    await bench.startWorker();
    team = await bench.team();
  });
  afterAll(() => bench.close());

  it('is uploaded in parts, analysed, and reported as JSON and Markdown', async () => {
    const runId = await team.upload(launchBound, metadata);
    const run = await team.waitFor(runId, ['done']);
    expect(run).toMatchObject({ ...metadata, state: 'done', generation: 1, failure: null, artifactCount: 3 });
    expect(run.verdict?.bottleneck).toBe('launch-overhead');
    expect(new Set(run.artifacts.map(({ state }) => state))).toEqual(new Set(['verified']));

    const { status, headers, body } = await team.call('GET', `/v1/runs/${runId}/report`);
    expect(status).toBe(200);
    const report = reportSchema.parse(body);
    expect(body).toMatchObject({ runId, generation: 1, stepsOmitted: 0 });
    expect(report.verdict.bottleneck).toBe('launch-overhead');
    for (const step of report.ranks[0].steps) {
      const parts = step.computeNs + step.exposedCommunicationNs + step.exposedMemcpyNs + step.idleNs;
      expect(parts).toBe(step.wallNs);
    }

    const results = await bench.resultsOf(runId);
    expect(results).toEqual({
      analyses: 1,
      metrics: report.metrics.length,
      steps: report.ranks.reduce((sum, { steps }) => sum + steps.length, 0),
      findings: report.findings.length,
    });

    const markdown = await team.call('GET', `/v1/runs/${runId}/report`, undefined, {
      accept: 'text/markdown',
    });
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.text).toContain(report.verdict.summary);
    expect(markdown.headers.get('etag')).not.toBe(headers.get('etag'));
    const again = await team.call('GET', `/v1/runs/${runId}/report`, undefined, {
      'if-none-match': headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
    expect((await team.call('GET', `/v1/runs/${runId}/report?generation=1`)).status).toBe(200);
    const other = await team.call('GET', `/v1/runs/${runId}/report?generation=2`);
    expect(other).toMatchObject({ status: 404, body: { code: 'report-not-found' } });
  });

  it('gets the verdict of two ranks together', async () => {
    const runId = await team.upload(sampleRun('ddp_slow_link'));
    expect((await team.waitFor(runId, ['done'])).verdict?.bottleneck).toBe('communication');
  });

  it('takes an upload up again where a part was lost', async () => {
    const bytes = gunzipSync(trace.bytes);
    const runId = await team.createRun();
    const { body: artifact } = await team.register(runId, { name: 'big.json', bytes });
    expect(artifact.partCount).toBeGreaterThanOrEqual(3);
    const lost = 2;
    for (const part of artifact.parts)
      if (part.partNumber !== lost) await putPart(part, bytes, artifact.partSizeBytes);

    const incomplete = await team.complete(runId);
    expect(incomplete).toMatchObject({
      status: 409,
      body: { code: 'upload-incomplete', errors: [{ field: 'big.json', message: `missing part ${lost}` }] },
    });
    const resumed = await team.register(runId, { name: 'big.json', bytes });
    expect(resumed.status).toBe(201);
    expect(resumed.body.id).toBe(artifact.id);
    expect(
      resumed.body.parts.filter(({ uploaded }) => !uploaded).map(({ partNumber }) => partNumber),
    ).toEqual([lost]);

    const path = `/v1/runs/${runId}/artifacts/${artifact.id}/parts?from=${lost}`;
    const { body: fresh } = await team.call<Registered>('GET', path);
    expect(fresh.parts[0]).toMatchObject({ partNumber: lost, uploaded: false });
    await putPart(fresh.parts[0], bytes, artifact.partSizeBytes);
    expect(await team.complete(runId)).toMatchObject({
      status: 200,
      body: { state: 'queued', generation: 1 },
    });
    expect((await team.waitFor(runId, ['done'])).verdict?.bottleneck).toBe('input-pipeline');
  });

  it('does not upload content twice within a team, and never shares it between teams', async () => {
    const file = { name: 'a.json.gz', bytes: trace.bytes };
    const first = await team.upload([file]);
    await team.waitFor(first, ['done']);
    const before = await bucketContents(bench.environment.env);

    const second = await team.createRun();
    const { body } = await team.register(second, { ...file, name: 'b.json.gz' });
    expect(body).toMatchObject({ state: 'uploaded', parts: [], expiresAt: null });
    await team.complete(second);
    expect((await team.waitFor(second, ['done'])).verdict?.bottleneck).toBe('input-pipeline');
    expect(await bucketContents(bench.environment.env)).toEqual(before);

    const stranger = await bench.team();
    const theirs = await stranger.createRun();
    expect((await stranger.register(theirs, file)).body).toMatchObject({
      state: 'awaitingUpload',
      partCount: 1,
    });
  });

  it('completes once, however often and at the same time it is asked', async () => {
    const runId = await team.createRun();
    const { body } = await team.register(runId, trace);
    for (const part of body.parts) await putPart(part, trace.bytes, body.partSizeBytes);
    const answers = await Promise.all(Array.from({ length: 6 }, () => team.complete(runId)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { generation: 1 } });
    await team.waitFor(runId, ['done']);
    expect(await team.complete(runId)).toMatchObject({ status: 200, body: { state: 'done', generation: 1 } });
    expect(await bench.resultsOf(runId)).toMatchObject({ analyses: 1 });
  });

  it('lists runs page by page, and by model, cluster and state', async () => {
    const reader = await bench.team();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++)
      ids.unshift(await reader.createRun({ model: i % 2 ? 'odd' : 'even', cluster: `c${i}` }));
    type Page = { items: { id: string }[]; nextCursor: string | null };
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: Page } = await reader.call<Page>(
        'GET',
        `/v1/runs?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      );
      expect(body.items.length).toBeLessThanOrEqual(2);
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(ids);
    const idsOf = async (query: string) =>
      (await reader.call<Page>('GET', `/v1/runs?${query}`)).body.items.map(({ id }) => id);
    expect(await idsOf('model=odd')).toEqual([ids[1], ids[3]]);
    expect(await idsOf('cluster=c4')).toEqual([ids[0]]);
    expect(await idsOf('state=done')).toEqual([]);
    expect(await idsOf('state=awaitingUpload&limit=1')).toEqual([ids[0]]);
  });

  it('stores the artifact under its content hash', async () => {
    const { keys, uploads } = await bucketContents(bench.environment.env);
    expect(keys.some((key) => key.startsWith(`teams/${team.teamId}/artifacts/${sha256(trace.bytes)}/`))).toBe(
      true,
    );
    expect(uploads.every((key) => !key.startsWith(`teams/${team.teamId}/`))).toBe(true);
  });
});
