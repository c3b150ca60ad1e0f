import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { analyzeRunJob } from '../../src/modules/ingestion';
import { loadConfig } from '../../src/platform/config';
import { createQueueBackend, JobQueue } from '../../src/platform/queue';
import { wideTrace } from '../builders/wide-trace';
import { childrenOf, isAlive, tellsChildren as onLinux } from '../harness/child-processes';
import { linkTo, type CuttableLink } from '../harness/cuttable-link';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { until } from '../harness/until';

const files = sampleRun('data_starved');

describe('a run survives', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  /** Ways to the servers for workers that are to lose them. */
  let links: { store: CuttableLink; database: CuttableLink; queue: CuttableLink };

  beforeAll(async () => {
    bench = await PipelineBench.open();
    team = await bench.team();
    const { S3_ENDPOINT, DATABASE_URL, REDIS_URL } = bench.environment.env;
    links = {
      store: await linkTo(S3_ENDPOINT),
      database: await linkTo(DATABASE_URL),
      queue: await linkTo(REDIS_URL ?? DATABASE_URL),
    };
  });
  afterEach(async () => {
    links.store.thaw();
    await bench.stopWorkers();
  });
  afterAll(async () => {
    await bench.close();
    await Promise.all(Object.values(links).map((link) => link.close()));
  });

  /** A worker whose analyses hang while the link to the store is frozen. */
  const workerBehindFrozenStore = async (overrides: Record<string, string> = {}) => {
    links.store.freeze();
    return bench.startWorker({
      S3_ENDPOINT: links.store.through(bench.environment.env.S3_ENDPOINT),
      ...overrides,
    });
  };
  const doneOnce = async (runId: string, attempts: number) => {
    const run = await team.waitFor(runId, ['done'], 60_000);
    expect(run).toMatchObject({ generation: 1, failure: null, verdict: { bottleneck: 'input-pipeline' } });
    await sleep(1_500);
    expect(await team.state(runId)).toMatchObject({ state: 'done', generation: 1 });
    expect((await bench.resultsOf(runId)).analyses).toBe(1);
    expect(await bench.attemptsOf(runId)).toBe(attempts);
  };

  it('kill -9 of the worker in mid-analysis: another one takes it over, and it is done once', async () => {
    const worker = await workerBehindFrozenStore();
    const runId = await team.upload(files);
    await team.waitFor(runId, ['analyzing']);
    if (onLinux) await until(() => childrenOf(worker.pid).length === 1, 'an analysis process');
    const children = onLinux ? childrenOf(worker.pid) : [];
    await worker.kill();
    await until(() => !children.some(isAlive), 'the analysis process is gone too');
    await bench.startWorker();
    await doneOnce(runId, 2);
  }, 90_000);

  it('a worker that is told to stop in mid-analysis: it hands the run over, and no attempt is counted', async () => {
    const worker = await workerBehindFrozenStore();
    const runId = await team.upload(files);
    await team.waitFor(runId, ['analyzing']);
    const startedMs = Date.now();
    await worker.stop();
    expect(Date.now() - startedMs).toBeLessThan(10_000);
    expect(await team.state(runId)).toMatchObject({ state: 'queued' });
    await bench.startWorker();
    await doneOnce(runId, 1);
  });

  it('the loss of all that the queue knew', async () => {
    const runIds = [await team.upload(files), await team.upload(files)];
    expect(await forgetQueue()).toBeGreaterThan(0);
    await bench.startWorker();
    for (const runId of runIds) await doneOnce(runId, 1);
  });

  it('the loss of all that the queue knew, in mid-analysis and under the worker that reads it', async () => {
    await workerBehindFrozenStore();
    const runIds = [await team.upload(files), await team.upload(files)];
    await team.waitFor(runIds[0], ['analyzing']);
    expect(await forgetQueue()).toBeGreaterThan(0);
    links.store.thaw();
    for (const runId of runIds) await doneOnce(runId, 1);
  });

  it('a job that comes twice, before and after the run is done: one result', async () => {
    const config = loadConfig(bench.environment.env);
    const queue = new JobQueue(createQueueBackend(config.queue));
    const runId = await team.upload(files);
    const again = (id: string) =>
      queue.enqueue(analyzeRunJob, { teamId: team.teamId, runId, generation: 1 }, { jobId: id });
    await again(`twice-${runId}`);
    await bench.startWorker();
    await bench.startWorker();
    await doneOnce(runId, 1);
    await again(`thrice-${runId}`);
    const settled = async () => {
      const { waiting, active, delayed } = await queue.depth(analyzeRunJob);
      return waiting + active + delayed === 0;
    };
    await until(settled, 'all jobs are done');
    await doneOnce(runId, 1);
    expect((await queue.depth(analyzeRunJob)).failed).toBe(0);
    await queue.close();
  });

  it('a worker that was believed dead and comes back: its result is not written', async () => {
    await workerBehindFrozenStore();
    const runId = await team.upload(files);
    await team.waitFor(runId, ['analyzing']);
    // What another worker does that takes the run over.
    await bench.query('UPDATE runs SET attempts = attempts + 1 WHERE id = $1', runId);
    links.store.thaw();
    await sleep(4_000);
    expect((await bench.resultsOf(runId)).analyses).toBe(0);
    await doneOnce(runId, 3);
  });

  it('many runs and two workers: each is done once, and both work', async () => {
    const workers = [await bench.startWorker(), await bench.startWorker()];
    const runIds = await Promise.all(Array.from({ length: 8 }, () => team.upload(files)));
    for (const runId of runIds) await team.waitFor(runId, ['done']);
    for (const runId of runIds) expect((await bench.resultsOf(runId)).analyses).toBe(1);
    for (const worker of workers) expect(worker.output()).toContain('"msg":"analysis done"');
  });

  it('an object store that is away for a while: no attempt is counted', async () => {
    await links.store.cut();
    await bench.startWorker({ S3_ENDPOINT: links.store.through(bench.environment.env.S3_ENDPOINT) });
    const runId = await team.upload(files);
    await sleep(6_000);
    expect((await team.state(runId)).failure).toBeNull();
    await links.store.mend();
    await doneOnce(runId, 1);
  }, 90_000);

  it('a database that goes away in mid-analysis: the result waits for it', async () => {
    const worker = await workerBehindFrozenStore({
      DATABASE_URL: links.database.through(bench.environment.env.DATABASE_URL),
      STALLED_AFTER_S: '60',
    });
    const runId = await team.upload(files);
    await team.waitFor(runId, ['analyzing']);
    await links.database.cut();
    links.store.thaw();
    await until(
      () => worker.output().includes('the result waits for it'),
      'the worker waits for the database',
    );
    await links.database.mend();
    await doneOnce(runId, 1);
  }, 90_000);

  it('a queue that is away for half a minute while runs come in: they are taken when it is back', async () => {
    const { env } = bench.environment;
    const queueUrl: Record<string, string> = env.REDIS_URL
      ? { REDIS_URL: links.queue.through(env.REDIS_URL) }
      : {};
    const behindLink = await bench.startApi(queueUrl);
    const worker = await bench.startWorker(queueUrl);
    await links.queue.cut();
    const runId = await team.at(behindLink.baseUrl).upload(files);
    expect(await team.state(runId)).toMatchObject({ state: 'queued' });
    await sleep(30_000);
    await links.queue.mend();
    await doneOnce(runId, 1);
    expect(worker.output()).not.toContain('"level":"fatal"');
    await behindLink.stop();
  }, 120_000);

  it('not every attempt: after the last one it fails and says so', async () => {
    const worker = await workerBehindFrozenStore({ ANALYSIS_ATTEMPTS: '2' });
    const runId = await team.upload(files);
    for (let attempt = 1; attempt <= 2 && onLinux; attempt++) {
      await until(async () => (await bench.attemptsOf(runId)) === attempt, `attempt ${attempt}`);
      await until(() => childrenOf(worker.pid).length > 0, 'an analysis process');
      process.kill(childrenOf(worker.pid)[0], 'SIGKILL');
    }
    const { failure } = await team.waitFor(runId, ['failed']);
    expect(failure).toMatchObject({ code: 'analysis-crashed' });
    expect(failure?.reason).toContain('SIGKILL');
    expect(failure?.reason).toContain('attempt 2 of 2');
  });

  it('no longer than it may take, and in no more memory than it may have', async () => {
    const slow = await workerBehindFrozenStore({ ANALYSIS_TIMEOUT_S: '2' });
    const late = await team.upload(files);
    expect((await team.waitFor(late, ['failed'])).failure).toMatchObject({ code: 'analysis-timeout' });
    await slow.stop();
    links.store.thaw();
    await bench.startWorker({ ANALYSIS_MEMORY_MB: '128' });
    const large = await team.upload([{ name: 'wide.json.gz', bytes: wideTrace(300_000) }]);
    expect((await team.waitFor(large, ['failed'])).failure).toMatchObject({ code: 'out-of-memory' });
    expect(await bench.attemptsOf(large)).toBe(1);
  });

  /** Deletes everything in the queue; gives the number of things that were deleted. */
  async function forgetQueue(): Promise<number> {
    const { REDIS_URL, QUEUE_PREFIX } = bench.environment.env;
    if (!REDIS_URL) {
      return (await bench.query(`DELETE FROM "${QUEUE_PREFIX}_queue".job RETURNING id`)).length;
    }
    const redis = new Redis(REDIS_URL);
    try {
      const keys = await redis.keys(`${QUEUE_PREFIX}:*`);
      return await redis.del(...keys);
    } finally {
      redis.disconnect();
    }
  }
});
