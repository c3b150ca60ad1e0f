import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '../../infra/local/free-port';
import { ensureBuilt } from '../harness/build';
import { childrenOf, tellsChildren } from '../harness/child-processes';
import { linkTo, type CuttableLink } from '../harness/cuttable-link';
import { PipelineBench, sampleRun, type RunBody, type TeamClient } from '../harness/pipeline-bench';

const run = promisify(execFile);
const files = sampleRun('data_starved');
const stranger = '00000000-0000-4000-8000-000000000000';

describe('dead letters', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  let link: CuttableLink;
  let metricsPort: number;
  let main: string;

  beforeAll(async () => {
    metricsPort = await findFreePort();
    bench = await PipelineBench.open({ METRICS_PORT: String(metricsPort), ANALYSIS_ATTEMPTS: '2' });
    team = await bench.team();
    link = await linkTo(bench.environment.env.S3_ENDPOINT);
    main = join(await ensureBuilt(), 'src/main.js');
  });
  afterAll(async () => {
    await bench.close();
    await link.close();
  });

  const command = async (...args: string[]) => {
    // What a worker is told is enough.
    const { JWT_SECRET: _, ...env } = bench.environment.env;
    return (await run(process.execPath, [main, 'dead-letters', ...args], { env })).stdout;
  };
  const refusal = (...args: string[]) =>
    command(...args).then(
      () => '',
      (error: { stderr: string }) => error.stderr,
    );
  const gauge = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(/^stallscope_dead_letters(?:\{[^}]*\})? (\d+)$/m.exec(text)?.[1]);
  };
  /** Ends every analysis process of a worker, again and again, until the run is over. */
  async function poison(runId: string): Promise<RunBody> {
    link.freeze();
    const worker = await bench.startWorker({
      S3_ENDPOINT: link.through(bench.environment.env.S3_ENDPOINT),
      // Where children cannot be found, the run fails by another failure of ours.
      ...(tellsChildren ? {} : { ANALYSIS_TIMEOUT_S: '2' }),
    });
    for (;;) {
      const state = await team.state(runId);
      if (state.state === 'failed') return state;
      for (const pid of childrenOf(worker.pid)) process.kill(pid, 'SIGKILL');
      await sleep(50);
    }
  }

  it('are none at first', async () => {
    expect(await command()).toBe('There are no dead letters.\n');
    expect(await command('--json')).toBe('[]\n');
    expect(await gauge()).toBe(0);
  });

  it('are runs whose analysis always dies: seen, retried when the cause is gone, and done', async () => {
    const runId = await team.upload(files);
    const { failure } = await poison(runId);
    await bench.stopWorkers();
    if (!tellsChildren) return;
    expect(failure?.code).toBe('analysis-crashed');
    // A run that failed because of its file is none.
    await bench.query(
      `INSERT INTO runs (id, team_id, model, cluster, state, failure_code, failure_reason)
       VALUES (gen_random_uuid(), $1, 'm', 'c', 'failed', 'unknown-format', 'r')`,
      team.teamId,
    );
    expect(await gauge()).toBe(1);
    const [letter, ...others] = JSON.parse(await command('--json')) as Record<string, unknown>[];
    expect(letter).toMatchObject({
      id: runId,
      teamId: team.teamId,
      failureCode: 'analysis-crashed',
      generation: 1,
    });
    expect(others).toEqual([]);
    expect(await command()).toContain(`${runId} generation 1 analysis-crashed: `);

    link.thaw();
    expect(JSON.parse(await command('retry', runId))).toEqual({ retried: [{ runId, generation: 2 }] });
    expect(await gauge()).toBe(0);
    await bench.startWorker();
    expect(await team.waitFor(runId, ['done'])).toMatchObject({ generation: 2, failure: null });
    expect(await bench.attemptsOf(runId)).toBe(1);
    expect((await bench.resultsOf(runId)).analyses).toBe(1);
    await bench.stopWorkers();
    const entries = await bench.query(
      'SELECT action, actor_kind, target_id, details FROM audit_entries WHERE team_id = $1',
      team.teamId,
    );
    expect(entries).toContainEqual({
      action: 'run.retried',
      actor_kind: 'operator',
      target_id: runId,
      details: { failureCode: 'analysis-crashed', generation: 2 },
    });
  }, 90_000);

  it('are runs whose workers died on them as often as they may, too', async () => {
    const runId = await team.upload(files);
    await bench.query(
      `UPDATE runs SET state = 'analyzing', attempts = 2, state_changed_at = now() - interval '1 hour' WHERE id = $1`,
      runId,
    );
    await bench.query('UPDATE artifacts SET included_in = 1 WHERE run_id = $1', runId);
    await bench.startWorker();
    const { failure } = await team.waitFor(runId, ['failed']);
    expect(failure).toMatchObject({
      code: 'analysis-crashed',
      reason: expect.stringContaining('its workers died on it') as string,
    });
    expect(await command('retry', runId)).toContain(runId);
    expect(await team.waitFor(runId, ['done'])).toMatchObject({ generation: 2 });
    await bench.stopWorkers();
  });

  it('are retried all together, and what is none is refused', async () => {
    const ids = [await team.upload(files), await team.upload(files)];
    await bench.query(
      `UPDATE runs SET state = 'failed', failure_code = 'result-not-storable', failure_reason = 'r' WHERE id = ANY($1::uuid[])`,
      ids,
    );
    expect(await refusal('retry')).toContain('Name one run, or give --all.');
    expect(await refusal('retry', ids[0], '--all')).toContain('Name one run, or give --all.');
    expect(await refusal('retry', 'x')).toContain('"x" is no id of a run.');
    expect(await refusal('retry', stranger)).toContain('is no dead letter');
    const { retried } = JSON.parse(await command('retry', '--all')) as { retried: { runId: string }[] };
    expect(new Set(retried.map(({ runId }) => runId))).toEqual(new Set(ids));
    expect(await refusal('retry', ids[0])).toContain('is no dead letter');
    await bench.startWorker();
    for (const id of ids) expect(await team.waitFor(id, ['done'])).toMatchObject({ generation: 2 });
  });
});
