import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureBuilt } from '../../harness/build';

// The entry point as other programs start it: built, in a process of its own.
let entry: string;
let dataDir: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  entry = join(await ensureBuilt(), 'infra/local/s3/main.js');
}, 200_000);
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'local-s3-'));
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
  await rm(dataDir, { recursive: true, force: true });
});

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    LOCAL_S3_DATA_DIR: dataDir,
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
    ...more,
  };
}

async function endpointOf(child: ChildProcess): Promise<string> {
  running.add(child);
  if (!child.stdout) throw new Error('the output is not piped');
  for await (const line of createInterface({ input: child.stdout })) {
    const match = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line);
    if (match) return match[1];
  }
  throw new Error('the server ended without listening');
}

describe('infra/local/s3/main', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'says where it listens, and stops with status 0 on %s',
    async (signal) => {
      const child = spawn(process.execPath, [entry], {
        env: environment(),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const endpoint = await endpointOf(child);
      expect((await fetch(endpoint)).status).toBe(403);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
      await expect(fetch(endpoint)).rejects.toThrow();
    },
  );

  it('stops when the process that forked it goes away', async () => {
    const child = fork(entry, { env: environment(), stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    await endpointOf(child);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('takes its folder over from a server that was killed', async () => {
    const killed = spawn(process.execPath, [entry], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await endpointOf(killed);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const next = spawn(process.execPath, [entry], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await endpointOf(next)).toMatch(/^http/);
  });

  it.each([
    [{ S3_SECRET_ACCESS_KEY: undefined }, /S3_SECRET_ACCESS_KEY must be set/],
    [{ LOCAL_S3_PORT: '70000' }, /LOCAL_S3_PORT must be a port number/],
  ])('refuses the environment %j in one line', async (more, message) => {
    const child = spawn(process.execPath, [entry], {
      env: environment(more),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.add(child);
    let text = '';
    child.stderr.on('data', (chunk) => (text += String(chunk)));
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(text).toMatch(message);
    expect(text.trim().split('\n')).toHaveLength(1);
  });
});
