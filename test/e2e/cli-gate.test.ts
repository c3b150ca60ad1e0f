import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GateEvaluation, gateEvaluationSchema } from '../../src/presentation';
import { GateBench } from '../harness/gate-bench';
import { elementsOf, parseXml } from '../harness/parse-xml';

const POLICY = {
  version: 1,
  rules: [{ metric: 'step-time', maxWorseRatio: 0.03 }],
  baseline: { kind: 'branch', branch: 'main' },
};
const HOSTILE = `<model> & "co" ]]> 'x' | @all`;

let gate: GateBench;
let good: string;
let bad: string;
let lonely: string;

beforeAll(async () => {
  gate = await GateBench.open();
  good = await gate.addHistory('good', 101e6);
  bad = await gate.addHistory(HOSTILE, 110e6);
  lonely = (await gate.addHistory('lonely', 100e6)) && (await addAlone());
  await gate.team.call('PUT', '/v1/gates/policies/pr', POLICY);
  await writeFile(join(gate.folder, 'policy.json'), JSON.stringify(POLICY));
  await writeFile(
    join(gate.folder, 'wrong.json'),
    '{"version": 1, "rules": [{"metric": "speed"}], "mood": 1}',
  );
}, 120_000);
afterAll(() => gate.close());

/** A run that has nothing to be compared with. */
async function addAlone(): Promise<string> {
  const { body } = await gate.team.call<{ id: string }>('POST', '/v1/runs', { model: 'alone', cluster: 'c' });
  await gate.bench.query(
    `UPDATE runs SET state = 'failed', failure_code = 'analysis-timeout', failure_reason = 'too long' WHERE id = $1`,
    body.id,
  );
  return body.id;
}

const read = (name: string) => readFile(join(gate.folder, name), 'utf8');

