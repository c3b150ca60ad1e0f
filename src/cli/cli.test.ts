import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { analysisSchema } from '../analysis';

const CLI = join(__dirname, '../../bin/stallscope.js');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stallscope-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the built command line; `npm test` builds first. */
function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const TRACE = join(__dirname, '../../test/golden/kineto/loader-starved/rank0.pt.trace.json');

test('analyze --json prints one report of the published schema', async () => {
  const { code, stdout, stderr } = await run('analyze', TRACE, '--json');
  expect([code, stderr]).toEqual([0, '']);
  const report = analysisSchema.parse(JSON.parse(stdout));
  expect(report.verdict.bottleneck).toBe('input-pipeline');
  expect(report.artifacts).toEqual([{ path: 'rank0.pt.trace.json', format: 'kineto', rank: 0 }]);
});

test('analyze prints the verdict and the step for a person, and Markdown for a pull request', async () => {
  expect((await run('analyze', TRACE)).stdout).toMatch(/^Verdict: input-pipeline[\s\S]*waiting for input/);
  expect((await run('analyze', TRACE, '--markdown')).stdout).toMatch(/^## Stallscope: input-pipeline\n/);
});

test('a gzip stream that is cut short is a report of what came before, with the problem named', async () => {
  const whole = gzipSync(
    `{"traceEvents": [${Array.from({ length: 4000 }, (_, i) => JSON.stringify({ ph: 'X', cat: 'kernel', name: `k${Math.sin(i)}`, pid: 0, tid: 7, ts: i * 10, dur: 5, args: { device: 0, stream: 7, correlation: i } })).join(',')}]}`,
  );
  const { code, stdout } = await run(
    'analyze',
    file('cut.json.gz', whole.subarray(0, whole.length / 2)),
    '--json',
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ kind: 'truncated-file' })]) as unknown,
  });
});

test.each([
  ['an empty file', () => file('empty.json', ''), /empty\.json: the file is empty/],
  ['text', () => file('notes.txt', 'remember the milk\n'), /notes\.txt: plain text/],
  [
    'a PNG',
    () => file('plot.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0])),
    /a PNG image/,
  ],
  ['a gzip bomb', () => file('bomb.json.gz', gzipSync(new Uint8Array(256 << 20))), /bomb\.json\.gz/],
  ['a path that is not there', () => join(folder, 'nowhere'), /no such file or folder/],
  ['a name with control bytes', () => join(folder, 'a\nb\u001b[31m'), /no such file or folder/],
])('%s is refused in one line, exit code 2', async (_, path, message) => {
  const { code, stdout, stderr } = await run('analyze', path());
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  // eslint-disable-next-line no-control-regex
  expect(stderr).toMatch(/^stallscope: [^\n\u001b]+\n$/);
});

test('without anything, it says what there is', async () => {
  const { code, stdout, stderr } = await run();
  expect([code, stderr]).toEqual([0, '']);
  for (const command of ['analyze', 'estimate', 'upload', 'schema'])
    expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
});

test.each([
  ['an empty file alone', '', 'empty.json'],
  ['an empty file beside a good one', '{"traceEvents": []}', 'run/rank1.json'],
])('upload refuses %s before anything is sent, and names it', async (_, good, name) => {
  mkdirSync(join(folder, 'run'), { recursive: true });
  if (good) file('run/rank0.json', good);
  const path = file(name, '');
  // Nobody listens there: a request would say so instead.
  const server = ['--server', 'http://127.0.0.1:9', '--token', 'x', '--model', 'm', '--cluster', 'c'];
  const { code, stdout, stderr } = await run('upload', good ? join(folder, 'run') : path, ...server);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^stallscope: [^\n]*the file is empty[^\n]*\n$/);
  expect(stderr).toContain(path);
});

