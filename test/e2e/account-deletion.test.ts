import { Client } from 'pg';
import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';
import { ageSession, holdRow } from '../harness/session-rows';
import { sessionOf } from '../harness/sign-in';
import { addPerson, freshAddress, signInOwner, signInTo, type TeamPerson } from '../harness/team-people';
import { until } from '../harness/until';

let api: InProcessApi;
let sql: Client;
let team: TestTeam;
let other: TestTeam;
let person: TeamPerson;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
  sql = new Client({ connectionString: api.environment.ownerUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await api.stop();
});
/** A member of one team and owner, with somebody else, of another. */
beforeEach(async () => {
  [team, other] = [await api.createTeam(), await api.createTeam()];
  person = await addPerson(api, team, 'member');
  const { email } = person;
  await api.teams.addMember(other.teamId, { email, password: ownerPassword, role: 'owner' });
});

const remove = ({ headers }: Pick<TeamPerson, 'headers'>, body?: object) =>
  api
    .http()
    .delete('/v1/me')
    .set({ ...headers, ...freshAddress() })
    .send(body);
const currentPassword = ownerPassword;
const rowsOf = async (userId: string) => {
  const count = (table: string, column = 'user_id') =>
    `(SELECT count(*)::int FROM ${table} WHERE ${column} = $1) AS ${table}`;
  const tables = [count('users', 'id'), count('memberships'), count('sessions'), count('password_resets')];
  return (await sql.query<Record<string, number>>(`SELECT ${tables.join(', ')}`, [userId])).rows[0];
};

describe('DELETE /v1/me', () => {
  it('deletes the account with all that is of the person alone, and stands in all audit logs', async () => {
    const elsewhere = await signInTo(api, other, person.email);
    const invited = await api
      .http()
      .post('/v1/invitations')
      .set(elsewhere.headers)
      .send({ email: 'next@other.test', role: 'viewer' })
      .expect(201);
    await remove(person, { currentPassword }).expect(204);
    for (const { headers } of [person, elsewhere])
      expect((await api.http().get('/v1/me').set(headers)).status).toBe(401);
    const credentials = { email: person.email, password: ownerPassword };
    const login = api.http().post('/v1/auth/login').set(freshAddress()).send(credentials);
    expectProblem(await login, 'login-failed');
    expect(await rowsOf(person.userId)).toEqual({
      users: 0,
      memberships: 0,
      sessions: 0,
      password_resets: 0,
    });
    const revokedInvitations = [(invited.body as { id: string }).id];
    for (const [teamId, details] of [
      [team.teamId, { role: 'member', endedSessions: 1, revokedInvitations: [] }],
      [other.teamId, { role: 'owner', endedSessions: 1, revokedInvitations }],
    ] as const) {
      expect(await auditEntries(api.database, teamId, 'account.deleted')).toMatchObject([
        { actorKind: 'user', actorId: person.userId, actorName: null, targetId: person.userId, details },
      ]);
    }
    // What was done before stays, by the id.
    expect(await auditEntries(api.database, team.teamId, 'login.succeeded')).toMatchObject([
      { actorId: person.userId },
    ]);
    const again = await addPerson(api, team, 'viewer');
    expect(again.userId).not.toBe(person.userId);
  });

  it('leaves no team without owner, and then changes nothing at all', async () => {
    const owner = await signInOwner(api, other);
    await remove(owner, { currentPassword }).expect(204);
    const refused = expectProblem(await remove(person, { currentPassword }), 'last-owner');
    expect(refused.detail).toBe(`You are the only owner of ${other.slug}.`);
    expect(await rowsOf(person.userId)).toMatchObject({ users: 1, memberships: 2 });
    expect(await auditEntries(api.database, team.teamId, 'account.deleted')).toEqual([]);
    await api.http().get('/v1/me').set(person.headers).expect(200);
  });

  it('lets of two last owners who go at once one go', async () => {
    const second = await addPerson(api, team, 'owner');
    const first = await signInOwner(api, team);
    const answers = await Promise.all([first, second].map(async (one) => remove(one, { currentPassword })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('wants the current password, which cannot be guessed with a stolen access token', async () => {
    expectProblem(await remove(person), 'password-wrong');
    for (let guess = 0; guess < 9; guess++)
      expectProblem(await remove(person, { currentPassword: 'guess' }), 'password-wrong');
    expectProblem(await remove(person, { currentPassword }), 'rate-limited');
    const failed = () => auditEntries(api.database, team.teamId, 'login.failed');
    await until(async () => (await failed()).length === 9, 'every guess is in the audit log');
    expect((await failed())[0]).toMatchObject({ details: { attempt: 'account-deletion' } });
    expect(await rowsOf(person.userId)).toMatchObject({ users: 1, memberships: 2 });
  });

  it('wants a fresh sign-in of people without password', async () => {
    await sql.query('UPDATE users SET password_hash = NULL WHERE id = $1', [person.userId]);
    const sessionId = sessionOf(person.headers.Authorization.replace('Bearer ', ''));
    await ageSession(api.environment.ownerUrl, sessionId, { ageS: 601 });
    expectProblem(await remove(person), 'fresh-sign-in-needed');
    await ageSession(api.environment.ownerUrl, sessionId, { ageS: 590 });
    await remove(person).expect(204);
    expect(await rowsOf(person.userId)).toMatchObject({ users: 0 });
  });

  it('keeps the account when its password, or its teams, change meanwhile', async () => {
    const third = await api.createTeam();
    const held = await holdRow(api.environment.ownerUrl, 'users', person.userId);
    const going = Promise.resolve(remove(person, { currentPassword }));
    await until(async () => (await held.waiting()) === 1, 'it waits');
    await sql.query(`INSERT INTO memberships (team_id, user_id, role) VALUES ($1, $2, 'viewer')`, [
      third.teamId,
      person.userId,
    ]);
    await held.release();
    expectProblem(await going, 'conflict');
    const again = await holdRow(api.environment.ownerUrl, 'users', person.userId);
    await again.change(`password_hash = 'x'`);
    const late = Promise.resolve(remove(person, { currentPassword }));
    await until(async () => (await again.waiting()) === 1, 'it waits');
    await again.release();
    expectProblem(await late, 'password-wrong');
    expect(await rowsOf(person.userId)).toMatchObject({ users: 1, memberships: 3 });
  });

  it('is for people only', async () => {
    expectProblem(
      await remove({ headers: await api.tokenHeader(team.teamId, ['admin']) }),
      'person-required',
    );
  });
});
