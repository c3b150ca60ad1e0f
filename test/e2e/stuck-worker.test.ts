import { Client } from 'pg';
import { type NodeProcess } from '../../infra/local/processes';
import { linkTo } from '../harness/cuttable-link';
import { metricsOf, operatorsUrl, valueOf } from '../harness/operators';
import { PipelineBench } from '../harness/pipeline-bench';
import { until } from '../harness/until';

interface Health {
  status: number | 'silent';
  problems: string[];
}

/** As an orchestrator asks: no answer in a second is an answer too. */
async function healthOf(worker: NodeProcess, path: string): Promise<Health> {
  try {
    const response = await fetch(operatorsUrl(worker) + path, { signal: AbortSignal.timeout(1_000) });
    const { problems = [] } = (await response.json()) as { problems?: string[] };
    return { status: response.status, problems };
  } catch {
    return { status: 'silent', problems: [] };
  }
}

describe('a worker', () => {
  let bench: PipelineBench;

  beforeAll(async () => {
    bench = await PipelineBench.open({ WORKER_METRICS_PORT: '0', WORKER_GRACE_S: '2' });
  });
  afterEach(() => bench.stopWorkers());
  afterAll(() => bench.close());

  const live = async (worker: NodeProcess, status: Health['status']) => {
    const seen = async () => (await healthOf(worker, '/health/live')).status === status;
    await until(seen, `/health/live is ${status}`, 30_000);
  };

  it('that does nothing at all does not answer, and is well again when it goes on', async () => {
    const worker = await bench.startWorker();
    await live(worker, 200);
    process.kill(worker.pid, 'SIGSTOP');
    expect((await healthOf(worker, '/health/live')).status).toBe('silent');
    process.kill(worker.pid, 'SIGCONT');
    await live(worker, 200);
  });

  it('whose chore hangs while the database answers is not alive; when the chore is freed it is again', async () => {
    const worker = await bench.startWorker();
    const age = 'stallscope_chore_success_age_seconds{chore="reconcile-runs"}';
    await until(async () => (valueOf(await metricsOf(worker), age) ?? 99) < 1, 'the chore went well');
    const blocker = new Client({ connectionString: bench.environment.ownerUrl });
    await blocker.connect();
    try {
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE runs IN ACCESS EXCLUSIVE MODE');
      await live(worker, 503);
      expect((await healthOf(worker, '/health/live')).problems).toContain(
        'the chore reconcile-runs does not come to an end',
      );
      expect(await healthOf(worker, '/health/ready')).toEqual({ status: 200, problems: [] });
      expect(valueOf(await metricsOf(worker), age)).toBeGreaterThan(2);
    } finally {
      await blocker.end();
    }
    await live(worker, 200);
  });

  it('whose database is away is not ready, and stays alive: a new process would have none either', async () => {
    const database = await linkTo(bench.environment.env.DATABASE_URL);
    const worker = await bench.startWorker({
      DATABASE_URL: database.through(bench.environment.env.DATABASE_URL),
    });
    try {
      await live(worker, 200);
      await database.cut();
      const notReady = async () => (await healthOf(worker, '/health/ready')).status === 503;
      await until(notReady, '/health/ready is 503');
      // Longer than three intervals of the chores and the grace.
      await new Promise((resolve) => setTimeout(resolve, 7_000));
      expect((await healthOf(worker, '/health/live')).status).toBe(200);
      await database.mend();
      const ready = async () => (await healthOf(worker, '/health/ready')).status === 200;
      await until(ready, '/health/ready is 200');
    } finally {
      await bench.stopWorkers();
      await database.close();
    }
  });
});
