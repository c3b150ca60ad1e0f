import { Client } from 'pg';
import { type Role, roles } from '../../src/modules/teams';
import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import {
  addPerson,
  type Credential,
  freshAddress,
  signInOwner,
  type TeamPerson,
} from '../harness/team-people';
import { holdRow } from '../harness/session-rows';
import { until } from '../harness/until';

let api: InProcessApi;
let team: TestTeam;
let owner: TeamPerson;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1', PUBLIC_URL: 'https://stallscope.test/' });
});
afterAll(() => api.stop());
beforeEach(async () => {
  team = await api.createTeam();
  owner = await signInOwner(api, team);
});

interface Invitation {
  id: string;
  email: string;
  state: string;
  token: string;
}

const invite = (as: Credential, body: object) => api.http().post('/v1/invitations').set(as).send(body);
const invited = async (as: Credential, body: object) =>
  (await invite(as, body).expect(201)).body as Invitation;
const revoke = (as: Credential, id: string) => api.http().delete(`/v1/invitations/${id}`).set(as);
const preview = (token: string) =>
  api.http().post('/v1/invitations/preview').set(freshAddress()).send({ token });
const list = async (query: object = {}) =>
  (await api.http().get('/v1/invitations').set(owner.headers).query(query).expect(200)).body as {
    items: Invitation[];
    nextCursor: string | null;
  };

async function asTableOwner(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: api.environment.ownerUrl });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

describe('invitations', () => {
  it('are shown once', async () => {
    const created = await invited(owner.headers, {
      email: 'New@Guest.Test',
      role: 'member',
      expiresInDays: 3,
    });
    expect(created).toMatchObject({
      ...{ email: 'new@guest.test', role: 'member', state: 'open', invitedBy: team.ownerId },
      token: expect.stringMatching(/^ssi_[A-Za-z0-9_-]{43}$/) as string,
    });
    expect(JSON.stringify(await list())).not.toContain(created.token.slice(4));
    expect((await preview(created.token).expect(200)).body).toEqual({
      ...{ team: { slug: team.slug, name: team.slug }, role: 'member', email: 'new@guest.test' },
      expiresAt: expect.any(String) as string,
    });
  });

  it('are stored as a hash only, and stay out of the log', async () => {
    const { token, id } = await invited(owner.headers, { email: 'a@guest.test', role: 'viewer' });
    await preview(token).expect(200);
    const [row] = await asTableOwner('SELECT i::text AS text FROM invitations i WHERE id = $1', [id]);
    expect(String(row.text)).not.toContain(token.slice(4));
    expect(api.logText()).not.toContain(token.slice(4));
  });

  it('are listed in pages, with their state', async () => {
    const made: Invitation[] = [];
    for (const name of ['open', 'revoked', 'expired']) {
      made.push(await invited(owner.headers, { email: `${name}@guest.test`, role: 'viewer' }));
    }
    await revoke(owner.headers, made[1].id).expect(204);
    await asTableOwner('UPDATE invitations SET expires_at = now() WHERE id = $1', [made[2].id]);
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.nextCursor });
    expect(
      [...first.items, ...second.items].map(({ email, state }) => `${email.split('@')[0]} ${state}`),
    ).toEqual([...['expired expired', 'revoked revoked', 'open open']]);
    expect(second.nextCursor).toBeNull();
  });

  it('that ended say how, and unknown ones are unknown', async () => {
    const gone = await invited(owner.headers, { email: 'a@guest.test', role: 'viewer' });
    await revoke(owner.headers, gone.id).expect(204);
    await revoke(owner.headers, gone.id).expect(204);
    expect(expectProblem(await preview(gone.token), 'invitation-ended').detail).toContain('revoked');
    const old = await invited(owner.headers, { email: 'a@guest.test', role: 'viewer' });
    await asTableOwner('UPDATE invitations SET expires_at = now() WHERE id = $1', [old.id]);
    expect(expectProblem(await preview(old.token), 'invitation-ended').detail).toContain('past its time');
    for (const token of ['', 'ssi_', `ssi_${'A'.repeat(43)}`, 'x'.repeat(200)]) {
      expectProblem(await preview(token), 'invitation-unknown');
    }
    expectProblem(await preview('x'.repeat(201)), 'validation-failed');
    expect(await auditEntries(api.database, team.teamId, 'invitation.revoked')).toHaveLength(1);
  });

  it('refuse what is not valid', async () => {
    for (const body of [
      { email: 'nonsense', role: 'member' },
      { email: 'a@b.test', role: 'king' },
      { email: 'a@b.test', role: 'member', expiresInDays: 31 },
      { email: 'a@b.test', role: 'member', teamId: team.teamId },
    ]) {
      expectProblem(await invite(owner.headers, body), 'validation-failed');
    }
    expectProblem(await revoke(owner.headers, team.teamId), 'invitation-not-found');
  });

  it('are not said to be revoked when they are accepted at that moment', async () => {
    const { id } = await invited(owner.headers, { email: 'quick@guest.test', role: 'member' });
    const held = await holdRow(api.environment.ownerUrl, 'invitations', id);
    const revoking = Promise.resolve(revoke(owner.headers, id));
    await until(async () => (await held.waiting()) === 1, 'the request to revoke it waits');
    await held.change('accepted_at = now()');
    await held.release();
    expectProblem(await revoking, 'invitation-accepted');
    expect((await list()).items).toMatchObject([{ id, state: 'accepted', revokedAt: null }]);
    expect(await auditEntries(api.database, team.teamId, 'invitation.revoked')).toEqual([]);
  });

  it('of another team cannot be seen or revoked', async () => {
    const other = await signInOwner(api, await api.createTeam());
    const theirs = await invited(other.headers, { email: 'a@guest.test', role: 'viewer' });
    expect((await list()).items).toEqual([]);
    expectProblem(await revoke(owner.headers, theirs.id), 'invitation-not-found');
    await preview(theirs.token).expect(200);
  });
});

