import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/entry/package-root';
import { type Report } from '../../src/presentation';
import { sampleRun } from '../harness/pipeline-bench';
import { flush, withPython } from '../harness/python-client';
import { UploadBench } from '../harness/upload-bench';

const FLAGS = ['--model', 'm', '--cluster', 'c', '--quiet'];
const sample = sampleRun('ddp_slow_link');
const ofRank = (rank: number) => sample.filter(({ name }) => name.includes(`rank${rank}`));
const RECORDING = join(packageRoot(), 'test/recordings/hook-spool');

describe('stallscope upload of several ranks', () => {
  let bench: UploadBench;

  beforeAll(async () => {
    bench = await UploadBench.open();
  });
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());
  afterAll(() => bench.close());

  const reportOf = async (id: string) => (await bench.team.call<Report>('GET', `/v1/runs/${id}/report`)).body;

  it('takes the folders of the ranks as one run, though they call their files alike', async () => {
    const path = join(bench.folder, 'job');
    const names: string[] = [];
    for (const rank of [0, 1]) {
      const files = ofRank(rank).map(({ name, bytes }) => ({
        name: name.replace(`rank${rank}`, 'own'),
        bytes,
      }));
      await bench.write(`job/rank${rank}`, files);
      names.push(...files.map(({ name }) => `rank${rank}/${name}`));
    }
    expect(await bench.upload([path, ...FLAGS])).toMatchObject({ code: 0, stderr: '' });
    const { id } = await bench.doneOnce(names);
    const report = await reportOf(id);
    expect(report.ranks.map(({ rank }) => rank)).toEqual([0, 1]);
    const steps = report.artifacts.filter(({ format }) => format === 'step-times');
    expect(steps.map(({ rank }) => rank)).toEqual([0, 1]);
  });

  it('joins what two nodes upload under one word, in any order and at once, and again is no more', async () => {
    const paths = await Promise.all([1, 0].map((rank) => bench.write(`node${rank}`, ofRank(rank))));
    const flags = [...FLAGS, '--run-key', 'job 4711', '--world-size', '2'];
    const uploads = await Promise.all(paths.map((path) => bench.upload([path, ...flags])));
    uploads.push(await bench.upload([paths[0], ...flags]));
    expect(uploads.map(({ code, stderr }) => [code, stderr])).toEqual(uploads.map(() => [0, '']));
    expect(new Set(uploads.flatMap(({ runIds }) => runIds)).size).toBe(1);
    const { id } = await bench.doneOnce([...ofRank(0), ...ofRank(1)].map(({ name }) => name));
    expect((await reportOf(id)).ranks.map(({ rank }) => rank)).toEqual([0, 1]);
    const other = await bench.upload([paths[0], ...FLAGS, '--run-key', 'job 4712']);
    expect(uploads[0].runIds).not.toEqual(other.runIds);
  });

  withPython('sends what the post-hook left in its spool, as that would; both come to one run', async () => {
    const spool = join(bench.folder, 'spool');
    await cp(RECORDING, spool, { recursive: true });
    const first = await bench.upload([spool, '--quiet']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(await bench.upload([spool, '--quiet'])).toMatchObject({ code: 0, stdout: first.stdout });
    const [id] = first.runIds;
    await bench.team.waitFor(id, ['done']);
    const env = { STALLSCOPE_SERVER: bench.api.url, STALLSCOPE_TOKEN: bench.token, STALLSCOPE_SPOOL: spool };
    expect(await flush(env)).toMatchObject({ code: 0, stdout: first.stdout.repeat(2), stderr: '' });
    expect((await readdir(spool)).sort()).toEqual(['README.md', 'runs']);
    const { generation, artifacts } = await bench.team.waitFor(id, ['done']);
    expect([generation, artifacts.length]).toEqual([1, 9]);
    expect((await reportOf(id)).ranks.map(({ rank }) => rank)).toEqual([0, 1]);
  });

  it('leaves recordings whose job goes on or that are refused, and sends the others', async () => {
    const spool = join(bench.folder, 'spool');
    await cp(RECORDING, spool, { recursive: true });
    const add = async (name: string, file: string, body: string) => {
      await bench.write(`spool/${name}/files`, [{ name: file, bytes: Buffer.from('{') }]);
      await bench.write(`spool/${name}`, [
        { name: 'run.json', bytes: Buffer.from(`{"key": "${name}", "body": ${body}}`) },
      ]);
    };
    await add('10-goes-on', 'rank0.pt.trace.json', '{"model": "m", "cluster": "c"}');
    await add('10-refused', 'step_times.rank0.jsonl', '{"model": 1, "cluster": "c"}');
    const { code, stderr, runIds } = await bench.upload([spool, '--quiet']);
    expect([code, runIds.length]).toEqual([2, 1]);
    expect(stderr).toMatch(
      /^stallscope: [^\n]*10-goes-on: its job goes on[^\n]*flush[^\n]*And 1 more\.\)\n$/,
    );
    await rm(join(spool, '10-goes-on'), { recursive: true });
    const again = await bench.upload([spool, '--quiet']);
    expect(again).toMatchObject({ code: 2, runIds });
    expect(again.stderr).toMatch(/^stallscope: [^\n]*10-refused\/files\/step_times[^\n]*model[^\n]*\n$/);
    const flagged = await bench.upload([spool, '--model', 'other']);
    expect(flagged).toMatchObject({ code: 2, stdout: '' });
    expect(flagged.stderr).toMatch(/^stallscope: [^\n]*say themselves[^\n]*model[^\n]*\n$/);
    expect(await bench.upload([bench.folder])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give --model and --cluster'),
    });
  });
});
