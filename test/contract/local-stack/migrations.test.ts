import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { packageRoot } from '../../../src/entry/package-root';
import { applyMigrations } from '../../../src/platform/database/migrations';
import { createEmptyDatabase, type TestDatabase } from '../../harness/database';
import { temporaryFolder } from './temporary-folder';

const migrations = temporaryFolder();
let database: TestDatabase;

function write(name: string, sql: string): void {
  mkdirSync(join(migrations.path, name), { recursive: true });
  writeFileSync(join(migrations.path, name, 'migration.sql'), sql);
}

const apply = (folder = migrations.path) => applyMigrations({ connectionString: database.ownerUrl, folder });

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

interface Row {
  migration_name: string;
  checksum: string;
  logs: string | null;
  finished_at: Date | null;
  started_at: Date;
  applied_steps_count: number;
}
const journal = () => query<Row>('SELECT * FROM _prisma_migrations ORDER BY started_at');

describe('the migration runner', () => {
  beforeEach(async () => {
    database = await createEmptyDatabase();
    rmSync(migrations.path, { recursive: true, force: true });
    mkdirSync(migrations.path);
    writeFileSync(join(migrations.path, 'migration_lock.toml'), 'provider = "postgresql"\n');
    write('20260101000000_one', 'CREATE TABLE one (i int);\nCREATE TABLE log (step text);\n');
    write('20260102000000_two', `ALTER TABLE one ADD COLUMN j int;\nINSERT INTO log VALUES ('two');\n`);
  });

  afterEach(() => database.drop());
  afterAll(() => migrations.remove());

  it('applies what is missing, in order, and notes it as Prisma does', async () => {
    expect(await apply()).toEqual({
      applied: ['20260101000000_one', '20260102000000_two'],
      alreadyApplied: [],
      unknown: [],
    });
    write('20260103000000_three', `INSERT INTO log VALUES ('three');`);
    expect((await apply()).applied).toEqual(['20260103000000_three']);
    const rows = await journal();
    expect(rows.map((row) => row.migration_name)).toEqual([
      '20260101000000_one',
      '20260102000000_two',
      '20260103000000_three',
    ]);
    for (const row of rows) {
      const file = readFileSync(join(migrations.path, row.migration_name, 'migration.sql'));
      expect(row.checksum).toBe(createHash('sha256').update(file).digest('hex'));
      expect(row).toMatchObject({ applied_steps_count: 1, logs: null, rolled_back_at: null });
      expect(row.finished_at?.getTime()).toBeGreaterThanOrEqual(row.started_at.getTime());
    }
    expect(await query('SELECT step FROM log')).toEqual([{ step: 'two' }, { step: 'three' }]);
  });

  it('lets one of four runners work and the others find nothing to do', async () => {
    write('20260103000000_slow', `SELECT pg_sleep(0.3); INSERT INTO log VALUES ('slow');`);
    const results = await Promise.all([apply(), apply(), apply(), apply()]);
    expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 0, 3]);
    expect(await query('SELECT step FROM log')).toEqual([{ step: 'two' }, { step: 'slow' }]);
    expect(await journal()).toHaveLength(3);
  });

  it('stops at a failing migration, rolls it back, and goes on when its row was marked as rolled back', async () => {
    write(
      '20260103000000_broken',
      `INSERT INTO log VALUES ('broken');\nALTER TABLE missing ADD COLUMN i int;\n`,
    );
    write('20260104000000_after', `INSERT INTO log VALUES ('after');`);
    await expect(apply()).rejects.toMatchObject({
      code: 'migration_failed',
      message: expect.stringMatching(
        /20260103000000_broken failed: 42P01: .*"missing" does not exist/,
      ) as string,
    });
    expect((await journal()).at(-1)).toMatchObject({
      migration_name: '20260103000000_broken',
      finished_at: null,
      applied_steps_count: 0,
      logs: expect.stringContaining('42P01') as string,
    });
    expect(await query('SELECT step FROM log')).toEqual([{ step: 'two' }]);

    write('20260103000000_broken', `INSERT INTO log VALUES ('mended');`);
    expect((await apply()).applied).toEqual(['20260103000000_broken', '20260104000000_after']);
    expect(await query('SELECT step FROM log')).toEqual([
      { step: 'two' },
      { step: 'mended' },
      { step: 'after' },
    ]);
  });

  it('notes a failure even when the script left its transaction open', async () => {
    write('20260103000000_broken', `BEGIN;\nINSERT INTO log VALUES ('lost');\nSELECT 1/0;\nCOMMIT;`);
    await expect(apply()).rejects.toMatchObject({ code: 'migration_failed' });
    // It might have committed a part: a person must look.
    await expect(apply()).rejects.toMatchObject({ code: 'migration_unfinished' });
    expect((await journal()).at(-1)?.logs).toContain('22012');
    expect(await query('SELECT step FROM log')).toEqual([{ step: 'two' }]);
  });

  it('keeps its journal where it is when a script changes the search path or the role', async () => {
    write(
      '20260103000000_elsewhere',
      `CREATE SCHEMA elsewhere; SET search_path = elsewhere; CREATE TABLE t (i int);`,
    );
    write('20260104000000_here', 'CREATE TABLE here (i int);');
    await apply();
    expect(await query(`SELECT to_regclass('public.here')::text AS here`)).toEqual([{ here: 'here' }]);
    expect(await journal()).toHaveLength(4);
  });

  it('refuses when an applied migration was edited, but not for other line ends', async () => {
    await apply();
    write('20260101000000_one', 'CREATE TABLE one (i int);\r\nCREATE TABLE log (step text);\r\n');
    expect((await apply()).applied).toEqual([]);
    write('20260101000000_one', 'CREATE TABLE one (i bigint);\nCREATE TABLE log (step text);\n');
    write('20260103000000_three', 'CREATE TABLE three (i int);');
    await expect(apply()).rejects.toMatchObject({
      code: 'migration_changed',
      message: expect.stringContaining('20260101000000_one') as string,
    });
    expect(await query(`SELECT to_regclass('three') AS three`)).toEqual([{ three: null }]);
  });

  it('names migrations of a newer release and leaves them', async () => {
    await apply();
    rmSync(join(migrations.path, '20260102000000_two'), { recursive: true });
    expect(await apply()).toEqual({
      applied: [],
      alreadyApplied: ['20260101000000_one'],
      unknown: ['20260102000000_two'],
    });
  });

  it('refuses a migration folder without its file, and a folder that is not there', async () => {
    mkdirSync(join(migrations.path, '20260103000000_empty'));
    await expect(apply()).rejects.toMatchObject({ code: 'migration_file_missing' });
    await expect(apply(join(migrations.path, 'none'))).rejects.toMatchObject({
      code: 'migrations_unreadable',
    });
  });

  it('gives up when another process holds the lock for too long', async () => {
    const holder = new Client({ connectionString: database.ownerUrl });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(72707369)');
    try {
      const attempt = applyMigrations({
        connectionString: database.ownerUrl,
        folder: migrations.path,
        lockTimeoutMs: 200,
      });
      await expect(attempt).rejects.toMatchObject({ code: 'migration_lock_timeout' });
    } finally {
      await holder.end();
    }
    expect((await apply()).applied).toHaveLength(2);
  });

  it('applies the migrations of the product to an empty database', async () => {
    const { applied } = await apply(join(packageRoot(), 'prisma', 'migrations'));
    expect(applied.length).toBeGreaterThan(0);
    expect(await query(`SELECT to_regclass('runs') IS NOT NULL AS found`)).toEqual([{ found: true }]);
  });
});
