import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../src/entry/package-root';
import { GateBench } from '../harness/gate-bench';
import { elementsOf, parseXml } from '../harness/parse-xml';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  shell?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}
interface Action {
  inputs: Record<string, { required?: boolean; default?: string }>;
  outputs: Record<string, unknown>;
  runs: { using: string; steps: Step[] };
}
interface GitlabJob {
  script: string[];
  variables: Record<string, string>;
  allow_failure: { exit_codes: number };
  artifacts: { reports: { junit: string } };
}

const load = async <T>(path: string) =>
  parse(await readFile(join(packageRoot(), 'integrations', path), 'utf8')) as T;
const bound = (max: number) => ({ version: 1, rules: [{ metric: 'step-time', max }] });

let gate: GateBench;
beforeAll(async () => {
  gate = await GateBench.open();
  const { call } = gate.team;
  await call.apply(gate.team, ['PUT', '/v1/gates/policies/loose', bound(1e12)]);
  await call.apply(gate.team, ['PUT', '/v1/gates/policies/strict', bound(1)]);
  const rules = [{ metric: 'step-time', maxWorseRatio: 0.1 }];
  await call.apply(gate.team, [
    ...(['PUT', '/v1/gates/policies/compare'] as const),
    { version: 1, rules, baseline: { kind: 'branch', branch: 'main' } },
  ]);
});
afterAll(() => gate.close());

describe('the GitHub action', () => {
  let action: Action;
  beforeAll(async () => {
    action = await load<Action>('github-action/action.yml');
  });

  /** Runs a step of the action as a runner does: its env with the inputs, and files for outputs and the summary. */
  async function runStep(step: Step, inputs: Record<string, string>) {
    const [GITHUB_OUTPUT, GITHUB_STEP_SUMMARY] = ['output', 'summary'].map((name) => join(gate.folder, name));
    for (const file of [GITHUB_OUTPUT, GITHUB_STEP_SUMMARY]) await writeFile(file, '');
    const all: Record<string, string> = {
      server: gate.bench.api.baseUrl,
      token: gate.token,
      branch: 'b',
      commit: 'c',
      ...inputs,
    };
    const valueOf = (name: string) => {
      if (!(name in action.inputs)) throw new Error(`The action has no input ${name}.`);
      return all[name] ?? action.inputs[name].default ?? '';
    };
    const env = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, text]) => [
        name,
        text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => valueOf(input)),
      ]),
    );
    const result = await gate.shell(step.run ?? '', { ...env, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY });
    return {
      ...result,
      output: await readFile(GITHUB_OUTPUT, 'utf8'),
      summary: await readFile(GITHUB_STEP_SUMMARY, 'utf8'),
    };
  }
  const ask = (inputs: Record<string, string>) => runStep(action.runs.steps[1], inputs);
  const upload = { upload: 'profile', model: 'm', cluster: 'c' };

  it('puts no input into the text of a script', () => {
    expect(action.runs.using).toBe('composite');
    for (const { run, shell } of action.runs.steps) {
      expect(shell).toBe('bash');
      expect(run).not.toContain('${{');
    }
  });

  it('builds nothing where the command line is there', async () => {
    expect(await runStep(action.runs.steps[0], {})).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('uploads, judges, and leaves outcome, summary and files', async () => {
    const passed = await ask({ ...upload, policy: 'loose' });
    expect(passed).toMatchObject({ code: 0, output: 'outcome=pass\n' });
    expect(passed.summary).toMatch(/^## Stallscope gate: ✅ pass/);
    const junit = await readFile(join(gate.folder, 'stallscope-gate/gate.xml'), 'utf8');
    expect(elementsOf(parseXml(junit), 'testsuite')[0].attributes).toMatchObject({
      tests: '1',
      failures: '0',
    });
    expect(await ask({ ...upload, policy: 'strict' })).toMatchObject({ code: 1, output: 'outcome=fail\n' });
  });

  it('stops for an inconclusive gate, or warns where that is wanted', async () => {
    const inconclusive = { ...upload, policy: 'compare' };
    expect(await ask(inconclusive)).toMatchObject({ code: 3, output: 'outcome=inconclusive\n' });
    const warned = await ask({ ...inconclusive, 'fail-on-inconclusive': 'false' });
    expect(warned).toMatchObject({ code: 0, output: 'outcome=inconclusive\n' });
    expect(warned.stdout).toContain('::warning title=Stallscope gate::');
  });

  it('refuses what is wrong, and runs nothing of hostile inputs', async () => {
    const hostile = '$(touch hacked)`touch hacked`";touch hacked;"';
    const refused = await ask({ ...upload, policy: hostile, branch: hostile, commit: '--help' });
    expect(refused).toMatchObject({ code: 2, output: 'outcome=refused\n', summary: '' });
    expect((await gate.shell('ls')).stdout).not.toContain('hacked');
    expect(await ask({ policy: 'loose' })).toMatchObject({ code: 2, output: 'outcome=refused\n' });
  });

  it('is used by the example workflow with inputs that it has', async () => {
    const workflow = await load<{ jobs: Record<string, { steps: Step[] }> }>(
      'github-action/example-workflow.yml',
    );
    const steps = workflow.jobs['step-time'].steps;
    const used = steps.find(({ uses }) => uses?.includes('/stallscope/integrations/github-action@'));
    const given = Object.keys(used?.with ?? {});
    expect(given.filter((name) => !(name in action.inputs))).toEqual([]);
    const required = Object.entries(action.inputs).filter(([, { required }]) => required);
    expect(given).toEqual(expect.arrayContaining(required.map(([name]) => name)));
    for (const { run } of steps)
      if (run) expect((await gate.shell(`bash -n <<'END'\n${run}\nEND`)).code).toBe(0);
  });
});

describe('the GitLab example', () => {
  it.each([
    ['loose', 0],
    ['strict', 1],
    ['compare', 3],
  ])('judges by the policy %s with exit code %d, and leaves its files', async (policy, exitCode) => {
    const { 'stallscope-gate': job } = await load<Record<string, GitlabJob>>(
      'gitlab/stallscope-gate.gitlab-ci.yml',
    );
    expect(job.allow_failure.exit_codes).toBe(3);
    await mkdir(join(gate.folder, 'gate'), { recursive: true });
    const env = { ...job.variables, POLICY: policy, CI_COMMIT_REF_NAME: 'topic', CI_COMMIT_SHA: 'abc' };
    const { code, stderr } = await gate.shell(job.script.join('\n'), env);
    expect([code, stderr.replace(/^stallscope: waiting.*\n/, '')]).toEqual([exitCode, '']);
    const junit = await readFile(join(gate.folder, job.artifacts.reports.junit), 'utf8');
    expect(elementsOf(parseXml(junit), 'testcase')).toHaveLength(1);
  });
});
