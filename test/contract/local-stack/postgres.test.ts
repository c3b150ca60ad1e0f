import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type LocalPostgres, startPostgres } from '../../../infra/local/postgres';
import { waitUntilGone } from '../../../infra/local/process-identity';
import { eventually, temporaryFolder } from './temporary-folder';

const folder = temporaryFolder();
const dataDir = join(folder.path, 'postgres');
const lines: string[] = [];
let running: LocalPostgres | undefined;

async function start(): Promise<LocalPostgres> {
  running = await startPostgres({ dataDir, log: (line) => lines.push(line), durable: false });
  return running;
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const countNotes = async ({ ownerUrl }: LocalPostgres) =>
  (await query<{ n: number }>(ownerUrl, 'SELECT count(*)::int AS n FROM notes'))[0]?.n;

describe('the embedded Postgres', () => {
  beforeAll(async () => {
    const postgres = await start();
    await query(postgres.ownerUrl, 'CREATE TABLE notes (text text); INSERT INTO notes VALUES ($$kept$$)');
  });

  beforeEach(async () => {
    if (!running) await start();
    lines.length = 0;
  });

  afterAll(async () => {
    await running?.stop();
    folder.remove();
  });

  async function stop(): Promise<void> {
    await running?.stop();
    running = undefined;
  }

  it('keeps its data and its password over a restart', async () => {
    const before = (running as LocalPostgres).ownerUrl;
    await stop();
    const after = await start();
    expect(await countNotes(after)).toBe(1);
    expect(new URL(after.ownerUrl).password).toBe(new URL(before).password);
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o077).toBe(0);
  });

  it('is reachable through 127.0.0.1 only, with a password', async () => {
    const { ownerUrl, clusterDir } = running as LocalPostgres;
    // Lines 5 and 6 of postmaster.pid: the folder of the Unix socket, of which there is none, and the address.
    const pidFile = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
    expect(pidFile.slice(4, 6)).toEqual(['', '127.0.0.1']);
    const wrong = new URL(ownerUrl);
    wrong.password = 'wrong';
    await expect(query(wrong.toString(), 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('gives an owner that is bound by row-level security and may create roles and databases', async () => {
    const [role] = await query(
      (running as LocalPostgres).ownerUrl,
      'SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user',
    );
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: true, rolcreatedb: true });
  });

  it('sorts by code point and stores UTF-8 on every system', async () => {
    const rows = await query<{ w: string }>(
      (running as LocalPostgres).ownerUrl,
      `SELECT w FROM unnest(ARRAY['b', 'é', 'a', 'B', 'a_', 'aa']) AS w ORDER BY w`,
    );
    expect(rows.map(({ w }) => w)).toEqual(['B', 'a', 'a_', 'aa', 'b', 'é']);
  });

  it('refuses a second start on a folder that is in use', async () => {
    await expect(startPostgres({ dataDir, log: () => undefined })).rejects.toMatchObject({
      code: 'folder_in_use',
      message: expect.stringContaining(String(process.pid)) as string,
    });
    expect(await countNotes(running as LocalPostgres)).toBe(1);
  });

  it('recovers committed data after kill -9 of the server, and says that it went down', async () => {
    const { pid, ownerUrl } = running as LocalPostgres;
    await query(ownerUrl, 'CREATE TABLE crash AS SELECT generate_series(1, 20000) AS i');
    process.kill(pid, 'SIGKILL');
    await eventually('a line about its end', 10_000, () =>
      lines.some((line) => line.includes('ended unexpectedly (signal SIGKILL)')),
    );
    await stop();
    const after = await start();
    expect(await query(after.ownerUrl, 'SELECT count(*)::int AS n FROM crash')).toEqual([{ n: 20000 }]);
  });

  it('starts although another program has got the process id of a killed server', async () => {
    const { pid, clusterDir } = running as LocalPostgres;
    process.kill(pid, 'SIGKILL');
    expect(await waitUntilGone(pid, 10_000)).toBe(true);
    await stop();
    // A program of the same account, and no parent of the server: Postgres would take it for a living server.
    const { uid, gid } = statSync(clusterDir);
    const other = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' });
    const pidFile = join(clusterDir, 'postmaster.pid');
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(other.pid)));
    try {
      expect(await countNotes(await start())).toBe(1);
      expect(other.signalCode).toBeNull();
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('says so when the secrets do not fit the database', async () => {
    const secretsFile = join(dataDir, 'other-secrets.json');
    await stop();
    const attempt = startPostgres({ dataDir, secretsFile, log: () => undefined });
    await expect(attempt).rejects.toMatchObject({
      code: 'postgres_start_failed',
      message: expect.stringContaining('password authentication failed') as string,
    });
    expect(await countNotes(await start())).toBe(1);
  });
});
