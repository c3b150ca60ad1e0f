import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Report } from '../../src/presentation';
import { createTeamsService } from '../../src/modules/teams';
import { packageRoot } from '../../src/entry/package-root';
import { PipelineBench, type TeamClient } from '../harness/pipeline-bench';
import { flush, withPython } from '../harness/python-client';

const RECORDING = join(packageRoot(), 'test/recordings/hook-spool');
const MS = 1e6;

describe('a spool that a training on two GPUs has left', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  let env: Record<string, string>;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    await bench.startWorker();
    team = await bench.team();
    const scopes = ['runs:write'] as const;
    const { token } = await createTeamsService(bench.database).createApiToken(team.teamId, {
      name: 'w',
      scopes,
    });
    const spool = await mkdtemp(join(tmpdir(), 'stallscope-spool-'));
    await cp(RECORDING, spool, { recursive: true });
    env = {
      STALLSCOPE_SERVER: bench.api.baseUrl,
      STALLSCOPE_TOKEN: token,
      STALLSCOPE_SPOOL: spool,
    };
  });
  afterAll(async () => {
    await rm(env.STALLSCOPE_SPOOL, { recursive: true, force: true });
    await bench.close();
  });

  withPython('is flushed into one run whose report is right', async () => {
    const { code, stdout, stderr } = await flush(env);
    expect([code, stderr]).toEqual([0, '']);
    const [first, second] = stdout.trim().split('\n');
    expect(second).toBe(first);
    expect((await readdir(env.STALLSCOPE_SPOOL)).sort()).toEqual(['README.md', 'runs']);

    const id = /runs\/([^/]+)\/report$/.exec(first)?.[1] ?? '';
    const run = await team.waitFor(id, ['done']);
    expect(run.artifacts.every(({ state }) => state === 'verified')).toBe(true);
    const { body: said } = await team.call('GET', `/v1/runs/${id}`);
    expect(said).toMatchObject({
      model: 'mlp',
      worldSize: 2,
      setup: {
        hardware: { gpu: 'NVIDIA H200', gpusPerNode: 2, nodes: 1 },
        parallelism: { data: 2, strategy: 'ddp' },
        batch: { micro: 2048, global: 4096 },
        parameters: 100_687_872,
      },
    });

    const { body: report } = await team.call<Report>('GET', `/v1/runs/${id}/report`);
    const formats = report.artifacts.map(({ path, format }) => [path, format]);
    expect(Object.fromEntries(formats)).toEqual({
      'dmon.vm.log': 'gpu-monitor',
      'meta.rank0.json': 'run-metadata',
      'meta.rank1.json': 'run-metadata',
      'nccl.rank0.log': 'nccl-log',
      'nccl.rank1.log': 'nccl-log',
      'rank0.pt.trace.json.gz': 'kineto',
      'rank1.pt.trace.json.gz': 'kineto',
      'step_times.rank0.jsonl': 'step-times',
      'step_times.rank1.jsonl': 'step-times',
    });
    // Matrix products in 32-bit floats, off the matrix units; the step is the one without the profiler.
    expect(report.verdict).toMatchObject({ bottleneck: 'arithmetic-intensity' });
    expect(report.ranks.map(({ rank }) => rank)).toEqual([0, 1]);
    expect(Math.abs((report.calibratedStep?.wallNs ?? 0) - 32.5 * MS)).toBeLessThan(0.5 * MS);
    expect(report.problems.map(({ kind }) => kind)).not.toContain('step-times-missing');
    expect(report.metadata).toMatchObject({
      driver: '580.159.04',
      nccl: '2.28.9',
      'loader.num_workers': '0',
    });
  });
});
