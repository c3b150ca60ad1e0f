import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { renderEnvExample } from '../../src/platform/config';
import { renderProblemsDocument } from '../../src/platform/errors';
import { databaseUrl, withAdmin } from '../harness/admin-connection';
import { ensureBuilt } from '../harness/build';
import { createTestEnvironment, type TestEnvironment } from '../harness/environment';
import { productProcesses } from '../harness/processes';
import { testStack } from '../harness/test-stack';

const run = promisify(execFile);
const root = join(__dirname, '../..');
let environment: TestEnvironment;
let main: string;

beforeAll(async () => {
  environment = await createTestEnvironment();
  main = join(await ensureBuilt(), 'src/main.js');
});
afterAll(() => environment.drop());

const command = (args: string[], env: Record<string, string>) =>
  run(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    timeout: 30_000,
    cwd: '/',
  });

describe('node dist/src/main.js', () => {
  it('explains every variable that is wrong, and exits with 1', async () => {
    const failure = await command(['serve'], { PORT: 'x' }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(failure).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PORT must be a whole number') as string,
    });
    expect(failure.stderr).toContain('DATABASE_URL is required');
    expect(failure.stderr).not.toMatch(/\n\s+at /);
  });

  it('takes a mistyped command for one, and says where the commands are', async () => {
    const failure = await command(['bootstarp'], environment.env).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(failure).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/unknown command 'bootstarp'[^]*bootstrap[^]*--help/) as string,
    });
  });

  it('migrates an empty database, refuses to serve before, and does nothing the second time', async () => {
    const name = `${testStack().runId}${randomBytes(6).toString('hex')}`;
    await withAdmin(testStack(), (client) => client.query(`CREATE DATABASE ${name}`));
    const env = { ...environment.env, DATABASE_URL: databaseUrl(testStack(), name), PORT: '0' };
    const failure = await command(['serve'], env).catch((error: { code: number; stderr: string }) => error);
    expect(failure).toMatchObject({ code: 1 });
    expect(failure.stderr).toContain(
      'The database has no tables of Stallscope. Run `node dist/src/main.js migrate`',
    );
    expect(JSON.parse((await command(['migrate'], env)).stdout)).toMatchObject({ alreadyApplied: [] });
    expect(JSON.parse((await command(['migrate'], env)).stdout)).toMatchObject({ applied: [] });
  });

  it('adds a member who can sign in and may only what the role may', async () => {
    const passwords = {
      BOOTSTRAP_OWNER_PASSWORD: 'a long enough password',
      BOOTSTRAP_MEMBER_PASSWORD: 'another long password',
    };
    const env = { ...environment.env, ...passwords };
    const flags = ['bootstrap', '--team', 'members', '--owner-email', 'owner@members.test'];
    const member = ['--member-email', 'viewer@members.test', '--member-role', 'viewer'];
    await command([...flags, ...member], env);
    await command([...flags, ...member], env);
    const failure = await command(
      [...flags, '--member-email', 'x@members.test', '--member-role', 'king'],
      env,
    ).catch((error: { stderr: string }) => error);
    expect(failure.stderr).toContain('Unknown role king');
    const processes = productProcesses();
    try {
      const api = await processes.startApi(environment.env);
      const login = await fetch(`${api.baseUrl}/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'viewer@members.test', password: passwords.BOOTSTRAP_MEMBER_PASSWORD }),
      });
      const { accessToken } = (await login.json()) as { accessToken: string };
      const me = await fetch(`${api.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${accessToken}` } });
      expect(await me.json()).toMatchObject({ role: 'viewer', scopes: ['runs:read'] });
    } finally {
      await processes.stopAll();
    }
  });

  it('creates the first team once, however often it is asked', async () => {
    const env = { ...environment.env, BOOTSTRAP_OWNER_PASSWORD: 'a long enough password' };
    const flags = ['bootstrap', '--team', 'first', '--owner-email', 'owner@first.test', '--token-name', 'ci'];
    const ask = async (...more: string[]) =>
      JSON.parse((await command([...flags, ...more], env)).stdout) as {
        teamId: string;
        created: boolean;
        token: string | null;
      };
    const first = await ask('--scopes', 'runs:write,runs:read');
    expect(first).toMatchObject({ created: true, token: expect.stringMatching(/^sst_/) as string });
    expect(await ask()).toEqual({ ...first, created: false, token: null });
    expect((await ask('--new-token')).token).toMatch(/^sst_/);
    const stranger = await command(
      ['bootstrap', '--team', 'first', '--owner-email', 'x@else.test'],
      env,
    ).catch((error: { code: number; stderr: string }) => error);
    expect(stranger).toMatchObject({ code: 1, stderr: expect.stringContaining('team-slug-taken') as string });
    const mistyped = await command(
      ['bootstrap', '--existing', '--team', 'frist', '--owner-email', 'owner@first.test'],
      env,
    ).catch((error: { code: number; stderr: string }) => error);
    expect(mistyped).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was created') as string,
    });
  });

  it('prints the committed OpenAPI document without any server or configuration', async () => {
    const { stdout } = await command(['openapi'], {});
    expect(stdout).toBe(readFileSync(join(root, 'openapi.json'), 'utf8'));
  });

  it('prints .env.example and docs/problems.md', async () => {
    expect((await command(['env-example'], {})).stdout).toBe(renderEnvExample());
    expect((await command(['problems'], {})).stdout).toBe(renderProblemsDocument());
  });

  it('serves, creates the team of its environment, and stops cleanly on SIGTERM', async () => {
    const processes = productProcesses();
    const api = await processes.startApi({
      ...environment.env,
      BOOTSTRAP_TEAM_SLUG: 'from-env',
      BOOTSTRAP_OWNER_EMAIL: 'owner@env.test',
      BOOTSTRAP_OWNER_PASSWORD: 'a long enough password',
    });
    try {
      const response = await fetch(`${api.baseUrl}/v1/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: 'owner@env.test', password: 'a long enough password' }),
      });
      expect(await response.json()).toMatchObject({ team: { slug: 'from-env' } });
    } finally {
      await processes.stopAll();
    }
    await expect(fetch(`${api.baseUrl}/health/live`)).rejects.toThrow();
  });
});
