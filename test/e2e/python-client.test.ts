import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTeamsService } from '../../src/modules/teams';
import { bucketContents } from '../harness/bucket-contents';
import { type CuttableLink, linkTo } from '../harness/cuttable-link';
import { PipelineBench, type TeamClient } from '../harness/pipeline-bench';
import { type PrefixProxy, startPrefixProxy } from '../harness/prefix-proxy';
import { flush, startPython, startRank, waiting, withPython } from '../harness/python-client';
import { until } from '../harness/until';

const RANK_FILES = (rank: number) => [
  `meta.rank${rank}.json`,
  `rank${rank}.pt.trace.json.gz`,
  `step_times.rank${rank}.jsonl`,
];

describe('the post-hook in Python', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  let proxy: PrefixProxy;
  let link: CuttableLink;
  let folder: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    await bench.startWorker();
    link = await linkTo(bench.api.baseUrl);
    proxy = await startPrefixProxy(link.through(bench.api.baseUrl), '/tools/stallscope');
  });
  beforeEach(async () => {
    team = await bench.team(['runs:read']);
    const scopes = ['runs:write'] as const;
    const teams = createTeamsService(bench.database);
    const { token } = await teams.createApiToken(team.teamId, { name: 'w', scopes });
    folder = await mkdtemp(join(tmpdir(), 'stallscope-hook-'));
    env = {
      STALLSCOPE_SERVER: proxy.url,
      STALLSCOPE_TOKEN: token,
      STALLSCOPE_SPOOL: join(folder, 'spool'),
      STALLSCOPE_MODEL: 'gpt-219m',
      STALLSCOPE_CLUSTER: 'a',
    };
    proxy.refuse = undefined;
    proxy.seen.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  afterAll(async () => {
    await proxy.close();
    await link.close();
    await bench.close();
  });

  const runIds = async () =>
    (await bench.query<{ id: string }>('SELECT id FROM runs WHERE team_id = $1', team.teamId)).map(
      ({ id }) => id,
    );

  /** The only run of the team, done, with these files, each there once. */
  async function doneOnce(files: string[]) {
    const [id, ...others] = await runIds();
    expect(others).toEqual([]);
    const run = await team.waitFor(id, ['done']);
    expect(run.artifacts.map(({ name }) => name)).toEqual([...files].sort());
    const { keys, uploads } = await bucketContents(bench.environment.env);
    expect(keys.filter((key) => key.includes(team.teamId))).toHaveLength(files.length);
    expect(uploads.filter((key) => key.includes(team.teamId))).toEqual([]);
    return run;
  }

  withPython(
    'passes its own tests',
    async () => {
      const { code, stderr } = await startPython(['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'], {})
        .ended;
      expect([code, stderr.slice(-2_000)]).toEqual([0, expect.stringMatching(/Ran [1-9]\d* tests/)]);
    },
    180_000,
  );

  withPython('two ranks of one launch make one run, which says what they were', async () => {
    const launch = {
      WORLD_SIZE: '2',
      LOCAL_WORLD_SIZE: '2',
      MASTER_ADDR: 'localhost',
      NCCL_P2P_DISABLE: '1',
    };
    const ranks = ['0', '1'].map((RANK) =>
      startRank('ddp_slow_link', { ...env, ...launch, RANK, LOCAL_RANK: RANK }),
    );
    for (const { code, stdout } of await Promise.all(ranks.map(({ ended }) => ended))) {
      expect([code, stdout]).toEqual([0, 'trained\n']);
    }
    expect(waiting(env.STALLSCOPE_SPOOL)).toEqual([]);
    const { id, verdict } = await doneOnce([...RANK_FILES(0), ...RANK_FILES(1)]);
    expect(verdict).toMatchObject({ bottleneck: 'communication' });
    const { body } = await team.call('GET', `/v1/runs/${id}`);
    expect(body).toMatchObject({
      model: 'gpt-219m',
      worldSize: 2,
      metadata: { launch: { MASTER_ADDR: 'localhost' } },
    });
    const { body: report } = await team.call('GET', `/v1/runs/${id}/report`);
    expect(report).toMatchObject({
      metadata: { parallel: 'ddp', 'env.NCCL_P2P_DISABLE': '1', seq_len: '1024' },
    });
  });

  withPython('a job of one process says all that it found out', async () => {
    const { code } = await startRank('healthy', env).ended;
    expect(code).toBe(0);
    const { id } = await doneOnce(RANK_FILES(0));
    const { body } = await team.call('GET', `/v1/runs/${id}`);
    expect(body.setup).toMatchObject({
      dtype: 'bf16',
      parameters: 1000,
      batch: { micro: 4, global: 4 },
      loader: { numWorkers: 2, pinMemory: true },
    });
  });

  withPython('with the server away, training ends as ever; all is sent later, once', async () => {
    await link.cut();
    const { code, stdout } = await startRank('healthy', { ...env, STALLSCOPE_EXIT_WAIT_S: '1' }).ended;
    expect([code, stdout]).toEqual([0, 'trained\n']);
    expect(waiting(env.STALLSCOPE_SPOOL)).toHaveLength(1);
    await link.mend();
    expect(await flush(env)).toMatchObject({ code: 0, stderr: '' });
    expect(await flush(env)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    await doneOnce(RANK_FILES(0));
  });

  withPython('refused for its token, it keeps all, and says so', async () => {
    const bad = { ...env, STALLSCOPE_TOKEN: `sst_bad_${'x'.repeat(40)}` };
    const { code, stdout, stderr } = await startRank('healthy', bad).ended;
    expect([code, stdout]).toEqual([0, 'trained\n']);
    expect(stderr).toMatch(/WARNING:stallscope:not sent, kept in [^\n]*token/);
    expect(stderr).not.toContain(bad.STALLSCOPE_TOKEN);
    expect(await flush(bad)).toMatchObject({ code: 1, stdout: '' });
    expect(await flush(env)).toMatchObject({ code: 0, stderr: '' });
    await doneOnce(RANK_FILES(0));
  });

  withPython(
    'refused for its key, which somebody else has used, it keeps all, and training goes on',
    async () => {
      const said = { ...env, STALLSCOPE_RUN_KEY: 'shared' };
      await startRank('healthy', { ...said, STALLSCOPE_SERVER: '' }).ended;
      const [{ key, body }] = waiting(env.STALLSCOPE_SPOOL);
      const authorization = `Bearer ${env.STALLSCOPE_TOKEN}`;
      const other = { ...body, workload: 'other' };
      await team.call('POST', '/v1/runs', other, { authorization, 'idempotency-key': key });
      const { code, stdout, stderr } = await startRank('healthy', said).ended;
      expect([code, stdout]).toEqual([0, 'trained\n']);
      expect(stderr).toMatch(/^WARNING:stallscope:not sent, kept in [^\n]*idempotency-key-reused[^\n]*\n$/);
      expect(waiting(env.STALLSCOPE_SPOOL)).toHaveLength(2);
      expect(await runIds()).toHaveLength(1);
    },
  );

  withPython('a server that is slow holds up neither the training nor its end', async () => {
    link.freeze();
    const { code, stdout, stderr } = await startRank('healthy', { ...env, STALLSCOPE_EXIT_WAIT_S: '1' })
      .ended;
    link.thaw();
    expect([code, stdout]).toEqual([0, 'trained\n']);
    expect(stderr).toContain('the rest is in');
    expect(await flush(env)).toMatchObject({ code: 0, stderr: '' });
    await doneOnce(RANK_FILES(0));
  });

  withPython('the API dies in mid-upload and comes back: one run, each file once', async () => {
    const api = await bench.startApi({});
    const dying = await startPrefixProxy(api.baseUrl, '');
    const said = { ...env, STALLSCOPE_SERVER: dying.url, STALLSCOPE_EXIT_WAIT_S: '2' };
    // Large enough for several parts.
    const log = { NCCL_DEBUG_FILE: join(folder, 'nccl.%p.log'), FAKE_RANK_LOG_BYTES: String(12 << 20) };
    dying.refuse = (what) => {
      // The metadata file is registered already, the log is about to be.
      const isSecond = dying.seen.filter((one) => one.endsWith('/artifacts')).length === 2;
      if (isSecond && what.endsWith('/artifacts')) void api.kill();
      return false;
    };
    const { code, stdout } = await startRank('healthy', { ...said, ...log, STALLSCOPE_NCCL_LOG: '1' }).ended;
    await api.ended;
    expect([code, stdout]).toEqual([0, 'trained\n']);
    expect(waiting(env.STALLSCOPE_SPOOL)).toHaveLength(1);
    expect(await flush({ ...said, STALLSCOPE_TIMEOUT_S: '5' })).toMatchObject({ code: 1, stdout: '' });
    await bench.startApi({ PORT: new URL(api.baseUrl).port });
    expect(await flush(said)).toMatchObject({ code: 0, stderr: '' });
    await dying.close();
    await doneOnce([...RANK_FILES(0), 'nccl.rank0.log']);
  });

  withPython('the training is killed in mid-upload: the next flush sends the rest, once', async () => {
    const reached = () => proxy.seen.some((what) => what.endsWith('/artifacts'));
    const rank = startRank('healthy', { ...env, FAKE_RANK_STAYS_S: '60' });
    await until(reached, 'an upload that goes on');
    rank.child.kill('SIGKILL');
    await rank.ended;
    expect(await flush(env)).toMatchObject({ code: 0, stderr: '' });
    expect(waiting(env.STALLSCOPE_SPOOL)).toEqual([]);
    await doneOnce(RANK_FILES(0));
  });
});
