import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { ExpireSessions } from '../../src/modules/teams';
import { SessionsRepository } from '../../src/modules/teams/sessions/sessions.repository';
import { auditEntries } from '../harness/audit-log';
import { ensureBuilt } from '../harness/build';
import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';
import { signIn } from '../harness/sign-in';
import { freshAddress } from '../harness/team-people';

const run = promisify(execFile);
const newPassword = 'another horse, another battery';
let api: InProcessApi;
let sql: Client;
let main: string;
let team: TestTeam;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
  sql = new Client({ connectionString: api.environment.ownerUrl });
  await sql.connect();
  main = join(await ensureBuilt(), 'src/main.js');
});
afterAll(async () => {
  await sql.end();
  await api.stop();
});
beforeEach(async () => {
  team = await api.createTeam();
});

/** What the command prints. */
async function tokenFor(email: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', ...api.environment.env };
  const { stdout, stderr } = await run(process.execPath, [main, 'reset-password', email], { env });
  expect(stderr).toContain('POST /v1/auth/password-reset');
  const { token, expiresAt } = JSON.parse(stdout) as { token: string; expiresAt: string };
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
  return token;
}
const reset = (token: string, password = newPassword, from: Record<string, string> = freshAddress()) =>
  api.http().post('/v1/auth/password-reset').set(from).send({ token, newPassword: password });
const login = (password: string) =>
  api
    .http()
    .post('/v1/auth/login')
    .set(freshAddress())
    .send({ email: team.ownerEmail, password, team: team.slug });
const me = (accessToken: string) => api.http().get('/v1/me').auth(accessToken, { type: 'bearer' });

describe('a password that was lost', () => {
  it('is set anew with a token of the operator, which ends all sessions and stands in all audit logs', async () => {
    const slug = `other-${team.slug}`;
    const owner = { email: team.ownerEmail, password: 'unused' };
    const { teamId: otherTeamId } = await api.teams.createTeamWithOwner({ slug, owner });
    const [mine, bystander] = [await signIn(api, team), await signIn(api, await api.createTeam())];
    const token = await tokenFor(team.ownerEmail.toUpperCase());
    await me(mine.accessToken).expect(200);
    await reset(token).expect(204);
    expectProblem(await me(mine.accessToken), 'session-ended');
    const { refreshToken } = mine;
    expectProblem(await api.http().post('/v1/auth/refresh').send({ refreshToken }), 'session-ended');
    await me(bystander.accessToken).expect(200);
    expectProblem(await login(ownerPassword), 'login-failed');
    await login(newPassword).expect(200);
    const target = { targetKind: 'user', targetId: team.ownerId };
    for (const teamId of [team.teamId, otherTeamId]) {
      expect(await auditEntries(api.database, teamId, 'password.reset-created')).toMatchObject([
        { actorKind: 'operator', actorId: null, ...target },
      ]);
      expect(await auditEntries(api.database, teamId, 'password.reset')).toMatchObject([
        { actorKind: 'user', actorId: team.ownerId, ...target, details: { endedSessions: 1 } },
      ]);
    }
    const { rows } = await sql.query<{ text: string }>(
      `SELECT row_to_json(a)::text AS text FROM audit_entries a`,
    );
    for (const text of [...rows.map((row) => row.text), api.logText()]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(newPassword);
    }
  });

  it('is given for the first time to whoever signed in elsewhere only', async () => {
    await sql.query('UPDATE users SET password_hash = NULL, address_proven = false WHERE id = $1', [
      team.ownerId,
    ]);
    await reset(await tokenFor(team.ownerEmail)).expect(204);
    await login(newPassword).expect(200);
    const { rows } = await sql.query('SELECT address_proven FROM users WHERE id = $1', [team.ownerId]);
    expect(rows).toEqual([{ address_proven: true }]);
  });

  it('is set once by a token, of two who use it at once by one', async () => {
    const token = await tokenFor(team.ownerEmail);
    const { rows } = await sql.query<{ token_hash: Buffer }>('SELECT token_hash FROM password_resets');
    expect(rows.map(({ token_hash }) => token_hash.toString())).not.toContain(token);
    const passwords = [1, 2, 3, 4].map((n) => `${newPassword} ${n}`);
    const answers = await Promise.all(passwords.map(async (password) => reset(token, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    for (const [n, { status }] of answers.entries())
      expect((await login(passwords[n])).status).toBe(status === 204 ? 200 : 401);
    expectProblem(await reset(token), 'password-reset-unknown');
    expect(await auditEntries(api.database, team.teamId, 'password.reset')).toHaveLength(1);
  });

  it('cannot be set by what is unknown, replaced or too old, and all of these look alike', async () => {
    const replaced = await tokenFor(team.ownerEmail);
    const old = await tokenFor(team.ownerEmail);
    await sql.query(
      `UPDATE password_resets SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
      [team.ownerId],
    );
    const answers = [];
    for (const token of [replaced, old, `ssp_${'a'.repeat(43)}`, 'nonsense'])
      answers.push({ ...expectProblem(await reset(token), 'password-reset-unknown'), instance: '' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expectProblem(await reset(old, 'too short'), 'validation-failed');
    await login(ownerPassword).expect(200);
    await new ExpireSessions(new SessionsRepository(api.database)).pass(new AbortController().signal);
    const { rows } = await sql.query('SELECT 1 FROM password_resets WHERE user_id = $1', [team.ownerId]);
    expect(rows).toEqual([]);
  });

  it('is guessed no faster than other things', async () => {
    const from = { 'X-Forwarded-For': '198.51.100.77' };
    for (let guess = 0; guess < 30; guess++)
      expectProblem(await reset(`ssp_${'a'.repeat(43)}`, newPassword, from), 'password-reset-unknown');
    const token = await tokenFor(team.ownerEmail);
    expectProblem(await reset(token, newPassword, from), 'rate-limited');
    await reset(token).expect(204);
  });

  it('is not for an address without account, says the command', async () => {
    const failure = await tokenFor('nobody@nowhere.test').catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(failure).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no account with the address "nobody@nowhere.test"') as string,
    });
  });
});
