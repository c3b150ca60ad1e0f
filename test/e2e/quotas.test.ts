import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { TeamLimitsRepository } from '../../src/modules/quotas';
import { loadConfig } from '../../src/platform/config';
import { bucketContents } from '../harness/bucket-contents';
import { PipelineBench, putPart, sampleRun, type TeamClient } from '../harness/pipeline-bench';

const [file] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));
const run = { model: 'm', cluster: 'c' };
const ingestPath = '/v1/ingest?model=m&cluster=c';

describe('quotas', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open({ QUOTA_RUNS_PER_DAY: '5', QUOTA_QUEUED_RUNS: '2' });
  });
  beforeEach(async () => {
    team = await bench.team(['runs:read', 'runs:write', 'admin']);
  });
  afterAll(() => bench.close());

  const create = (key?: string) =>
    team.call('POST', '/v1/runs', run, key === undefined ? {} : { 'idempotency-key': key });
  const ingest = (headers: Record<string, string> = {}) => team.call('PUT', ingestPath, file.bytes, headers);
  const usage = async () => (await team.call<UsageBody>('GET', '/v1/usage?days=3')).body;
  const setLimits = async (changes: Parameters<TeamLimitsRepository['change']>[1]) => {
    const limits = new TeamLimitsRepository(bench.database, loadConfig(bench.environment.env).quotas);
    const [{ slug }] = await bench.query<{ slug: string }>(
      'SELECT slug FROM teams WHERE id = $1',
      team.teamId,
    );
    await limits.change(slug, changes);
  };
  const stored = async () => {
    const { keys, uploads } = await bucketContents(bench.environment.env);
    return [...keys, ...uploads].filter((key) => key.includes(team.teamId));
  };
  const unfinishedIsOver = () =>
    bench.query(`UPDATE runs SET state = 'done' WHERE team_id = $1`, team.teamId);

  describe('of runs a day', () => {
    it('are exact, however many come at the same time', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
      const refused = answers.filter(({ status }) => status !== 201);
      for (const { status, body, headers } of refused) {
        expect({ status, body }).toMatchObject({ status: 429, body: { code: 'quota-runs-exceeded' } });
        const retryAfterS = Number(headers.get('retry-after'));
        const midnight = new Date(Date.now() + retryAfterS * 1000);
        expect([23, 0]).toContain(midnight.getUTCHours());
      }
      expect(await usage()).toMatchObject({ runs: { today: 5 }, limits: { runsPerDay: 5 } });
      expect(await bench.query('SELECT 1 FROM runs WHERE team_id = $1', team.teamId)).toHaveLength(5);

      const neighbour = await bench.team();
      expect((await neighbour.call('POST', '/v1/runs', run)).status).toBe(201);
      await bench.query('UPDATE usage_days SET day = day - 1 WHERE team_id = $1', team.teamId);
      expect((await create()).status).toBe(201);
      expect((await usage()).days.map((day) => day.runs)).toEqual([1, 5, 0]);
    });

    it('do not count an answer that is given again, and give it still when they are used up', async () => {
      const [first, second] = [await create('k'), await create('k')];
      const ingested = await ingest({ 'idempotency-key': 'i' });
      expect(await usage()).toMatchObject({ runs: { today: 2 } });
      await bench.query('UPDATE usage_days SET runs = 5 WHERE team_id = $1', team.teamId);
      expect(await create('other')).toMatchObject({ status: 429 });
      expect([second.body, (await create('k')).body]).toEqual([first.body, first.body]);
      expect(await ingest({ 'idempotency-key': 'i' })).toMatchObject({ status: 202, body: ingested.body });
      expect(await ingest()).toMatchObject({ status: 429, body: { code: 'quota-runs-exceeded' } });
      expect(await stored()).toHaveLength(1);
      // A key whose request was refused is free.
      await bench.query('UPDATE usage_days SET runs = 1 WHERE team_id = $1', team.teamId);
      expect((await create('other')).status).toBe(201);
    });
  });

  describe('of queued runs', () => {
    it('refuse new runs while so many wait, and never the end of an upload', async () => {
      const begun = (await create()).body as { id: string };
      const { body } = await team.register(begun.id, file);
      for (const part of body.parts) await putPart(part, file.bytes, body.partSizeBytes);
      for (let i = 0; i < 2; i++) expect((await ingest()).status).toBe(202);
      for (const refused of [await ingest(), await create()]) {
        expect(refused).toMatchObject({ status: 429, body: { code: 'backlog-full' } });
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(await team.complete(begun.id)).toMatchObject({ status: 200, body: { state: 'queued' } });
      expect(await usage()).toMatchObject({ runs: { queued: 3, today: 3 }, limits: { queuedRuns: 2 } });
      await unfinishedIsOver();
      expect((await ingest()).status).toBe(202);
    });

    it('let in no more when many bodies come at the same time', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => ingest()));
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(2);
      expect(await stored()).toHaveLength(2);
    });
  });

  describe('of stored bytes', () => {
    const sized = (sizeBytes: number) => ({
      name: randomBytes(4).toString('hex'),
      sizeBytes,
      sha256: randomBytes(32).toString('hex'),
    });
    const register = (runId: string, artifact: ReturnType<typeof sized>) =>
      team.call('POST', `/v1/runs/${runId}/artifacts`, artifact);

    it('are exact within a process, and count what is awaited', async () => {
      await setLimits({ maxStoredBytes: 1_000n });
      const runId = await team.createRun();
      const answers = await Promise.all(Array.from({ length: 20 }, () => register(runId, sized(101))));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
      const [refused] = answers.filter(({ status }) => status !== 201);
      expect(refused).toMatchObject({ status: 507, body: { code: 'quota-bytes-exceeded' } });
      expect((await register(runId, sized(91))).status).toBe(201);
      expect((await register(runId, sized(1))).status).toBe(507);
      expect(await usage()).toMatchObject({
        stored: { bytes: 1_000, objects: 10 },
        limits: { storedBytes: 1_000 },
      });
      // No upload was begun for what was refused.
      expect(await stored()).toHaveLength(10);
    });

    it('refuse a body before it is stored, and one of unknown length while it is', async () => {
      await setLimits({ maxStoredBytes: BigInt(file.bytes.length - 1) });
      expect(await ingest()).toMatchObject({ status: 507, body: { code: 'quota-bytes-exceeded' } });
      const pieces = Array.from({ length: 8 }, (_, i) =>
        file.bytes.subarray((i * file.bytes.length) / 8, ((i + 1) * file.bytes.length) / 8),
      );
      const answer = await fetch(`${bench.api.baseUrl}${ingestPath}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${team.token}` },
        body: Readable.toWeb(Readable.from(pieces)) as ReadableStream,
        duplex: 'half',
      });
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 507,
        body: { code: 'quota-bytes-exceeded' },
      });
      expect(await stored()).toEqual([]);
      expect(await usage()).toMatchObject({ stored: { bytes: 0 }, runs: { today: 0 } });
    });

    it('let an ingest that was answered have its answer again, and keep nothing of its body', async () => {
      await setLimits({ maxStoredBytes: BigInt(file.bytes.length) });
      const key = { 'Idempotency-Key': 'the-same' };
      const first = await ingest(key);
      expect(first.status).toBe(202);
      expect(await ingest({ 'Idempotency-Key': 'another' })).toMatchObject({ status: 507 });
      expect(await ingest(key)).toMatchObject({ status: 202, body: first.body });
      expect(await stored()).toHaveLength(1);
      await bench.query(
        `UPDATE idempotency_records SET created_at = now() - interval '25 hours' WHERE team_id = $1`,
        team.teamId,
      );
      expect(await ingest(key)).toMatchObject({ status: 507 });
    });

    it('count the same content once, and are free again when a run is deleted', async () => {
      await setLimits({ maxStoredBytes: BigInt(file.bytes.length + 10) });
      const first = await team.upload([file]);
      await bench.query(`UPDATE artifacts SET state = 'verified' WHERE run_id = $1`, first);
      await unfinishedIsOver();
      const second = await team.createRun();
      expect((await team.register(second, file)).body).toMatchObject({ state: 'uploaded' });
      expect((await register(second, sized(100))).status).toBe(507);
      expect(await usage()).toMatchObject({ stored: { bytes: file.bytes.length, objects: 1 } });
      for (const id of [first, second])
        expect((await team.call('DELETE', `/v1/runs/${id}`)).status).toBe(204);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      expect((await register(await team.createRun(), sized(100))).status).toBe(201);
    });
  });

  it('are counted for each day, with bytes and analyses', async () => {
    await bench.startWorker();
    const runId = await team.upload([file]);
    await team.waitFor(runId, ['done']);
    await bench.stopWorkers();
    const { days, stored: kept } = await usage();
    expect(days).toHaveLength(3);
    expect(days[0]).toMatchObject({ runs: 1, uploadedBytes: file.bytes.length, analyses: 1 });
    expect(days[0].analysisS).toBeGreaterThan(0);
    expect(kept).toEqual({ bytes: file.bytes.length, objects: 1 });
    expect((await team.call('GET', '/v1/usage?days=401')).status).toBe(400);
    expect((await team.call<UsageBody>('GET', '/v1/usage')).body.days).toHaveLength(30);
  });
});

interface UsageBody {
  days: { runs: number; uploadedBytes: number; analyses: number; analysisS: number }[];
  stored: { bytes: number; objects: number };
}
