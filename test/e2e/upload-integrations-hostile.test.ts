import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/entry/package-root';
import { type CommandResult } from '../harness/gate-bench';

const SCRIPT = join(packageRoot(), 'integrations/curl/stallscope-upload.sh');
const isRoot = process.getuid?.() === 0;

/** A server that answers what a Stallscope server would not; see `upload`. */
describe('uploads with nothing but curl, to a hostile server', () => {
  let folder: string;
  let server: Server;
  let url: string;
  let seen: string[];
  let upload: Record<string, unknown>;
  let redirectTo: string | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stallscope-hostile-'));
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'run'));
    await writeFile(join(folder, 'run/a.log'), 'of the run\n');
    seen = [];
    redirectTo = undefined;
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => {
        if (redirectTo !== undefined && request.method === 'PUT') {
          return response.writeHead(307, { location: redirectTo }).end();
        }
        const isRun = request.url === '/v1/runs';
        response.writeHead(200).end(JSON.stringify(isRun ? { id: 'r1' } : upload));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  const answer = (part: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
    ...{ id: 'a1', partSizeBytes: 1_000_000, nextPart: null },
    parts: [{ partNumber: 1, sizeBytes: 11, url: `${url}/part`, uploaded: false, ...part }],
    ...more,
  });
  const run = (env: Record<string, string | undefined> = {}): Promise<CommandResult> =>
    new Promise((resolve) => {
      const whole = { PATH: process.env.PATH, STALLSCOPE_SERVER: url, STALLSCOPE_TOKEN: 'sst_x', ...env };
      const args = [SCRIPT, '-m', 'm', '-c', 'c', 'run'];
      execFile('sh', args, { env: whole, cwd: folder, timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });

  it('writes no file, and speaks nothing but HTTP, whatever address a part has', async () => {
    const target = join(folder, 'written');
    for (const address of [
      `file://${target}`,
      `FILE://${target}`,
      'ftp://127.0.0.1/a',
      'part',
      `${url}/a b`,
      `${url}/a\\"b`,
      `${url}/a\nurl = file://${target}`,
    ]) {
      upload = answer({ url: address });
      const { code, stdout, stderr } = await run();
      expect([address, code, stdout]).toEqual([address, 1, '']);
      expect(stderr).toMatch(/^stallscope: [^\n]*the address of a part is not http:\/\/ or https:\/\/\n/);
    }
    expect(await readdir(folder)).toEqual(['run']);
    expect(seen.filter((what) => what.startsWith('PUT'))).toEqual([]);
  });

  it('follows no redirect', async () => {
    redirectTo = `${url}/elsewhere`;
    upload = answer({});
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([1, 'stallscope: a.log, part 1: the object store answers 307\n']);
    expect(seen.filter((what) => what.startsWith('PUT'))).toEqual(['PUT /part']);
  });

  it('computes with numbers only, and asks for no page twice', async () => {
    const text = `a[$(touch ${folder}/written)]`;
    for (const [hostile, words] of [
      [answer({}, { partSizeBytes: text }), 'partSizeBytes is no number'],
      [answer({ partNumber: text }), 'is no number'],
      [answer({}, { id: '../../admin?' }), 'the artifact is no id'],
      [{ ...answer({}), parts: [], nextPart: 1 }, 'nextPart 1 after 1'],
      [{ ...answer({}), parts: [], nextPart: 2 }, 'nextPart 2 after 2'],
      [{ ...answer({}), parts: [], nextPart: 10_001 }, 'nextPart 10001 after 1'],
    ] as const) {
      upload = hostile;
      const { code, stderr } = await run();
      expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    }
    expect(await readdir(folder)).toEqual(['run']);
    expect(seen.length).toBeLessThan(20);
  });

  it('runs as the user of the job what has no need of the token', async () => {
    // What is called is the real curl; this says as whom, and whether it has the token.
    await mkdir(join(folder, 'bin'));
    const said = join(folder, 'said');
    const wrapper = `#!/bin/sh\necho "$(id -un) \${STALLSCOPE_TOKEN:-} $*" >> ${said}\nPATH=\${PATH#*:}\nexec curl "$@"\n`;
    await writeFile(join(folder, 'bin/curl'), wrapper, { mode: 0o755 });
    await chmod(join(folder, 'bin/curl'), 0o755);
    await writeFile(said, '', { mode: 0o666 });
    await chmod(said, 0o666);
    upload = answer({});
    const as = isRoot ? { STALLSCOPE_READ_AS: 'nobody' } : {};
    const end = await run({ ...as, PATH: `${join(folder, 'bin')}:${process.env.PATH}` });
    expect(end).toMatchObject({ code: 0, stderr: '' });
    const calls = (await readFile(said, 'utf8')).trim().split('\n');
    const puts = calls.filter((call) => call.includes(' -T '));
    expect(puts).toHaveLength(1);
    if (isRoot) expect(puts[0]).toMatch(/^nobody {2}/);
    expect(puts[0]).not.toContain('sst_x');
  });
});
