import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';
import { type Credential, freshAddress, signInOwner, type TeamPerson } from '../harness/team-people';
import { rowsOf } from '../harness/team-rows';
import { prepareActs, type TeamAct } from '../harness/team-acts';

let api: InProcessApi;
let sql: Client;
let team: TestTeam;
let owner: TeamPerson;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
  sql = new Client({ connectionString: api.environment.ownerUrl });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await api.stop();
});
beforeEach(async () => {
  team = await api.createTeam();
  owner = await signInOwner(api, team);
});

interface Entry {
  id: string;
  at: string;
  action: string;
  actor: { kind: string; id: string | null; name: string | null };
  target: { kind: string; id: string } | null;
  details: object;
  requestId: string | null;
  address: string | null;
}
interface Page {
  items: Entry[];
  nextCursor: string | null;
}

const ask = (as: Credential, query: object = {}) => api.http().get('/v1/audit-log').set(as).query(query);
const read = async (query: object = {}) => (await ask(owner.headers, query).expect(200)).body as Page;
const rename = (name: string, id = 'rename') =>
  api.http().patch('/v1/team').set(owner.headers).set('x-request-id', id).send({ name }).expect(200);
/** What is stored of the team, without the notes of when its credentials were used. */
async function stored() {
  const { audit_entries: entries, sessions: _, ...tables } = await rowsOf(sql, team.teamId);
  return { entries: entries.length, tables };
}