test.each([
  ['text', () => file('notes.md', '# Notes\n'), /notes\.md: plain text\. Accepted are/],
  ['packed text', () => file('notes.md.gz', gzipSync('# Notes\n')), /notes\.md\.gz: plain text/],
  ['other JSON', () => file('package.json', '{"name": "x"}'), /a JSON document without trace events/],
  [
    'a folder of such files',
    () => {
      mkdirSync(join(folder, 'papers'), { recursive: true });
      file('papers/a.md', 'a\n');
      file('papers/b.md', 'b\n');
      return join(folder, 'papers');
    },
    /papers: no file that can be analysed \([^)]*a\.md: plain text\)/,
  ],
])('upload refuses %s before anything is sent', async (_, path, message) => {
  const server = ['--server', 'http://127.0.0.1:9', '--token', 'x', '--model', 'm', '--cluster', 'c'];
  const { code, stdout, stderr } = await run('upload', path(), ...server);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^stallscope: [^\n]+Nothing was sent\.\n$/);
  expect(stderr).toMatch(message);
});

test('a ladder of one run is refused: there is nothing to compare', async () => {
  const { code, stdout, stderr } = await run('ladder', folder);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^stallscope: a ladder has two runs or more[^\n]*\n$/);
});

test('a token that no header can carry is refused without being shown', async () => {
  const server = [
    '--server',
    'http://127.0.0.1:9',
    '--token',
    'sst_\nsecret',
    '--model',
    'm',
    '--cluster',
    'c',
  ];
  const { code, stderr } = await run('upload', TRACE, ...server);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^stallscope: --token must be one word[^\n]+\n$/);
  expect(stderr).not.toContain('secret');
});

test.each([
  [['bogus']],
  [['analyze']],
  [['analyze', TRACE, '--colour']],
  [['upload', TRACE, '--server', 'http://h/?q', '--token', 'x', '--model', 'm', '--cluster', 'c']],
  [['upload', TRACE, '--server', 'nonsense', '--token', 'x', '--model', 'm', '--cluster', 'c']],
  [
    [
      'upload',
      TRACE,
      '--server',
      'http://127.0.0.1:9',
      '--token',
      'x',
      '--model',
      'm',
      '--cluster',
      'c',
      '--world-size',
      '0',
    ],
  ],
])('wrong usage %j ends in one line, exit code 2', async (args) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^stallscope: [^\n]+stallscope --help[^\n]+\n$/);
});

test('folders of several runs are no run', async () => {
  const several = join(folder, 'several');
  for (const name of ['a', 'b']) {
    mkdirSync(join(several, name), { recursive: true });
    writeFileSync(join(several, name, 'rank0.pt.trace.json'), readFileSync(TRACE));
  }
  const { code, stdout, stderr } = await run('analyze', several);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('rank0.pt.trace.json is in a and in b; name the folder of one run');
});

test('ladder prints what each run gained against the one before, the baseline first', async () => {
  const rung = (name: string, stepS: number, more: object) => {
    const rungFolder = join(folder, name);
    mkdirSync(rungFolder);
    writeFileSync(join(rungFolder, 'rank0.pt.trace.json'), readFileSync(TRACE));
    const meta = { rank: 0, world_size: 1, batch_size: 4, mean_step_s: stepS, ...more };
    writeFileSync(join(rungFolder, 'meta.rank0.json'), JSON.stringify(meta));
    return rungFolder;
  };
  const rungs = [
    rung('fp32', 0.4, { dtype: 'float32' }),
    rung('bf16', 0.1, { dtype: 'bfloat16' }),
    rung('both', 0.1, { dtype: 'fp8', optimizer: 'AdamW(fused)' }),
  ];
  const { code, stdout, stderr } = await run('ladder', ...rungs);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^bf16 +100 ms +4\.00x +4\.00x .* keep$/m);
  expect(stdout).toMatch(/^both +100 ms +1\.00x +4\.00x .* within noise: bought nothing$/m);
  expect(stdout).toContain('Warning: both: several things changed at once (dtype, optimizer)');
  expect(stdout).toContain('Next: ');
  const json = await run('ladder', ...rungs, '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ speedup: 4, rungs: [{ verdict: 'baseline' }, {}, {}] });
  expect(await run('ladder', join(folder, 'nowhere'))).toMatchObject({ code: 2 });
});
