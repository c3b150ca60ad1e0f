import { gunzipSync, gzipSync } from 'node:zlib';
import {
  PipelineBench,
  putPart,
  sampleRun,
  type TeamClient,
  type UploadFile,
} from '../harness/pipeline-bench';

const [{ bytes }] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));
const file = { name: 'rank0.json.gz', bytes };

describe('an artifact that was rejected', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open({
      MAX_ARTIFACTS_PER_RUN: '1',
      MAX_RUN_BYTES: String(2 * bytes.length - 1),
    });
    await bench.startWorker();
  });
  beforeEach(async () => {
    team = await bench.team();
  });
  afterAll(() => bench.close());

  /** A run whose only artifact has other bytes than declared. */
  async function rejectedRun() {
    const runId = await team.createRun();
    const id = await team.send(runId, file, Buffer.alloc(bytes.length, 'junk'));
    await team.complete(runId, [id]);
    expect((await team.waitFor(runId, ['failed'])).failure?.code).toBe('checksum-mismatch');
    return { runId, id };
  }

  it('is never taken for done', async () => {
    const { runId, id } = await rejectedRun();
    const { status, body } = await team.call('POST', `/v1/runs/${runId}/complete`, { artifacts: [id] });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'artifact-rejected',
      detail: expect.stringContaining(file.name) as string,
      errors: [{ field: file.name }],
    });
    expect(await team.complete(runId)).toMatchObject({ status: 200, body: { state: 'failed' } });
  });

  it.each<[string, UploadFile]>([
    ['the same content', file],
    ['what the file is by now', { ...file, bytes: gzipSync(gunzipSync(bytes), { level: 1 }) }],
  ])('can be sent again: %s', async (_what, { bytes: sent, name }) => {
    const { runId, id } = await rejectedRun();
    const { status, body } = await team.register(runId, { name, bytes: sent });
    expect(status).toBe(201);
    expect(body).toMatchObject({ state: 'awaitingUpload', partCount: 1 });
    expect(body.id).not.toBe(id);
    await putPart(body.parts[0], sent, body.partSizeBytes);
    expect(await team.complete(runId, [id])).toMatchObject({ body: { code: 'artifact-not-found' } });
    expect(await team.complete(runId, [body.id])).toMatchObject({
      status: 200,
      body: { state: 'queued', generation: 2 },
    });
    const run = await team.waitFor(runId, ['done', 'failed']);
    expect(run.artifacts).toMatchObject([{ id: body.id, name, state: 'verified' }]);
  });

  it('is not replaced once the run takes no more artifacts', async () => {
    const { runId } = await rejectedRun();
    await bench.query(`UPDATE runs SET created_at = now() - interval '25 hours' WHERE id = $1`, runId);
    expect(await team.register(runId, file)).toMatchObject({ status: 409, body: { code: 'upload-closed' } });
  });
});