describe('the role of an invitation', () => {
  const mayInvite: Record<Role, readonly Role[]> = {
    owner: roles,
    admin: ['admin', 'member', 'viewer'],
    member: [],
    viewer: [],
  };

  it.each(roles)('is at most that of whoever invites: as %s', async (role) => {
    const person = await addPerson(api, team, role);
    for (const wanted of roles) {
      const response = await invite(person.headers, { email: 'a@guest.test', role: wanted });
      if (mayInvite[role].includes(wanted)) expect(response.status).toBe(201);
      else if (role === 'admin') expectProblem(response, 'role-too-high');
      else expectProblem(response, 'scope-missing');
    }
    const { token } = await api.teams.createApiToken(team.teamId, {
      name: 't',
      scopes: ['admin', 'runs:read'],
    });
    const bearer = { Authorization: `Bearer ${token}` };
    expect(await invited(bearer, { email: 'a@guest.test', role: 'viewer' })).toMatchObject({
      invitedBy: null,
    });
    expectProblem(await invite(bearer, { email: 'a@guest.test', role: 'member' }), 'role-too-high');
    expect(await auditEntries(api.database, team.teamId, 'invitation.created')).toHaveLength(
      mayInvite[role].length + 1,
    );
  });

  it('keeps an admin from revoking what only an owner may give', async () => {
    const admin = await addPerson(api, team, 'admin');
    const { id, token } = await invited(owner.headers, { email: 'a@guest.test', role: 'owner' });
    expectProblem(await revoke(admin.headers, id), 'role-too-high');
    await preview(token).expect(200);
  });

  it('ends with the right to give it: on demotion what is too high, on removal everything', async () => {
    const second = await addPerson(api, team, 'owner');
    const made = new Map<Role, Invitation>();
    for (const role of roles)
      made.set(role, await invited(second.headers, { email: `${role}@guest.test`, role }));
    const mine = await invited(owner.headers, { email: 'a@guest.test', role: 'owner' });
    const stateOf = async () =>
      Object.fromEntries((await list({ limit: 200 })).items.map(({ id, state }) => [id, state]));
    const expectStates = async (wanted: Record<Role, string>) => {
      const states = await stateOf();
      for (const role of roles)
        expect([role, states[made.get(role)?.id ?? '']]).toEqual([role, wanted[role]]);
      expect(states[mine.id]).toBe('open');
    };
    const member = `/v1/members/${second.userId}`;
    await api.http().patch(member).set(owner.headers).send({ role: 'admin' }).expect(200);
    await expectStates({ owner: 'revoked', admin: 'open', member: 'open', viewer: 'open' });
    await api.http().delete(member).set(owner.headers).expect(204);
    await expectStates({ owner: 'revoked', admin: 'revoked', member: 'revoked', viewer: 'revoked' });
    const [entry] = await auditEntries(api.database, team.teamId, 'member.removed');
    expect((entry.details as { revokedInvitations: string[] }).revokedInvitations).toHaveLength(3);
  });
});
