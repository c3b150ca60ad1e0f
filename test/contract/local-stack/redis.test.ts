import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Redis from 'ioredis';
import { startRedis } from '../../../infra/local/redis';
import { installRedis } from '../../../infra/local/redis-install';
import { findRedisServer } from '../../../infra/local/redis-program';
import { temporaryFolder } from './temporary-folder';

const folder = temporaryFolder();
const fakePath = join(folder.path, 'bin');
const silent = () => undefined;

function fakeProgram(name: string, script: string): void {
  writeFileSync(join(fakePath, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(fakePath, name), 0o755);
}

beforeEach(() => {
  rmSync(fakePath, { recursive: true, force: true });
  mkdirSync(fakePath);
});
afterAll(() => folder.remove());

describe('the choice of a Redis', () => {
  const choose = (env: NodeJS.ProcessEnv, log: (line: string) => void = silent) =>
    startRedis({ dataDir: join(folder.path, 'unused'), log, env: { PATH: fakePath, ...env } });

  it('takes REDIS_URL as it is', async () => {
    const choice = await choose({ REDIS_URL: 'redis://elsewhere:6379/3' });
    expect(choice).toMatchObject({ kind: 'redis', url: 'redis://elsewhere:6379/3' });
    await choice.stop();
  });

  it('is none when STALLSCOPE_QUEUE=postgres, and says what production uses', async () => {
    fakeProgram('redis-server', 'echo "Redis server v=7.2.0 sha=0"');
    const lines: string[] = [];
    const choice = await choose({ STALLSCOPE_QUEUE: 'postgres' }, (line) => lines.push(line));
    expect(choice).toMatchObject({ kind: 'postgres-queue' });
    expect(lines.join()).toContain('production installations use Redis');
  });

  it('prefers redis-server on the PATH, takes valkey-server, and refuses what is too old', () => {
    fakeProgram('valkey-server', 'echo "Valkey server v=8.0.1 sha=0"');
    expect(findRedisServer(fakePath).program?.name).toBe('valkey-server');
    fakeProgram('redis-server', 'echo "Redis server v=5.0.14 sha=0"');
    expect(findRedisServer(fakePath)).toMatchObject({
      program: { name: 'valkey-server' },
      refused: [expect.stringContaining('is version 5.0, older than 6.2')],
    });
    fakeProgram('redis-server', 'echo "Redis server v=7.0.15 sha=0"');
    expect(findRedisServer(fakePath).program).toEqual({
      name: 'redis-server',
      path: join(fakePath, 'redis-server'),
    });
  });

  it('is none, with the reason, when there is neither a program nor a way to install one', async () => {
    fakeProgram('redis-server', 'echo "Redis server v=4.0.9 sha=0"');
    const choice = await choose({});
    expect(choice).toMatchObject({
      kind: 'postgres-queue',
      reason: expect.stringMatching(/version 4\.0, older than 6\.2; .*there is no apt-get/) as string,
    });
  });
});

describe('the installation of a Redis', () => {
  const policy = join(folder.path, 'policy-rc.d');
  const record = join(folder.path, 'apt.log');
  const apt = `echo "$DEBIAN_FRONTEND $* policy=$("${policy}"; echo $?)" >>"${record}"`;
  const install = (lines: string[] = []) =>
    installRedis({ PATH: fakePath }, (line) => lines.push(line), policy);

  beforeEach(() => rmSync(record, { force: true }));

  it('updates, then installs the package while no service may start, and says so first', async () => {
    const lines: string[] = [];
    fakeProgram('apt-get', apt);
    const answer = await install(lines);
    if (process.getuid?.() !== 0) {
      expect(answer).toContain('sudo apt-get install redis-server');
      expect(existsSync(record)).toBe(false);
      return;
    }
    expect(answer).toBeUndefined();
    const calls = readFileSync(record, 'utf8').trim().split('\n');
    expect(calls).toEqual([
      'noninteractive update policy=101',
      expect.stringMatching(/^noninteractive .*install -y --no-install-recommends redis-server policy=101$/),
    ]);
    expect(lines[0]).toContain('Installing');
    expect(existsSync(policy)).toBe(false);
  });

  it('leaves no policy behind, and gives the last words of apt, when it fails', async () => {
    fakeProgram('apt-get', 'echo "E: Unable to locate package redis-server" >&2; exit 100');
    if (process.getuid?.() === 0)
      await expect(install()).rejects.toThrow('E: Unable to locate package redis-server');
    else expect(await install()).toContain('sudo');
    expect(existsSync(policy)).toBe(false);
  });
});

describe('the local Redis', () => {
  const dataDir = join(folder.path, 'redis');
  const start = () => startRedis({ dataDir, log: silent, env: { PATH: process.env.PATH } });
  const { program } = findRedisServer(process.env.PATH);

  it('keeps what was written over a restart and evicts nothing; without a program the queue is in Postgres', async () => {
    if (!program) {
      const env = { PATH: fakePath };
      expect((await startRedis({ dataDir, log: silent, env })).kind).toBe('postgres-queue');
      return;
    }
    for (const expected of [null, 'kept']) {
      const server = await start();
      if (server.kind !== 'redis') throw new Error(server.reason);
      const client = new Redis(server.url);
      expect(await client.get('key')).toBe(expected);
      await client.set('key', 'kept');
      expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
      expect(await client.config('GET', 'bind')).toEqual(['bind', '127.0.0.1']);
      const stranger = new Redis(server.url.replace(/:[0-9a-f]+@/, ':wrong@'), { retryStrategy: null });
      stranger.on('error', silent);
      await expect(stranger.ping()).rejects.toThrow();
      await expect(start()).rejects.toMatchObject({ code: 'folder_in_use' });
      client.disconnect();
      await server.stop();
    }
  });
});
