import { randomBytes } from 'node:crypto';
import { sampleRun, type UploadFile } from '../harness/pipeline-bench';
import { startPrefixProxy } from '../harness/prefix-proxy';
import { UploadBench } from '../harness/upload-bench';

const trace = sampleRun('launch_bound').filter(({ name }) => name.includes('.pt.trace.json'));
/** Three parts of 5 MiB at most. */
const log: UploadFile = { name: 'nccl.rank0.log', bytes: randomBytes(12 << 20) };
const files = [log, ...trace];
const names = files.map(({ name }) => name);
const FLAGS = ['--model', 'm', '--cluster', 'c'];

describe('stallscope upload when servers fail', () => {
  let bench: UploadBench;

  beforeAll(async () => {
    bench = await UploadBench.open();
  });
  beforeEach(() => bench.begin());
  afterEach(() => bench.end());
  afterAll(() => bench.close());

  it('tries again what may heal, as long as the server asks', async () => {
    const path = await bench.write('run', files);
    const refusals = [
      { status: 429, code: 'rate-limited', headers: { 'retry-after': '1' } },
      { status: 503, code: 'unavailable' },
      'break' as const,
    ];
    const waiting = { api: [...refusals], store: [...refusals] };
    bench.api.refuse = (what) => (what.endsWith('/artifacts') && waiting.api.shift()) || false;
    bench.store.refuse = (what) => (what.includes('partNumber=2') && waiting.store.shift()) || false;
    const { code, stderr, runIds } = await bench.upload([path, ...FLAGS, '--quiet']);
    expect([code, stderr, runIds.length]).toEqual([0, '', 1]);
    expect(waiting).toEqual({ api: [], store: [] });
    await bench.doneOnce(names);
  });

  it('gives up a quota of the day at once, and says when', async () => {
    const path = await bench.write('run', files);
    bench.api.refuse = () => ({ status: 429, code: 'quota-exceeded', headers: { 'retry-after': '7200' } });
    const { code, stdout, stderr } = await bench.upload([path, ...FLAGS]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^stallscope: quota-exceeded: [^\n]+\n$/);
    expect(bench.api.seen).toHaveLength(1);
  });

  it('goes on where an object store that died in mid-upload left it', async () => {
    const path = await bench.write('run', files);
    bench.store.refuse = (what) => (what.includes('partNumber=2') ? 'break' : false);
    const cut = await bench.upload([path, ...FLAGS, '--quiet']);
    expect([cut.code, cut.stdout]).toEqual([2, '']);
    expect(cut.stderr).toMatch(/^stallscope: [^\n]*cannot be reached[^\n]*\n$/);
    bench.store.refuse = undefined;
    bench.store.seen.length = 0;
    const { code, stderr } = await bench.upload([path, ...FLAGS]);
    expect(code).toBe(0);
    expect(bench.partsSent().filter((part) => part === 'partNumber=2')).toHaveLength(1);
    // The parts that were there are shown as such.
    expect(stderr).toMatch(/^stallscope: uploaded 0 of 2 files, 0[^\n]* \(0 %\)\n/);
    expect(stderr).toMatch(/uploaded 2 of 2 files, [^\n]* \(100 %\)\n$/);
    expect(bench.store.seen.filter((what) => what.startsWith('PUT')).length).toBeLessThan(names.length + 2);
    await bench.doneOnce(names);
  });

  it('goes on where an API that was killed in mid-upload left it: one run, no part twice', async () => {
    const path = await bench.write('run', files);
    const api = await bench.bench.startApi({ S3_PUBLIC_ENDPOINT: bench.store.url });
    const proxy = await startPrefixProxy(api.baseUrl, '');
    proxy.refuse = (what) => {
      // The first file is there, the second about to be registered.
      const registered = proxy.seen.filter((one) => one.endsWith('/artifacts')).length;
      if (registered === 2 && what.endsWith('/artifacts')) void api.kill();
      return false;
    };
    const cut = await bench.upload([path, ...FLAGS, '--quiet'], proxy.url);
    await api.ended;
    expect([cut.code, cut.stdout]).toEqual([2, '']);
    const sent = bench.partsSent().length;
    expect(sent).toBe(3);
    await bench.bench.startApi({ S3_PUBLIC_ENDPOINT: bench.store.url, PORT: new URL(api.baseUrl).port });
    expect(await bench.upload([path, ...FLAGS, '--quiet'], proxy.url)).toMatchObject({ code: 0, stderr: '' });
    await proxy.close();
    expect(bench.store.seen.filter((what) => /^PUT .*partNumber=3/.test(what))).toHaveLength(1);
    const { generation } = await bench.doneOnce(names);
    expect(generation).toBe(1);
  });
});