describe('the audit log', () => {
  it('says who did what to what, when and from where', async () => {
    await rename('Renamed', 'request-1');
    const { items } = await read({ action: 'team.updated' });
    expect(items).toEqual([
      {
        ...{ id: items[0].id, at: expect.any(String) as string, action: 'team.updated' },
        actor: { kind: 'user', id: team.ownerId, name: team.ownerEmail },
        target: { kind: 'team', id: team.teamId },
        ...{ details: { name: 'Renamed' }, requestId: 'request-1', address: expect.any(String) as string },
      },
    ]);
    expect(Math.abs(Date.parse(items[0].at) - Date.now())).toBeLessThan(30_000);
    // The first entry is of the operator who made the team.
    const whole = await read();
    expect(whole.items.at(-1)).toMatchObject({
      action: 'team.created',
      actor: { kind: 'operator', id: null },
    });
  });

  it('comes in pages, the newest first, without gap or repetition', async () => {
    for (let i = 0; i < 5; i++) await rename(`n${i}`);
    const whole = (await read({ limit: 200 })).items;
    expect(whole.slice(0, 5).map(({ details }) => details)).toEqual(
      ['n4', 'n3', 'n2', 'n1', 'n0'].map((name) => ({ name })),
    );
    const seen: Entry[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await read({ limit: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(whole);
  });

  it('is filtered by action, actor and time', async () => {
    await rename('before');
    const token = await api.tokenHeader(team.teamId, ['admin']);
    await api.http().patch('/v1/team').set(token).send({ name: 'by a token' }).expect(200);
    const updates = (await read({ action: 'team.updated' })).items;
    expect(updates.map(({ actor }) => actor.kind)).toEqual(['token', 'user']);
    const byOwner = (await read({ action: 'team.updated', actorId: team.ownerId })).items;
    expect(byOwner.map(({ details }) => details)).toEqual([{ name: 'before' }]);
    const [{ at }] = updates;
    expect((await read({ action: 'team.updated', from: at })).items).toEqual([updates[0]]);
    expect((await read({ action: 'team.updated', to: at })).items).toEqual([updates[1]]);
    // The same moment, as another clock shows it.
    const elsewhere = new Date(Date.parse(at) + 7_200_000).toISOString().replace('Z', '+02:00');
    expect((await read({ action: 'team.updated', from: elsewhere })).items).toEqual([updates[0]]);
    expect(await read({ from: '2000-01-01T00:00:00Z', to: '2000-01-02T00:00:00Z' })).toEqual({
      ...{ items: [], nextCursor: null },
    });
  });

  it('refuses a question that makes no sense, and whoever is no admin', async () => {
    for (const query of [
      { action: 'nonsense' },
      { from: 'yesterday' },
      { limit: 0 },
      { cursor: 'x' },
      { who: 'me' },
    ]) {
      expectProblem(await ask(owner.headers, query), 'validation-failed');
    }
    const reader = await api.tokenHeader(team.teamId, ['runs:read', 'runs:write', 'gates:evaluate']);
    expectProblem(await ask(reader), 'scope-missing');
  });

  it('shows nothing of another team, also to somebody who did it', async () => {
    const other = await api.createTeam();
    await api.teams.addMember(other.teamId, { email: team.ownerEmail, password: 'is kept', role: 'owner' });
    const credentials = { email: team.ownerEmail, password: ownerPassword, team: other.slug };
    const login = await api.http().post('/v1/auth/login').set(freshAddress()).send(credentials).expect(200);
    const there = { Authorization: `Bearer ${(login.body as { accessToken: string }).accessToken}` };
    await api.http().patch('/v1/team').set(there).send({ name: 'elsewhere' }).expect(200);
    expect((await read({ actorId: team.ownerId, action: 'team.updated' })).items).toEqual([]);
    const [theirs] = ((await ask(there, { action: 'team.updated' }).expect(200)).body as Page).items;
    const foreign = (await read({ cursor: theirs.id })).items;
    expect(foreign.filter(({ id }) => id === theirs.id)).toEqual([]);
    const { rows } = await sql.query<{ id: string }>('SELECT id FROM audit_entries WHERE team_id = $1', [
      team.teamId,
    ]);
    expect((await read({ limit: 200 })).items.map(({ id }) => id).sort()).toEqual(
      rows.map(({ id }) => id).sort(),
    );
  });
});

describe('what operators do', () => {
  it('is in the log as theirs, once', async () => {
    const member = { email: `m@${team.slug}.test`, password: ownerPassword, role: 'viewer' as const };
    await api.teams.addMember(team.teamId, member);
    await api.teams.addMember(team.teamId, member);
    const { id } = await api.teams.createApiToken(team.teamId, { name: 'ci', scopes: ['runs:write'] });
    const { items } = await read();
    const ofOperators = items.filter(({ actor }) => actor.kind === 'operator');
    expect(ofOperators).toMatchObject([
      { action: 'token.created', target: { id }, details: { name: 'ci', scopes: ['runs:write'] } },
      { action: 'member.added', details: { email: member.email, role: 'viewer' }, address: null },
      { action: 'team.created', details: { slug: team.slug, ownerEmail: team.ownerEmail } },
    ]);
  });
});

describe('every act', () => {
  const succeed = async ({ send, action }: TeamAct) => {
    const response = await send();
    expect([action, response.status < 300]).toEqual([action, true]);
    return response;
  };

  it('leaves its entries, and no secret in any of them', async () => {
    const { acts, secrets } = await prepareActs(api, team, owner);
    for (const act of acts) {
      const before = (await stored()).entries;
      const response = await succeed(act);
      expect([act.action, (await stored()).entries - before]).toEqual([act.action, act.entries]);
      expect((await read({ limit: act.entries })).items.map(({ action }) => action)).toContain(act.action);
      const { token } = response.body as { token?: string };
      if (token !== undefined) secrets.push(token);
    }
    const { audit_entries: entries } = await rowsOf(sql, team.teamId);
    const text = entries.join('\n');
    expect(secrets.length).toBeGreaterThan(6);
    for (const secret of secrets) {
      const hash = createHash('sha256').update(secret);
      const forms = [secret.replace(/^ss._/, ''), hash.copy().digest('hex'), hash.copy().digest('base64url')];
      for (const form of forms) expect(text).not.toContain(form);
    }
    expect(text).not.toMatch(/ss[a-z]_[\w-]{8}|argon2/i);
  });

  it('that fails leaves no entry', async () => {
    const { acts, failing } = await prepareActs(api, team, owner);
    expect(failing.length).toBeGreaterThan(10);
    for (const { send, action } of failing) {
      const before = await stored();
      expect([action, (await send()).status >= 400]).toEqual([action, true]);
      expect(await stored()).toEqual(before);
    }
    for (const act of acts) await succeed(act);
  });

  it('whose entry cannot be written does not happen', async () => {
    const { acts } = await prepareActs(api, team, owner);
    await sql.query('REVOKE INSERT ON audit_entries FROM stallscope_app');
    try {
      const before = await stored();
      for (const { send, action } of acts) {
        expect([action, (await send()).status >= 400]).toEqual([action, true]);
        expect(await stored()).toEqual(before);
      }
    } finally {
      await sql.query('GRANT INSERT ON audit_entries TO stallscope_app');
    }
    for (const act of acts) await succeed(act);
  });
});
