import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { createTeamsService } from '../../src/modules/teams';
import { Database } from '../../src/platform/database';
import { ensureBuilt } from '../harness/build';
import { createTestEnvironment, type TestEnvironment } from '../harness/environment';

const run = promisify(execFile);

describe('node dist/src/main.js limits', () => {
  let environment: TestEnvironment;
  let main: string;

  beforeAll(async () => {
    environment = await createTestEnvironment();
    main = join(await ensureBuilt(), 'src/main.js');
    const database = new Database({ url: environment.ownerUrl, poolSize: 1 });
    const owner = { email: 'o@a.test', password: 'a long password' };
    await createTeamsService(database).createTeamWithOwner({ slug: 'vision', owner });
    await database.close();
  });
  afterAll(() => environment.drop());

  const limits = async (...flags: string[]) => {
    const env = { PATH: process.env.PATH ?? '', ...environment.env, QUOTA_RUNS_PER_DAY: '77' };
    const { stdout } = await run(process.execPath, [main, 'limits', '--team', ...flags], { env, cwd: '/' });
    return JSON.parse(stdout) as { inForce: Record<string, number>; own: string[] };
  };
  const audited = async () => {
    const client = new Client({ connectionString: environment.ownerUrl });
    await client.connect();
    const { rows } = await client.query(
      `SELECT actor_kind, details FROM audit_entries WHERE action = 'team.limits-changed' ORDER BY id`,
    );
    await client.end();
    return rows as object[];
  };

  it('shows them, sets them, and takes them back', async () => {
    expect(await limits('vision')).toMatchObject({ team: 'vision', inForce: { runsPerDay: 77 }, own: [] });
    const set = await limits(
      ...['vision', '--runs-per-day', '5', '--stored-bytes', '1TiB'],
      ...['--concurrent-analyses', '3', '--retention-days', '7'],
    );
    const inForce = { runsPerDay: 5, storedBytes: 2 ** 40, concurrentAnalyses: 3, retentionDays: 7 };
    expect(set).toMatchObject({ inForce });
    expect(await limits('vision')).toEqual(set);
    expect(await limits('vision', '--runs-per-day', 'default')).toMatchObject({
      inForce: { ...inForce, runsPerDay: 77 },
      own: ['maxStoredBytes', 'maxConcurrentAnalyses', 'retentionDays'],
    });
    expect(await audited()).toMatchObject([
      { actor_kind: 'operator', details: { maxRunsPerDay: '5', retentionDays: '7' } },
      { actor_kind: 'operator', details: { maxRunsPerDay: 'default' } },
    ]);
  });

  it.each([
    [['nobody'], 'There is no team with the slug "nobody"'],
    [['vision', '--runs-per-day', '0'], '--runs-per-day must be at least 1, or default.'],
    [['vision', '--stored-bytes', 'much'], '--stored-bytes must be a number of bytes'],
    [['vision', '--retention-days', '99999'], '--retention-days must be at most 36500'],
  ])('refuses %j in one line', async (flags, text) => {
    const failure = await limits(...flags).catch((error: { code: number; stderr: string }) => error);
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining(text) as string });
    expect((failure as { stderr: string }).stderr.trim().split('\n')).toHaveLength(1);
  });
});
