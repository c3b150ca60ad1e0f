import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTeamsService } from '../../src/modules/teams';
import { ensureBuilt } from '../harness/build';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { type PrefixProxy, startPrefixProxy } from '../harness/prefix-proxy';

const sample = sampleRun('launch_bound');
const RUN_ID = /\/v1\/runs\/([0-9a-f-]{36})\/report\n$/;

describe('stallscope upload', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  let writeToken: string;
  let proxy: PrefixProxy;
  let folder: string;
  let cli: string;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    await bench.startWorker();
    proxy = await startPrefixProxy(bench.api.baseUrl, '/tools/stallscope');
    cli = join(await ensureBuilt(), 'src/cli/main.js');
  });
  beforeEach(async () => {
    team = await bench.team(['runs:read']);
    const scopes = ['runs:write'] as const;
    writeToken = (await createTeamsService(bench.database).createApiToken(team.teamId, { name: 'w', scopes }))
      .token;
    folder = await mkdtemp(join(tmpdir(), 'stallscope-upload-'));
    proxy.refuse = undefined;
    proxy.seen.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  afterAll(async () => {
    await proxy.close();
    await bench.close();
  });

  /** Uploads with a token that may write and nothing else. */
  function upload(path: string, ...flags: string[]) {
    const args = [
      'upload',
      path,
      '--server',
      `${proxy.url}/`,
      '--model',
      'm',
      '--cluster',
      'c',
      '--quiet',
      ...flags,
    ];
    return new Promise<{ code: number; stdout: string; stderr: string; runId: string | undefined }>(
      (resolve) => {
        const env = { PATH: process.env.PATH, STALLSCOPE_TOKEN: writeToken };
        execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) => {
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr, runId: RUN_ID.exec(stdout)?.[1] });
        });
      },
    );
  }

  async function writeSample(name: string): Promise<string> {
    const path = join(folder, name);
    await mkdir(path);
    for (const { name, bytes } of sample) await writeFile(join(path, name), bytes);
    return path;
  }
  const runCount = async () =>
    (await bench.query('SELECT id FROM runs WHERE team_id = $1', team.teamId)).length;

  it('needs the scope runs:write only, and keeps the path of the server', async () => {
    const { code, stdout, stderr, runId = '' } = await upload(await writeSample('a'));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`${proxy.url}/v1/runs/${runId}/report\n`);
    expect((await team.waitFor(runId, ['done'])).artifacts).toHaveLength(sample.length);
    expect(proxy.seen.filter((what) => what.startsWith('GET'))).toEqual([]);
  });

  it('gives the same run for the same content, wherever it lies, and another for other content', async () => {
    const first = await upload(await writeSample('a'));
    await team.waitFor(first.runId ?? '', ['done']);
    const elsewhere = await writeSample('b');
    expect(await upload(elsewhere)).toMatchObject({ code: 0, runId: first.runId });
    expect(await upload(elsewhere, '--branch', 'x')).not.toMatchObject({ runId: first.runId });
    await writeFile(join(elsewhere, 'notes.txt'), 'one');
    const more = await upload(elsewhere);
    await writeFile(join(elsewhere, 'notes.txt'), 'two');
    const other = await upload(elsewhere);
    expect([more.code, other.code]).toEqual([0, 0]);
    expect(new Set([first.runId, more.runId, other.runId]).size).toBe(3);
    expect(await runCount()).toBe(4);
  });

  it('takes what the post-hook writes, alone too, and makes no run of anything else', async () => {
    for (const { name, bytes } of sample) {
      await writeFile(join(folder, name), bytes);
      expect(await upload(join(folder, name))).toMatchObject({ code: 0, stderr: '' });
    }
    const junk = join(folder, 'README.md');
    await writeFile(junk, '# A trainer\n');
    proxy.seen.length = 0;
    const { code, stdout, stderr } = await upload(junk);
    expect([code, stdout, proxy.seen]).toEqual([2, '', []]);
    expect(stderr).toMatch(/^stallscope: [^\n]*plain text[^\n]*\.pt\.trace\.json[^\n]*Nothing was sent\.\n$/);
    expect(await runCount()).toBe(sample.length);
  });

  it('says what is wrong with a token that is none', async () => {
    const { code, stderr } = await upload(await writeSample('a'), '--token', 'bad');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^stallscope: session-invalid: [^\n]*sst_[^\n]*POST \/v1\/tokens[^\n]*\n$/);
  });

  it.each([
    ['before the second file', /^POST .*\/artifacts$/, 1],
    ['before the end', /complete$/, 0],
  ])('goes on where it was cut %s, with all files', async (_when, stop, letThrough) => {
    const path = await writeSample('a');
    const stops = (what: string) => stop.test(what);
    proxy.refuse = (what) => stops(what) && proxy.seen.filter(stops).length > letThrough;
    const cut = await upload(path);
    expect(cut).toMatchObject({ code: 2, stdout: '' });
    expect(cut.stderr).toMatch(/^stallscope: http-403[^\n]*\n$/);
    expect(await runCount()).toBe(1);
    proxy.refuse = undefined;
    const { code, runId = '' } = await upload(path);
    expect(code).toBe(0);
    const run = await team.waitFor(runId, ['done']);
    expect(run.artifacts.map(({ name }) => name)).toEqual(sample.map(({ name }) => name).sort());
    expect(await runCount()).toBe(1);
  });

  it('says why an earlier upload of the same files failed, and makes a new run under another key', async () => {
    const path = join(folder, 'empty.json');
    await writeFile(path, '{"traceEvents": []}\n');
    const first = await upload(path);
    await team.waitFor(first.runId ?? '', ['failed']);
    const again = await upload(path);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toMatch(
      /^stallscope: [^\n]*not-a-gpu-trace: [^\n]*without trace events[^\n]*--idempotency-key[^\n]*\n$/,
    );
    const anew = await upload(path, '--idempotency-key', 'second-try');
    expect(anew.code).toBe(0);
    expect(anew.runId).not.toBe(first.runId);
  });

  it('sends files again that were rejected, and says so when the run takes none any more', async () => {
    const path = await writeSample('a');
    const { runId = '' } = await upload(path);
    await team.waitFor(runId, ['done']);
    const reject = `WITH r AS (UPDATE runs SET state = 'failed', failure_code = 'checksum-mismatch', failure_reason = 'r',
        created_at = now() - make_interval(hours => $2) WHERE id = $1)
      UPDATE artifacts SET state = 'rejected' WHERE run_id = $1`;
    await bench.query(reject, runId, 0);
    expect(await upload(path)).toMatchObject({ code: 0, runId });
    const { generation, artifacts } = await team.waitFor(runId, ['done']);
    expect(generation).toBe(2);
    expect(artifacts.map(({ state }) => state)).toEqual(sample.map(() => 'verified'));
    await bench.query(reject, runId, 25);
    const refused = await upload(path);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^stallscope: upload-closed: [^\n]+\n$/);
  });

  it('sends what a file says of the run, flags before it, and says what is wrong with it', async () => {
    const path = await writeSample('a');
    const file = join(folder, 'run.json');
    const hardware = { gpu: 'NVIDIA H200', nodes: 2 };
    const said = { branch: 'x', tags: ['nightly'], metadata: { note: 'n' }, hardware, dtype: 'bf16' };
    await writeFile(file, JSON.stringify(said));
    const { code, runId } = await upload(path, '--metadata', file, '--branch', 'y', '--duration-s', '90');
    expect(code).toBe(0);
    const { body } = await team.call('GET', `/v1/runs/${runId}`);
    expect(body).toMatchObject({ branch: 'y', durationS: 90, tags: ['nightly'], metadata: { note: 'n' } });
    expect(body.setup).toEqual({ hardware, dtype: 'bf16' });
    for (const [text, words] of [
      ['{', 'cannot be read as JSON'],
      ['[]', 'must be one JSON object'],
      ['{"metadata": "x"}', 'the field metadata must be a JSON object'],
      ['{"hardware": {"nodes": 0}}', 'hardware.nodes'],
    ]) {
      await writeFile(file, text);
      const wrong = await upload(path, '--metadata', file);
      expect(wrong).toMatchObject({ code: 2, stdout: '' });
      expect(wrong.stderr).toContain(words);
    }
  });

  it('refuses other files under a key that was used, rather than mixing two runs', async () => {
    const [{ name, bytes }] = sample;
    await writeFile(join(folder, name), bytes);
    expect((await upload(folder, '--idempotency-key', 'k')).code).toBe(0);
    await copyFile(join(folder, name), join(folder, `copy-${name}`));
    const other = await upload(folder, '--idempotency-key', 'k');
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toMatch(/^stallscope: idempotency-key-reused: [^\n]+\n$/);
  });
});
