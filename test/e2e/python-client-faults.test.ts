import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { flush, startRank, waiting, withPython } from '../harness/python-client';
import { UploadBench } from '../harness/upload-bench';

const FILES = ['meta.rank0.json', 'rank0.pt.trace.json.gz', 'step_times.rank0.jsonl'];
const LOG = 'nccl.rank0.log';
const LOG_BYTES = 12 << 20;
const TRAINED = [0, 'trained\n'];

describe('the post-hook when servers fail', () => {
  let bench: UploadBench;
  let spool: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    bench = await UploadBench.open();
  });
  beforeEach(async () => {
    await bench.begin();
    spool = join(bench.folder, 'spool');
    env = {
      ...{ STALLSCOPE_SERVER: bench.api.url, STALLSCOPE_TOKEN: bench.token, STALLSCOPE_SPOOL: spool },
      ...{ STALLSCOPE_MODEL: 'gpt-219m', STALLSCOPE_CLUSTER: 'a', STALLSCOPE_NCCL_LOG: '1' },
      // Three parts of 5 MiB at most.
      ...{ NCCL_DEBUG_FILE: join(bench.folder, 'nccl.%p.log'), FAKE_RANK_LOG_BYTES: String(LOG_BYTES) },
    };
  });
  afterEach(() => bench.end());
  afterAll(() => bench.close());

  const train = async (more: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await startRank('healthy', { ...env, ...more }).ended;
    expect([code, stdout]).toEqual(TRAINED);
    return stderr;
  };
  /** Files that still wait, of all recordings. */
  const left = () =>
    readdirSync(spool, { recursive: true, encoding: 'utf8' })
      .flatMap((path) => /files\/(.+)$/.exec(path)?.[1] ?? [])
      .sort();
  const sentParts = () => bench.partsSent().filter((part) => part === 'partNumber=3');

  withPython('a server that hiccups: all is sent while the process lives, once', async () => {
    const rebuffs = [
      'break' as const,
      { status: 429, code: 'rate-limited', headers: { 'retry-after': '1' } },
      { status: 502, code: 'bad-gateway' },
    ];
    const answers = { api: [...rebuffs], store: [...rebuffs] };
    bench.api.refuse = (what) => (what.endsWith('/runs') && answers.api.shift()) || false;
    bench.store.refuse = (what) => (what.includes('partNumber=3') && answers.store.shift()) || false;
    await train();
    expect(answers).toEqual({ api: [], store: [] });
    expect(left()).toEqual([]);
    await bench.doneOnce([...FILES, LOG]);
  });

  withPython('refused for today (429): it asks once, keeps all, and sends it tomorrow', async () => {
    bench.api.refuse = () => ({ status: 429, code: 'quota-exceeded', headers: { 'retry-after': '7200' } });
    expect(await train()).toMatch(/WARNING:stallscope:not sent, kept in [^\n]*quota-exceeded/);
    // At its end it tries once more.
    expect(bench.api.seen).toHaveLength(2);
    expect(left()).toEqual([...FILES, LOG].sort());
    expect(await flush(env)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('quota') });
    bench.api.refuse = undefined;
    expect(await flush(env)).toMatchObject({ code: 0, stderr: '' });
    await bench.doneOnce([...FILES, LOG]);
  });

  withPython('one file is too large (413): the others are sent, it waits, and joins them later', async () => {
    const strict = await bench.bench.startApi({ MAX_ARTIFACT_BYTES: '10MiB' });
    const stderr = await train({ STALLSCOPE_SERVER: strict.baseUrl });
    expect(stderr).toMatch(
      /WARNING:stallscope:not sent, kept in [^\n]*nccl\.rank0\.log: Refused: artifact-too-large/,
    );
    expect(left()).toEqual([LOG]);
    const { id } = await bench.doneOnce(FILES);
    const again = await flush({ ...env, STALLSCOPE_SERVER: strict.baseUrl });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('artifact-too-large') });
    expect(waiting(spool)).toHaveLength(1);
    await strict.stop();
    const port = new URL(strict.baseUrl).port;
    const lenient = await bench.bench.startApi({ PORT: port, S3_PUBLIC_ENDPOINT: bench.store.url });
    expect(await flush({ ...env, STALLSCOPE_SERVER: lenient.baseUrl })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(waiting(spool)).toEqual([]);
    await bench.team.waitFor(id, ['done']);
    await bench.doneOnce([...FILES, LOG]);
  });

  withPython(
    'the object store dies in mid-upload: the next flush sends the parts that are lacking',
    async () => {
      bench.store.refuse = (what) => (what.includes('partNumber=3') ? 'break' : false);
      expect(await train({ STALLSCOPE_EXIT_WAIT_S: '2' })).toContain('the rest is in');
      expect(left()).toContain(LOG);
      bench.store.refuse = undefined;
      bench.store.seen.length = 0;
      expect(await flush(env)).toMatchObject({ code: 0, stderr: '' });
      expect(sentParts()).toHaveLength(1);
      expect(bench.partsSent()).not.toContain('partNumber=2');
      await bench.doneOnce([...FILES, LOG]);
    },
  );

  withPython(
    'a store slower than the wait at the end: training ends in time, and nothing is sent twice',
    async () => {
      let release = () => undefined as void;
      const held = new Promise<void>((resolve) => (release = resolve));
      bench.store.hold = (what) => (what.includes('partNumber=2') ? held : undefined);
      expect(await train({ STALLSCOPE_EXIT_WAIT_S: '1' })).toContain('not all was sent within 1 s');
      expect(left()).toContain(LOG);
      release();
      bench.store.hold = undefined;
      expect(await flush(env)).toMatchObject({ code: 0, stderr: '' });
      expect(left()).toEqual([]);
      await bench.doneOnce([...FILES, LOG]);
    },
  );
});
