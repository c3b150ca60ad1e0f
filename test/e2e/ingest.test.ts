import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { bucketContents } from '../harness/bucket-contents';
import { PipelineBench, sampleRun, sha256, type TeamClient } from '../harness/pipeline-bench';

const trace = sampleRun('data_starved').filter(({ name }) => name.includes('trace'))[0].bytes;
const path = '/v1/ingest?model=m&cluster=c';
type Ingested = { runId: string; state: string; reportUrl: string };

describe('one file by PUT', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  const runCount = async () =>
    (await bench.query('SELECT id FROM runs WHERE team_id = $1', team.teamId)).length;

  beforeAll(async () => {
    bench = await PipelineBench.open({ INGEST_MAX_BYTES: '4MiB' });
    await bench.startWorker();
  });
  beforeEach(async () => {
    team = await bench.team();
  });
  afterAll(() => bench.close());

  it.each<Record<string, string>>([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'application/gzip' },
  ])('is a run, whatever its content type: %j', async (headers) => {
    const { status, body } = await team.call<Ingested>(
      'PUT',
      `${path}&workload=w&name=r0.json.gz`,
      trace,
      headers,
    );
    expect(status).toBe(202);
    expect(body).toEqual({
      runId: body.runId,
      state: 'queued',
      reportUrl: `/v1/runs/${body.runId}/report`,
    });
    const run = await team.waitFor(body.runId, ['done']);
    expect(run).toMatchObject({
      model: 'm',
      cluster: 'c',
      workload: 'w',
      artifacts: [{ name: 'r0.json.gz' }],
    });
    expect(run.verdict?.bottleneck).toBe('input-pipeline');
    expect((await team.call('GET', body.reportUrl)).status).toBe(200);
  });

  it('is verified against the checksum that came with it', async () => {
    const hex = sha256(trace);
    const base64 = Buffer.from(hex, 'hex').toString('base64');
    expect((await team.call('PUT', path, trace, { 'x-content-sha256': hex })).status).toBe(202);
    expect((await team.call('PUT', path, trace, { digest: `sha-256=${base64}` })).status).toBe(202);
    const runs = await runCount();
    const before = await bucketContents(bench.environment.env);
    const wrong = await team.call('PUT', path, trace, { 'x-content-sha256': sha256(Buffer.from('other')) });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'checksum-mismatch' } });
    expect(await team.call('PUT', path, trace, { 'x-content-sha256': 'abc' })).toMatchObject({
      status: 400,
      body: { code: 'digest-invalid' },
    });
    expect(await runCount()).toBe(runs);
    expect(await bucketContents(bench.environment.env)).toEqual(before);
  });

  it('is one run for one idempotency key, also when sent at the same time', async () => {
    const headers = { 'idempotency-key': 'nightly-17' };
    const answers = await Promise.all([1, 2, 3].map(() => team.call<Ingested>('PUT', path, trace, headers)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(2);
    expect(await runCount()).toBe(1);
    const keys = (await bucketContents(bench.environment.env)).keys.filter((key) =>
      key.includes(team.teamId),
    );
    expect(keys).toHaveLength(1);

    const other = await team.call('PUT', path, Buffer.concat([trace, Buffer.from([0])]), headers);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
    const elsewhere = await team.call('PUT', `${path}&workload=other`, trace, headers);
    expect(elsewhere).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
    expect(await runCount()).toBe(1);
  });

  it.each([
    ['gone', (key: string) => bench.store.delete(key)],
    ['cut', (key: string) => bench.store.write(key, Readable.from([Buffer.from('x')]), { maxBytes: 1 })],
  ])('is kept when the copy that was verified before is %s', async (_what, spoil) => {
    const first = (await team.call<Ingested>('PUT', path, trace)).body;
    await team.waitFor(first.runId, ['done']);
    const keyOf = async (runId: string) =>
      (
        await bench.query<{ object_key: string }>('SELECT object_key FROM artifacts WHERE run_id = $1', runId)
      )[0].object_key;
    const copy = (await team.call<Ingested>('PUT', path, trace)).body;
    expect(await keyOf(copy.runId)).toBe(await keyOf(first.runId));
    await team.waitFor(copy.runId, ['done']);

    await spoil(await keyOf(first.runId));
    const again = (await team.call<Ingested>('PUT', path, trace)).body;
    expect(await keyOf(again.runId)).not.toBe(await keyOf(first.runId));
    await team.waitFor(again.runId, ['done']);
    const last = (await team.call<Ingested>('PUT', path, trace)).body;
    expect(await keyOf(last.runId)).toBe(await keyOf(again.runId));
    await team.waitFor(last.runId, ['done']);
  });

  it('is refused at once when it is declared too large, and cut off when it is not declared', async () => {
    const { status, answer } = await send({ 'content-length': String(5 * 2 ** 30) }, [Buffer.alloc(1024)]);
    expect(status).toBe(413);
    expect(JSON.parse(answer)).toMatchObject({ code: 'payload-too-large' });

    const endless = [trace, ...Array.from({ length: 8 }, () => Buffer.alloc(2 ** 20))];
    const cut = await send({}, endless);
    expect(cut.status).toBe(413);
    await nothingIsLeft();
  });

  it('does not go on reading a body that it refused, from whomever', async () => {
    const stranger = { authorization: 'Bearer sst_unknown' };
    for (const headers of [stranger, { 'content-length': String(5 * 2 ** 30) }]) {
      const startedMs = Date.now();
      const { status } = await sendForEver(headers);
      expect([401, 413]).toContain(status);
      expect(Date.now() - startedMs).toBeLessThan(8_000);
    }
    await nothingIsLeft();
  });

  it('leaves nothing behind when the client goes away', async () => {
    const declared = { 'content-length': String(3 * 2 ** 20) };
    await expect(send(declared, [trace.subarray(0, 300_000)], 'hang up')).rejects.toThrow();
    await expect(send({}, [trace.subarray(0, 300_000)], 'hang up')).rejects.toThrow();
    await sleep(500);
    await nothingIsLeft();
    const log = await readFile(bench.api.logFile, 'utf8');
    expect(log).toMatch(/"level":"info".*"status":499/);
    expect(log).not.toMatch(/"level":"(error|fatal)"/);
  });

  async function nothingIsLeft() {
    expect(await runCount()).toBe(0);
    const { keys, uploads } = await bucketContents(bench.environment.env);
    expect([...keys, ...uploads].filter((key) => key.includes(team.teamId))).toEqual([]);
  }

  /** Goes on sending after the answer; resolves when the server ends the connection. */
  function sendForEver(headers: Record<string, string>) {
    return new Promise<{ status: number | undefined }>((resolve, reject) => {
      let status: number | undefined;
      const put = httpRequest(bench.api.baseUrl + path, {
        method: 'PUT',
        headers: { authorization: `Bearer ${team.token}`, ...headers },
      });
      const drip = setInterval(() => put.write(trace.subarray(0, 10_000)), 50);
      const late = setTimeout(() => reject(new Error('still connected')), 20_000);
      put.on('response', (response) => {
        status = response.statusCode;
        response.resume();
      });
      put.on('error', () => undefined);
      put.on('close', () => {
        clearInterval(drip);
        clearTimeout(late);
        resolve({ status });
      });
    });
  }

  /** A PUT piece by piece: fetch insists on bodies that are as long as declared. */
  function send(headers: Record<string, string>, pieces: readonly Buffer[], end?: 'hang up') {
    return new Promise<{ status: number; answer: string }>((resolve, reject) => {
      const put = httpRequest(bench.api.baseUrl + path, {
        method: 'PUT',
        headers: { ...headers, authorization: `Bearer ${team.token}` },
      });
      put.once('error', reject);
      put.once('response', (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (text: string) => (answer += text));
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, answer });
          put.destroy();
        });
      });
      for (const piece of pieces) put.write(piece);
      if (end) setTimeout(() => put.destroy(new Error('hung up')), 200);
      else if (!('content-length' in headers)) put.end();
    });
  }
});
