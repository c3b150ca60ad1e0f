import { randomUUID } from 'node:crypto';
import { gzipSync, gunzipSync } from 'node:zlib';
import { problemCatalogue, problemSchema, type ProblemCode } from '../../src/platform/errors';
import { gzipBomb } from '../builders/gzip-bomb';
import { bucketContents, forcePart } from '../harness/bucket-contents';
import {
  PipelineBench,
  putPart,
  sampleRun,
  sha256,
  type Answer,
  type TeamClient,
} from '../harness/pipeline-bench';
import { until } from '../harness/until';

const GZ = sampleRun('data_starved').filter(({ name }) => name.includes('trace'))[0].bytes;
const JSON_TRACE = gunzipSync(GZ);
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5_000, 7)]);
const TEXT = Buffer.from('Step 1 took 2.5 s.\nStep 2 took 2.4 s.\n');
const TEN_GB = 10 * 10 ** 9;
const path = '/v1/ingest?model=m&cluster=c';

function expectRefusal(answer: Answer<unknown>, code: ProblemCode, words: string | RegExp = '') {
  const problem = problemSchema.parse(answer.body);
  expect(problem.code).toBe(code);
  expect(answer.status).toBe(problemCatalogue[code].status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(`${problem.detail} ${JSON.stringify(problem.errors ?? [])}`).toMatch(words);
  expect(problem.action).not.toBe('');
}

describe('refusals', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    await bench.startWorker();
  });
  beforeEach(async () => {
    team = await bench.team();
  });
  afterAll(() => bench.close());

  const stored = async () => {
    const { keys, uploads } = await bucketContents(bench.environment.env);
    return [...keys, ...uploads].filter((key) => key.includes(team.teamId));
  };
  const runs = () => bench.query('SELECT id FROM runs WHERE team_id = $1', team.teamId);

  describe('of a file sent in one request, before anything is stored', () => {
    it.each<[string, Buffer, ProblemCode, string]>([
      ['an empty file', Buffer.alloc(0), 'empty-file', 'no bytes'],
      ['text', TEXT, 'unknown-format', 'plain text'],
      ['a picture', PNG, 'unknown-format', 'PNG'],
      ['a compressed picture', gzipSync(PNG), 'unknown-format', 'PNG'],
      ['a gzip bomb', gzipBomb(TEN_GB, 0), 'unknown-format', 'binary data'],
    ])('%s', async (_what, bytes, code, words) => {
      expectRefusal(await team.call('PUT', path, bytes), code, words);
      expect(await runs()).toEqual([]);
      expect(await stored()).toEqual([]);
    });
  });

  it('are read by a client that is still sending, every time', async () => {
    const junk = Buffer.alloc(20 * 2 ** 20, 'not a trace ');
    for (let i = 0; i < 10; i++)
      expectRefusal(await team.call('PUT', path, junk), 'unknown-format', 'plain text');
  });

  describe('of uploaded files, by a failed run that says why', () => {
    it.each([
      ['text', TEXT, 'unknown-format', 'plain text'],
      ['a picture', PNG, 'unknown-format', 'PNG'],
      ['a gzip file cut in its head', GZ.subarray(0, 12), 'unreadable', 'ends early'],
      [
        'a bomb that begins as a trace',
        gzipBomb(TEN_GB, 0x20, '{"traceEvents": ['),
        'too-large',
        /times|ratio/,
      ],
    ])('%s', async (_what, bytes, code, words) => {
      const runId = await team.upload([{ name: 'rank0.json.gz', bytes }]);
      const { failure } = await team.waitFor(runId, ['failed']);
      expect(failure?.code).toBe(code);
      expect(failure?.reason).toMatch(words);
      expect(failure?.reason).toContain('rank0.json.gz');
      expectRefusal(await team.call('GET', `/v1/runs/${runId}/report`), 'run-failed', code);
      expect(await bench.resultsOf(runId)).toMatchObject({ analyses: 0 });
      expect(await bench.attemptsOf(runId)).toBe(1);
    });

    it.each([
      ['a trace cut in its middle', JSON_TRACE.subarray(0, JSON_TRACE.length * 0.7)],
      ['a compressed trace cut in its middle', GZ.subarray(0, GZ.length * 0.7)],
    ])('but reports what is left of %s', async (_what, bytes) => {
      const runId = await team.upload([{ name: 'rank0.json', bytes }]);
      await team.waitFor(runId, ['done']);
      const { body } = await team.call<{ problems: { kind: string; advice: string }[] }>(
        'GET',
        `/v1/runs/${runId}/report`,
      );
      expect(body.problems.map(({ kind }) => kind)).toContain('truncated-file');
    });

    it('a wrong checksum: the artifact is rejected, its bytes deleted', async () => {
      const runId = await team.createRun();
      const { body } = await team.register(runId, { name: 'a.json.gz', bytes: GZ }, { sha256: sha256(TEXT) });
      await putPart(body.parts[0], GZ, body.partSizeBytes);
      await team.complete(runId);
      const run = await team.waitFor(runId, ['failed']);
      expect(run.failure?.code).toBe('checksum-mismatch');
      expect(run.failure?.reason).toContain(sha256(GZ));
      expect(run.artifacts).toMatchObject([{ name: 'a.json.gz', state: 'rejected' }]);
      await until(async () => (await stored()).length === 0, 'the bytes are deleted');
    });
  });

  describe('of uploads that are not what was declared', () => {
    it('5 GB declared and 1 KB sent', async () => {
      const runId = await team.createRun();
      const file = { name: 'a.json', bytes: JSON_TRACE };
      const { body } = await team.register(runId, file, { sizeBytes: 5 * 10 ** 9 });
      expect(body.parts).toHaveLength(100);
      expect(body.nextPart).toBe(101);
      const put = await fetch(body.parts[0].url, {
        method: 'PUT',
        body: new Uint8Array(JSON_TRACE.subarray(0, 1024)),
      });
      expect(put.status).toBe(403);
      expectRefusal(await team.complete(runId), 'upload-incomplete', 'missing part 1–954');
      expect(
        await bench.query('SELECT 1 FROM runs WHERE id = $1 AND state = $2', runId, 'awaitingUpload'),
      ).toHaveLength(1);
    });

    it('a part of another size: what was uploaded is deleted, and the name is free again', async () => {
      const runId = await team.createRun();
      const file = { name: 'a.json.gz', bytes: GZ };
      const { body } = await team.register(runId, file);
      const [artifact] = await bench.query<{ object_key: string; upload_id: string }>(
        'SELECT object_key, upload_id FROM artifacts WHERE id = $1',
        body.id,
      );
      await forcePart(bench.environment.env, {
        key: artifact.object_key,
        uploadId: artifact.upload_id,
        partNumber: 1,
        bytes: GZ.subarray(0, 1024),
      });
      expectRefusal(await team.complete(runId), 'size-mismatch', /uploaded 1024/);
      expect(await stored()).toEqual([]);
      expectRefusal(await team.complete(runId), 'no-artifacts');
      const again = await team.register(runId, file);
      expect(again.body.id).not.toBe(body.id);
      await putPart(again.body.parts[0], GZ, again.body.partSizeBytes);
      await team.complete(runId);
      await team.waitFor(runId, ['done']);
    });

    it('no artifact, and more artifacts after the end', async () => {
      const runId = await team.createRun();
      expectRefusal(await team.complete(runId), 'no-artifacts');
      const done = await team.upload([{ name: 'a.json.gz', bytes: GZ }]);
      await bench.query(`UPDATE runs SET created_at = now() - interval '2 days' WHERE id = $1`, done);
      const late = await team.register(done, { name: 'b.json.gz', bytes: TEXT });
      expectRefusal(late, 'upload-closed', 'was completed');
      const same = await team.register(done, { name: 'a.json.gz', bytes: GZ });
      expect(same).toMatchObject({ status: 201, body: { parts: [] } });
    });
  });

  it('of names, sizes and content that cannot be', async () => {
    const runId = await team.createRun();
    const file = { name: 'a.json.gz', bytes: GZ };
    for (const name of ['', '../a', 'a/../../b', '/a', 'a\u0000b', 'a\nb', 'x'.repeat(301)]) {
      expectRefusal(await team.register(runId, { ...file, name }), 'validation-failed', 'name');
    }
    for (const declared of [
      { sizeBytes: 0 },
      { sizeBytes: -1 },
      { sizeBytes: 1.5 },
      { sha256: 'abc' },
      { colour: 'red' },
    ]) {
      expectRefusal(await team.register(runId, file, declared), 'validation-failed');
    }
    expectRefusal(await team.register(runId, file, { sizeBytes: 2 ** 40 }), 'artifact-too-large');
    await team.register(runId, file);
    expectRefusal(await team.register(runId, file, { sizeBytes: 5 }), 'artifact-conflict');
    expectRefusal(await team.call('POST', '/v1/runs', { model: 'm' }), 'validation-failed', 'cluster');
    expectRefusal(await team.call('PUT', '/v1/ingest?model=m', GZ), 'validation-failed', 'cluster');
    expectRefusal(await team.call('PUT', `${path}&name=..%2Fa`, GZ), 'validation-failed', 'name');
  });

  it('of runs that are too large altogether', async () => {
    const runId = await team.createRun();
    for (let i = 0; i < 10; i++) {
      const answer = await team.register(runId, { name: `r${i}`, bytes: TEXT }, { sizeBytes: 20 * 2 ** 30 });
      expect(answer.status).toBe(201);
    }
    const file = { name: 'one-more', bytes: TEXT };
    expectRefusal(await team.register(runId, file), 'run-too-large');
  });

  it('of unknown runs, and of those of another team in the same words', async () => {
    const stranger = await bench.team();
    const theirs = await stranger.upload([{ name: 'a.json.gz', bytes: GZ }]);
    await stranger.waitFor(theirs, ['done']);
    const { artifacts } = await stranger.state(theirs);
    const detailOf = (answer: Answer<unknown>) => problemSchema.parse(answer.body).detail;
    for (const [method, suffix, body] of [
      ['GET', '', undefined],
      ['GET', '/report', undefined],
      ['POST', '/complete', undefined],
      ['POST', '/artifacts', { name: 'a', sizeBytes: 1, sha256: sha256(TEXT) }],
    ] as const) {
      const [foreign, unknown] = [
        await team.call(method, `/v1/runs/${theirs}${suffix}`, body),
        await team.call(method, `/v1/runs/${randomUUID()}${suffix}`, body),
      ];
      expectRefusal(foreign, 'run-not-found');
      expectRefusal(unknown, 'run-not-found');
      expect(detailOf(foreign)).toBe(detailOf(unknown));
    }
    const parts = await team.call('GET', `/v1/runs/${theirs}/artifacts/${artifacts[0].id}/parts`);
    expectRefusal(parts, 'artifact-not-found');
    expect((await team.call<{ items: unknown[] }>('GET', '/v1/runs')).body.items).toEqual([]);
    expectRefusal(await team.call('GET', '/v1/runs/17'), 'validation-failed');
  });

  it('of expired tokens and missing scopes, before a body is read', async () => {
    const reader = await bench.team(['runs:read']);
    expectRefusal(
      await reader.call('POST', '/v1/runs', { model: 'm', cluster: 'c' }),
      'scope-missing',
      'runs:write',
    );
    expectRefusal(await reader.call('PUT', path, GZ), 'scope-missing', 'runs:write');
    const writer = await bench.team(['runs:write']);
    expectRefusal(await writer.call('GET', '/v1/runs'), 'scope-missing', 'runs:read');
    await bench.query(
      `UPDATE api_tokens SET expires_at = now() - interval '1 minute' WHERE team_id = $1`,
      team.teamId,
    );
    expectRefusal(await team.call('PUT', path, GZ), 'token-expired');
    expect(await stored()).toEqual([]);
  });

  it('of reports that are not there yet, with the time to ask again', async () => {
    const runId = await team.createRun();
    expectRefusal(await team.call('GET', `/v1/runs/${runId}/report`), 'report-not-ready', 'awaitingUpload');
    await bench.query(`UPDATE runs SET state = 'queued', generation = 7 WHERE id = $1`, runId);
    const queued = await team.call('GET', `/v1/runs/${runId}/report`);
    expectRefusal(queued, 'report-not-ready', 'queued');
    expect(queued.headers.get('retry-after')).toBe('2');
  });
});
