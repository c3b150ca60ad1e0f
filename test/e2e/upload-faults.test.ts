import { ObjectStore } from '../../src/platform/object-store';
import { loadConfig } from '../../src/platform/config';
import { bucketContents } from '../harness/bucket-contents';
import { linkTo, type CuttableLink } from '../harness/cuttable-link';
import {
  PipelineBench,
  putPart,
  sampleRun,
  type Registered,
  type TeamClient,
} from '../harness/pipeline-bench';

const file = sampleRun('data_starved').filter(({ name }) => name.includes('trace'))[0];

describe('an upload survives', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  let link: CuttableLink;
  /** The same team at an API whose way to the object store can be cut. */
  let behindLink: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    team = await bench.team();
    const { S3_ENDPOINT } = bench.environment.env;
    link = await linkTo(S3_ENDPOINT);
    const api = await bench.startApi({
      S3_ENDPOINT: link.through(S3_ENDPOINT),
      S3_PUBLIC_ENDPOINT: S3_ENDPOINT,
    });
    behindLink = team.at(api.baseUrl);
  });
  afterAll(async () => {
    await bench.close();
    await link.close();
  });

  const uploaded = async (): Promise<{ runId: string; artifact: Registered }> => {
    const runId = await team.createRun();
    const { body: artifact } = await team.register(runId, file);
    for (const part of artifact.parts) await putPart(part, file.bytes, artifact.partSizeBytes);
    return { runId, artifact };
  };
  const rowOf = async (id: string) =>
    (
      await bench.query<{ key: string; upload: string }>(
        'SELECT object_key AS key, upload_id AS upload FROM artifacts WHERE id = $1',
        id,
      )
    )[0];

  it('a crash between the completion of the object and the commit', async () => {
    const { runId, artifact } = await uploaded();
    const { key, upload } = await rowOf(artifact.id);
    const store = new ObjectStore(loadConfig(bench.environment.env).objectStore);
    await store.completeMultipartUpload(key, upload, await store.listParts(key, upload));
    store.onApplicationShutdown();
    expect(await team.complete(runId)).toMatchObject({
      status: 200,
      body: { state: 'queued', generation: 1 },
    });
  });

  it('the loss of what was uploaded: it is begun anew', async () => {
    const { runId, artifact } = await uploaded();
    const { key, upload } = await rowOf(artifact.id);
    const store = new ObjectStore(loadConfig(bench.environment.env).objectStore);
    await store.abortMultipartUpload(key, upload);
    store.onApplicationShutdown();
    expect(await team.complete(runId)).toMatchObject({ status: 409, body: { code: 'upload-incomplete' } });
    const path = `/v1/runs/${runId}/artifacts/${artifact.id}/parts`;
    const { body } = await team.call<Registered>('GET', path);
    expect(body.parts.map(({ uploaded }) => uploaded)).toEqual([false]);
    await putPart(body.parts[0], file.bytes, body.partSizeBytes);
    expect(await team.complete(runId)).toMatchObject({ status: 200, body: { state: 'queued' } });
  });

  it('an object store that is away: every route says so, and the same request works later', async () => {
    const { runId } = await uploaded();
    const fresh = await team.createRun();
    const before = await bucketContents(bench.environment.env);
    await link.cut();
    const answers = [
      await behindLink.register(fresh, file),
      await behindLink.complete(runId),
      await behindLink.call('PUT', '/v1/ingest?model=m&cluster=c', file.bytes),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'object-store-unavailable' } });
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    await link.mend();
    expect(await bucketContents(bench.environment.env)).toEqual(before);
    expect((await behindLink.register(fresh, file)).status).toBe(201);
    expect(await behindLink.complete(runId)).toMatchObject({ status: 200, body: { state: 'queued' } });
  });

  it('registrations of the same file at the same time: one artifact, one upload', async () => {
    const runId = await team.createRun();
    const answers = await Promise.all(Array.from({ length: 5 }, () => team.register(runId, file)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { key } = await rowOf(answers[0].body.id);
    const folder = key.slice(0, key.lastIndexOf('/'));
    const { uploads } = await bucketContents(bench.environment.env);
    const own = uploads.filter((upload) => upload.startsWith(folder));
    expect(own.filter((upload) => upload === key)).toHaveLength(1);
    const registered = await bench.query<{ object_key: string }>(
      'SELECT object_key FROM artifacts WHERE upload_id IS NOT NULL',
    );
    expect(own.every((upload) => registered.some(({ object_key }) => object_key === upload))).toBe(true);
  });
});