describe('stallscope gate', () => {
  it.each([
    ['passes with 0', () => good, 0, /^Gate: PASS\n/],
    [
      'fails with 1',
      () => bad,
      1,
      /^Gate: FAIL\n {2}Step time: 110 ms is .* worse than its baseline; 3\.0 % is allowed\.\n/,
    ],
    [
      'is inconclusive with 3',
      () => lonely,
      3,
      /^Gate: INCONCLUSIVE\n {2}Step time: the analysis of the run failed: analysis-timeout: too long/,
    ],
  ])('%s', async (_, run, exitCode, words) => {
    const byName = await gate.shell(`stallscope gate --run ${run()} --policy pr@1`);
    expect([byName.code, byName.stderr]).toEqual([exitCode, '']);
    expect(byName.stdout).toMatch(words);
    expect(byName.stdout).toContain(`report: ${gate.bench.api.baseUrl}/v1/runs/${run()}/report`);
    const byFile = await gate.shell(`stallscope gate --run ${run()} --policy-file policy.json`);
    expect(byFile.code).toBe(exitCode);
  });

  it('prints and writes every format, with hostile names as text', async () => {
    const outputs = ['out/deep/gate.xml', 'gate.md', 'gate.json', 'gate.txt']
      .map((name) => `--output ${name}`)
      .join(' ');
    const { code, stdout } = await gate.shell(
      `stallscope gate --run ${bad} --policy pr --format junit ${outputs}`,
    );
    expect(code).toBe(1);
    expect(await read('out/deep/gate.xml')).toBe(stdout);
    const root = parseXml(stdout);
    expect(elementsOf(root, 'testsuite')[0].attributes).toMatchObject({
      tests: '1',
      failures: '1',
      skipped: '0',
    });
    expect(elementsOf(root, 'property').map(({ attributes }) => attributes.value)).toContain(HOSTILE);
    expect(elementsOf(root, 'failure')[0].attributes.message).toMatch(/worse than its baseline/);
    const json = gateEvaluationSchema.parse(JSON.parse(await read('gate.json')));
    expect(json).toMatchObject({
      outcome: 'fail',
      run: { id: bad, model: HOSTILE },
      policy: { name: 'pr', revision: 1 },
    });
    const markdown = await read('gate.md');
    expect(markdown).toMatch(/^## Stallscope gate: ❌ fail\n/);
    expect(markdown).not.toMatch(/<model>|@all/);
    expect(markdown).toContain(`[report](${gate.bench.api.baseUrl}/v1/runs/${bad}/report)`);
    expect(await read('gate.txt')).toMatch(/^Gate: FAIL/);
  });

  it('uploads, waits for the analysis and judges, with no right to read runs', async () => {
    await writeFile(
      join(gate.folder, 'bound.json'),
      JSON.stringify({ version: 1, rules: [{ metric: 'step-time', max: 1 }] }),
    );
    const upload =
      'stallscope gate --upload profile --model up --cluster c --branch topic --commit abc --policy-file bound.json';
    const { code, stdout, stderr } = await gate.shell(`${upload} --format json`);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^(stallscope: waiting up to 900 s [^\n]+\n)?$/),
    ]);
    const { run, rules, links } = JSON.parse(stdout) as GateEvaluation;
    expect(run).toMatchObject({ model: 'up', branch: 'topic', commit: 'abc' });
    expect(rules).toMatchObject([{ reason: 'above-maximum', unit: 'ns' }]);
    const { status } = await gate.team.call('GET', links.series?.slice(gate.bench.api.baseUrl.length) ?? '');
    expect(status).toBe(200);
    // The same files are the same run.
    const again = await gate.shell(`${upload} --format json`);
    expect((JSON.parse(again.stdout) as GateEvaluation).run.id).toBe(run.id);
  });

  it('is inconclusive about a run that is not analysed in time, and writes its files', async () => {
    const { body } = await gate.team.call<{ id: string }>('POST', '/v1/runs', { model: 'm', cluster: 'c' });
    const { code, stdout, stderr } = await gate.shell(
      `stallscope gate --run ${body.id} --policy pr --wait 1 --output waited.xml --output waited.md`,
    );
    expect(code).toBe(3);
    expect(stderr).toBe(`stallscope: waiting up to 1 s for the analysis of run ${body.id}.\n`);
    expect(stdout).toMatch(
      /^Gate: INCONCLUSIVE\n {2}After 1 s of waiting there was nothing to judge: The run is awaitingUpload/,
    );
    const [skipped] = elementsOf(parseXml(await read('waited.xml')), 'skipped');
    expect(skipped.attributes.message).toMatch(/^After 1 s/);
    expect(await read('waited.md')).toContain('⚠️ inconclusive');
  });

  it('does not pass because nobody reads the answer', async () => {
    const { code } = await gate.shell(`stallscope gate --run ${bad} --policy pr | true`);
    expect(code).toBe(1);
  });

  it.each([
    ['--run RUN', /give either --policy or --policy-file/],
    ['--run RUN --policy pr --policy-file policy.json', /give either --policy or --policy-file/],
    ['--policy pr', /give either --run or --upload/],
    ['--run RUN --policy pr --output gate.pdf', /gate\.pdf: the file must end in \.txt/],
    ['--run RUN --policy pr --output /dev/null/gate.xml', /cannot be written \(E\w+\)/],
    ['--run RUN --policy pr --format pdf', /Allowed choices are text, json, markdown, junit/],
    ['--run RUN --policy pr --wait soon', /whole seconds/],
    ['--run RUN --policy nobodys', /gate-policy-not-found/],
    ['--run nonsense --policy pr', /validation-failed: runId/],
    [`--run ${randomUUID()} --policy pr`, /run-not-found/],
    ['--run RUN --policy-file profile', /cannot be read as JSON/],
    [
      '--run RUN --policy-file wrong.json',
      /valid\. inlinePolicy\.mood: is not a known field; .*rules\.0\.metric: is no metric/,
    ],
    ['--run RUN --policy pr --token sst_wrong', /token-unknown/],
    ['--upload profile --policy pr', /--upload needs --model and --cluster/],
    ['--upload profile profile --model m --cluster c --policy pr', /another file of the upload is called/],
    ['--upload nowhere --model m --cluster c --policy pr', /no such file or folder/],
  ])('refuses %s in one line with 2', async (args, words) => {
    const { code, stdout, stderr } = await gate.shell(`stallscope gate ${args.replace('RUN', good)}`);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
    expect(stderr).toMatch(/^stallscope: [^\n]+\n$/);
  });
});
