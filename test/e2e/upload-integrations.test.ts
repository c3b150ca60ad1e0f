import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../src/entry/package-root';
import { type CommandResult } from '../harness/gate-bench';
import { sampleRun, type UploadFile } from '../harness/pipeline-bench';
import { UploadBench } from '../harness/upload-bench';

const integration = (path: string) => join(packageRoot(), 'integrations', path);
const SCRIPT = integration('curl/stallscope-upload.sh');
const sample = sampleRun('ddp_slow_link');
const ofRank = (rank: number) => sample.filter(({ name }) => name.includes(`rank${rank}`));
const namesOf = (files: readonly UploadFile[]) => files.map(({ name }) => name);
/** Three parts of 5 MiB at most. */
const log: UploadFile = { name: 'nccl "0".log', bytes: randomBytes(12 << 20) };
const isRoot = process.getuid?.() === 0;

describe('uploads with nothing but curl', () => {
  let bench: UploadBench;

  beforeAll(async () => {
    bench = await UploadBench.open();
  });
  beforeEach(async () => {
    await bench.begin();
    // The epilog of Slurm reads as another user.
    await chmod(bench.folder, 0o755);
  });
  afterEach(() => bench.end());
  afterAll(() => bench.close());

  function run(command: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> {
    const whole = {
      ...{ PATH: process.env.PATH, STALLSCOPE_SERVER: bench.api.url, STALLSCOPE_TOKEN: bench.token },
      ...env,
    };
    return new Promise((resolve) => {
      const [program, ...args] = command;
      execFile(program, args, { env: whole, cwd: bench.folder }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  }
  const FLAGS = ['-m', 'gpt "219m"', '-c', 'a'];

  it('sends all parts, and again no more than is lacking', async () => {
    const files = [log, ...sample];
    await bench.write('run', files);
    bench.api.refuse = (what) => what.endsWith('/complete');
    const cut = await run(['sh', SCRIPT, ...FLAGS, 'run/']);
    expect([cut.code, cut.stdout]).toEqual([1, '']);
    expect(cut.stderr).toMatch(/^stallscope: POST \/v1\/runs\/[^\n]*\/complete: 403 stopped by the test\n$/);
    const sent = bench.store.seen.length;
    bench.api.refuse = undefined;
    const { code, stdout, stderr } = await run(['sh', SCRIPT, ...FLAGS, 'run']);
    expect([code, stderr]).toEqual([0, '']);
    expect(bench.store.seen).toHaveLength(sent);
    const { id } = await bench.doneOnce(namesOf(files));
    expect(stdout).toBe(`${bench.api.url}/v1/runs/${id}/report\n`);
    const { body } = await bench.team.call('GET', `/v1/runs/${id}`);
    expect(body).toMatchObject({ model: 'gpt "219m"', cluster: 'a' });
    expect((await run(['sh', SCRIPT, ...FLAGS, 'run'])).stdout).toBe(stdout);
    await bench.doneOnce(namesOf(files));
  });

  it('tries again what may heal, and renews an address that has expired', async () => {
    await bench.write('run', [log, ...sample]);
    const api = [{ status: 429, code: 'rate-limited', headers: { 'retry-after': '1' } }, 'break' as const];
    const store = [{ status: 503, code: 'slow-down' }, true, 'break' as const];
    bench.api.refuse = (what) => (what.endsWith('/artifacts') && api.shift()) || false;
    bench.store.refuse = (what) => (what.includes('partNumber=2') && store.shift()) || false;
    expect(await run(['sh', SCRIPT, ...FLAGS, 'run'])).toMatchObject({ code: 0 });
    expect([api, store]).toEqual([[], []]);
    await bench.doneOnce(namesOf([log, ...sample]));
  });

  it('says in one line what is wrong', async () => {
    await bench.write('run', sample);
    for (const [args, env, words] of [
      [['run'], {}, '-m and -c'],
      [[...FLAGS, 'none'], {}, 'no files to send'],
      [[...FLAGS, 'run'], { STALLSCOPE_TOKEN: `sst_${'x'.repeat(40)}` }, '401'],
    ] as const) {
      const { code, stdout, stderr } = await run(['sh', SCRIPT, ...args], env);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(words);
      expect(stderr).not.toContain('x'.repeat(40));
    }
  });

  it('as the epilog of Slurm: the nodes of a job make one run, with the rights of its user', async () => {
    const said = { model: 'gpt-219m', cluster: 'a', worldSize: 2, tags: ['nightly'] };
    const about = { name: 'stallscope.json', bytes: Buffer.from(JSON.stringify(said)) };
    const config = join(bench.folder, 'epilog.conf');
    await writeFile(config, `STALLSCOPE_SERVER=${bench.api.url}\nSTALLSCOPE_TOKEN=${bench.token}\n`, {
      mode: 0o600,
    });
    const epilog = async (rank: number) => {
      const own = await bench.write(`node${rank}/4711`, [about, ...ofRank(rank)]);
      await symlink(config, join(own, 'link.json'));
      if (isRoot) await writeFile(join(own, 'secret.json'), 'of root', { mode: 0o600 });
      return run([integration('slurm/epilog.sh')], {
        ...{
          STALLSCOPE_SERVER: '',
          STALLSCOPE_TOKEN: '',
          STALLSCOPE_CONFIG: config,
          STALLSCOPE_UPLOAD: SCRIPT,
        },
        ...{
          STALLSCOPE_FOLDER: join(bench.folder, `node${rank}`),
          SLURM_JOB_ID: '4711',
          SLURM_CLUSTER_NAME: 'a',
        },
        ...(isRoot ? { SLURM_JOB_USER: 'nobody' } : {}),
      });
    };
    const nodes = await Promise.all([0, 1].map(epilog));
    expect(nodes.map(({ code }) => code)).toEqual([0, 0]);
    const { id } = await bench.doneOnce(namesOf(sample));
    const { body } = await bench.team.call('GET', `/v1/runs/${id}`);
    expect(body).toMatchObject(said);
    for (const { stderr } of nodes) {
      expect(stderr).toContain(`/v1/runs/${id}/report`);
      if (isRoot) expect(stderr).toContain('secret.json: cannot be read; left out');
    }
  });

  it('never fails as an epilog, which would drain the node', async () => {
    const epilog = (env: Record<string, string>) =>
      run([integration('slurm/epilog.sh')], {
        ...{ STALLSCOPE_CONFIG: '/none', STALLSCOPE_UPLOAD: SCRIPT, SLURM_JOB_ID: '4711' },
        ...{ STALLSCOPE_FOLDER: bench.folder, ...env },
      });
    expect(await epilog({})).toMatchObject({ code: 0, stdout: '', stderr: '' });
    await bench.write('4711', ofRank(0));
    const refused = await epilog({ STALLSCOPE_TOKEN: 'bad' });
    expect([refused.code, refused.stderr]).toEqual([
      0,
      expect.stringMatching(/^stallscope: job 4711: .*401/),
    ]);
    expect((await epilog({ STALLSCOPE_UPLOAD: '/none' })).code).toBe(0);
  });

  it('as a step of Argo', async () => {
    const { spec } = parse(await readFile(integration('argo/stallscope-upload.yaml'), 'utf8')) as Argo;
    const [{ container, inputs, volumes }] = spec.templates;
    const values: Record<string, string> = {
      'inputs.parameters.model': 'gpt-219m',
      'inputs.parameters.cluster': 'a',
      'workflow.uid': 'a3f0',
    };
    expect(inputs.parameters.map(({ name }) => `inputs.parameters.${name}`)).toEqual(
      Object.keys(values).slice(0, 2),
    );
    expect(volumes).toEqual([
      { name: container.volumeMounts[0].name, configMap: { name: 'stallscope-upload' } },
    ]);
    // Where the step has its volume and its artifact, the test has folders.
    const places = [
      [container.volumeMounts[0].mountPath, integration('curl')],
      [inputs.artifacts[0].path, await bench.write('profile', sample)],
    ];
    const command = [...container.command, ...container.args].map((word) => {
      const filled = word.replace(/\{\{(.+?)\}\}/g, (_, name: string) => values[name]);
      const place = places.find(([mounted]) => filled.startsWith(mounted));
      return place ? filled.replace(place[0], place[1]) : filled;
    });
    expect(container.env.map(({ name }) => name)).toEqual(['STALLSCOPE_SERVER', 'STALLSCOPE_TOKEN']);
    expect(await run(command)).toMatchObject({ code: 0, stderr: '' });
    await bench.doneOnce(namesOf(sample));
  });

  it('as a component of Kubeflow, which has the very script', async () => {
    const { inputs, implementation } = parse(
      await readFile(integration('kubeflow/component.yaml'), 'utf8'),
    ) as Component;
    const { command, args } = implementation.container;
    expect(command[2]).toBe(await readFile(SCRIPT, 'utf8'));
    const values: Record<string, string> = {
      profile: await bench.write('profile', sample),
      model: 'gpt-219m',
      cluster: 'a',
    };
    expect(inputs.map(({ name }) => name)).toEqual(Object.keys(values));
    const words = args.map((arg) =>
      typeof arg === 'string' ? arg : values[arg.inputValue ?? arg.inputPath ?? ''],
    );
    expect(await run([...command, ...words])).toMatchObject({ code: 0, stderr: '' });
    await bench.doneOnce(namesOf(sample));
  });
});

interface Argo {
  spec: {
    templates: {
      inputs: { parameters: { name: string }[]; artifacts: { path: string }[] };
      container: {
        command: string[];
        args: string[];
        env: { name: string }[];
        volumeMounts: { name: string; mountPath: string }[];
      };
      volumes: unknown[];
    }[];
  };
}

interface Component {
  inputs: { name: string }[];
  implementation: {
    container: { command: string[]; args: (string | { inputValue?: string; inputPath?: string })[] };
  };
}
