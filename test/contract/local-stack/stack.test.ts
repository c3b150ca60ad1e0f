import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { Client } from 'pg';
import { type LocalStack, removeLocalStack, startLocalStack } from '../../../infra/local/stack';
import { ensureBuilt } from '../../harness/build';
import { processesWith, runScript, type Script } from './compiled';
import { eventually, temporaryFolder } from './temporary-folder';

const folder = temporaryFolder();
const lines: string[] = [];
const bare = { PATH: process.env.PATH, STALLSCOPE_QUEUE: 'postgres' };
const start = (dataDir: string, env: NodeJS.ProcessEnv = bare): Promise<LocalStack> =>
  startLocalStack({ dataDir, env, log: (line) => lines.push(line), durable: false });

async function query(url: string | undefined, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

afterAll(() => folder.remove());

describe('the local stack', () => {
  it('gives the same secrets after a restart, and a file that only its owner may read', async () => {
    const dataDir = join(folder.path, 'secrets');
    const first = await start(dataDir);
    await first.stop();
    const second = await start(dataDir);
    await second.stop();
    for (const name of ['JWT_SECRET', 'WEBHOOK_KEY', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
      expect(first.env[name]).toMatch(/^[0-9a-f]{48}$/);
      expect(second.env[name]).toBe(first.env[name]);
    }
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(first.env).toMatchObject({ STALLSCOPE_QUEUE: 'postgres', S3_BUCKET: 'stallscope' });
    expect(first.notes.join()).toContain('production installations use Redis');
  });

  it('starts nothing that the environment names', async () => {
    const given = {
      DATABASE_URL: 'postgres://db.example/x',
      REDIS_URL: 'redis://redis.example',
      S3_BUCKET: 'mine',
      S3_REGION: 'eu-west-1',
      JWT_SECRET: 'a secret of their own, long enough.',
      WEBHOOK_KEY: 'a key of their own, and long enough.',
    };
    const stack = await start(join(folder.path, 'given'), given);
    await stack.stop();
    expect(stack.env).toEqual(given);
    expect(stack.notes).toEqual([]);
  });

  it('says what is missing when only half of an object store is named, and leaves nothing running', async () => {
    const dataDir = join(folder.path, 'half');
    const env = { ...bare, S3_ENDPOINT: 'http://127.0.0.1:9000' };
    await expect(start(dataDir, env)).rejects.toMatchObject({ code: 's3_incomplete' });
    expect(processesWith(dataDir)).toEqual([]);
    const stack = await start(dataDir);
    await stack.stop();
  });
});

describe('the removal of a stack', () => {
  it('deletes its folder and a database that lives elsewhere, but neither a running stack nor other folders', async () => {
    const dataDir = join(folder.path, 'private', 'removed');
    mkdirSync(dataDir, { recursive: true });
    // As root the database then has to live elsewhere.
    chmodSync(dataDir, 0o700);
    const stack = await start(dataDir);
    expect(() => removeLocalStack(dataDir)).toThrow(
      expect.objectContaining({ code: 'folder_in_use' }) as Error,
    );
    await stack.stop();
    const record = join(dataDir, 'postgres', 'location.json');
    const elsewhere = existsSync(record)
      ? (JSON.parse(readFileSync(record, 'utf8')) as { folder: string }).folder
      : join(dataDir, 'postgres');
    expect(existsSync(join(elsewhere, 'cluster'))).toBe(true);
    expect(elsewhere.startsWith(dataDir)).toBe(process.getuid?.() !== 0);
    removeLocalStack(dataDir);
    expect([dataDir, elsewhere].filter((path) => existsSync(path))).toEqual([]);
    expect(() => removeLocalStack(folder.path)).toThrow(
      expect.objectContaining({ code: 'not_a_stack' }) as Error,
    );
    expect(existsSync(folder.path)).toBe(true);
  });
});

describe('the local stack as a process', () => {
  const dataDir = join(folder.path, 'process');
  let main: string;
  let running: Script[] = [];

  async function up(): Promise<{ script: Script; env: Record<string, string> }> {
    const script = runScript(main, ['--data', dataDir, '--migrate'], bare);
    running.push(script);
    await eventually(
      'the stack is up',
      30_000,
      () => script.stderr().includes('is up') || script.child.exitCode !== null,
    );
    if (script.child.exitCode !== null) throw new Error(script.stderr());
    // What a shell makes of the printed lines.
    const shell = spawnSync('/bin/sh', ['-c', `${script.stdout()}\n/usr/bin/env`], {
      env: {},
      encoding: 'utf8',
    });
    const pairs = shell.stdout.split('\n').map((line) => /^([A-Z0-9_]+)=(.*)$/.exec(line)?.slice(1, 3) ?? []);
    return { script, env: Object.fromEntries(pairs) as Record<string, string> };
  }

  beforeAll(async () => {
    main = join(await ensureBuilt(), 'infra', 'local', 'main.js');
  });
  afterEach(async () => {
    for (const { child, ended } of running) {
      child.kill('SIGKILL');
      await ended;
    }
    running = [];
    await eventually('nothing is left running', 20_000, () => processesWith(dataDir).length === 0);
  });

  it('prints variables for a shell, refuses a second one on its folder, and stops everything on Ctrl-C', async () => {
    const { script, env } = await up();
    expect(await query(env.DATABASE_URL, 'SELECT count(*)::int AS n FROM runs')).toEqual([{ n: 0 }]);
    const second = runScript(main, ['--data', dataDir], bare);
    expect(await second.ended).toMatchObject({ code: 1 });
    expect(second.stderr()).toContain(`process ${script.child.pid} holds stack.lock`);
    script.child.kill('SIGINT');
    expect(await script.ended).toEqual({ code: 0, signal: null });
    expect(processesWith(dataDir)).toEqual([]);
  });

  it('leaves no server behind when it is killed, and starts again with its data', async () => {
    const { script, env } = await up();
    await query(env.DATABASE_URL, 'CREATE TABLE kept AS SELECT 1 AS i');
    script.child.kill('SIGKILL');
    await script.ended;
    await eventually('the guard has ended the servers', 20_000, () => processesWith(dataDir).length === 0);
    expect(await query((await up()).env.DATABASE_URL, 'SELECT i FROM kept')).toEqual([{ i: 1 }]);
  });

  it('takes over from servers that nobody guards any more', async () => {
    const { script, env } = await up();
    await query(env.DATABASE_URL, 'CREATE TABLE orphaned AS SELECT 1 AS i');
    const cluster = join(dataDir, 'postgres', 'cluster');
    const orphan = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    for (const guard of processesWith(`stallscope-guard ${orphan} `)) process.kill(guard, 'SIGKILL');
    script.child.kill('SIGKILL');
    await script.ended;
    expect(processesWith(cluster)).toContain(orphan);
    const again = await up();
    expect(again.script.stderr()).toContain(`Stopping the Postgres (process ${orphan})`);
    expect(processesWith(cluster)).not.toContain(orphan);
    expect(await query(again.env.DATABASE_URL, 'SELECT i FROM orphaned')).toEqual([{ i: 1 }]);
  });
});
