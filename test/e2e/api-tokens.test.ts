import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';

let api: InProcessApi;
let team: TestTeam;
let admin: { Authorization: string };
let owner: Client;

beforeAll(async () => {
  api = await startInProcessApi();
  team = await api.createTeam();
  admin = await api.tokenHeader(team.teamId, ['admin', 'runs:read']);
  owner = new Client({ connectionString: api.environment.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await api.stop();
});

interface Token {
  id: string;
  name: string;
  prefix: string;
  token: string;
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string;
}
interface Page {
  items: Token[];
  nextCursor: string | null;
}

const create = (body: object) => api.http().post('/v1/tokens').set(admin).send(body);
const list = (query: object = {}) => api.http().get('/v1/tokens').set(admin).query(query);
const revoke = (id: string) => api.http().delete(`/v1/tokens/${id}`).set(admin);
const me = (token: string) => api.http().get('/v1/me').set('Authorization', `Bearer ${token}`);

describe('API tokens', () => {
  it('live from creation to revocation', async () => {
    const created = (await create({ name: 'ci', scopes: ['runs:read'], expiresInDays: 30 }).expect(201))
      .body as Token;
    expect(created.token).toMatch(/^sst_[A-Za-z0-9_-]{43}$/);
    expect(created).toMatchObject({
      name: 'ci',
      scopes: ['runs:read'],
      prefix: created.token.slice(0, 10),
      lastUsedAt: null,
    });
    expect(Date.parse(created.expiresAt) - Date.parse(created.createdAt)).toBeCloseTo(30 * 86_400_000, -4);

    const principal = (await me(created.token).expect(200)).body;
    expect(principal).toMatchObject({
      kind: 'token',
      id: created.id,
      role: null,
      email: null,
      scopes: ['runs:read'],
    });

    const { items } = (await list().expect(200)).body as Page;
    const listed = items.find(({ id }) => id === created.id);
    expect(Math.abs(Date.now() - Date.parse(listed?.lastUsedAt ?? ''))).toBeLessThan(10_000);
    expect(listed).not.toHaveProperty('token');

    await revoke(created.id).expect(204);
    await revoke(created.id).expect(204);
    expectProblem(await me(created.token), 'token-revoked');
  });

  it('are stored as a hash only', async () => {
    const { token, id } = (await create({ name: 'hash', scopes: ['runs:read'] }).expect(201)).body as Token;
    const { rows } = await owner.query<{ text: string; token_hash: Buffer }>(
      'SELECT t::text AS text, token_hash FROM api_tokens t WHERE id = $1',
      [id],
    );
    expect(rows[0].token_hash.equals(createHash('sha256').update(token).digest())).toBe(true);
    expect(rows[0].text).not.toContain(token.slice(10));
  });

  it('are told apart by what is wrong with them', async () => {
    const { token, id } = (await create({ name: 'old', scopes: ['runs:read'], expiresInDays: 1 }).expect(201))
      .body as Token;
    await owner.query("UPDATE api_tokens SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
    expectProblem(await me(token), 'token-expired');
    expectProblem(await me(`${token.slice(0, -1)}!`), 'token-unknown');
    expectProblem(await me(`sst_${'A'.repeat(43)}`), 'token-unknown');
    expectProblem(await me('sst_'), 'token-unknown');
  });

  it('do only what their scopes say', async () => {
    const { token } = (await create({ name: 'reader', scopes: ['runs:read'] }).expect(201)).body as Token;
    const refused = await api.http().get('/v1/tokens').set('Authorization', `Bearer ${token}`);
    expect(expectProblem(refused, 'scope-missing').detail).toContain('admin');
  });

  it('cannot make tokens that may do more than they may', async () => {
    const problem = expectProblem(
      await create({ name: 'more', scopes: ['runs:read', 'runs:write'] }),
      'scope-missing',
    );
    expect(problem.detail).toContain('runs:write');
  });

  it('cannot make tokens that live longer than they do', async () => {
    const short = (await create({ name: 'short', scopes: ['admin'], expiresInDays: 2 }).expect(201))
      .body as Token;
    const bearer = { Authorization: `Bearer ${short.token}` };
    const make = async (maker: { Authorization: string }, days?: number) =>
      (
        await api
          .http()
          .post('/v1/tokens')
          .set(maker)
          .send({ name: 'child', scopes: ['admin'], expiresInDays: days })
          .expect(201)
      ).body as Token;
    for (const days of [undefined, 2, 30]) expect((await make(bearer, days)).expiresAt).toBe(short.expiresAt);
    const shorter = await make(bearer, 1);
    expect(Date.parse(shorter.expiresAt)).toBeLessThan(Date.parse(short.expiresAt));
    const grandchild = await make({ Authorization: `Bearer ${shorter.token}` }, 3650);
    expect(grandchild.expiresAt).toBe(shorter.expiresAt);
    // A token without an end, and a person, are not bound.
    expect((await make(admin)).expiresAt).toBeNull();
  });

  it('note their use at most once a minute', async () => {
    const { token, id } = (await create({ name: 'busy', scopes: ['runs:read'] }).expect(201)).body as Token;
    const lastUsed = async () =>
      (await owner.query('SELECT last_used_at AS at FROM api_tokens WHERE id = $1', [id])).rows[0].at as Date;
    await me(token).expect(200);
    const first = await lastUsed();
    await me(token).expect(200);
    expect(await lastUsed()).toEqual(first);
  });

  it('are listed in pages without gap or repetition', async () => {
    for (const name of ['p1', 'p2', 'p3']) await create({ name, scopes: ['runs:read'] }).expect(201);
    const whole = (await list({ limit: 200 }).expect(200)).body as Page;
    expect(whole.nextCursor).toBeNull();
    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = (await list({ limit: 2, ...(cursor ? { cursor } : {}) }).expect(200)).body as Page;
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
      if (!cursor) break;
    }
    expect(seen).toEqual(whole.items.map(({ id }) => id));
    expect(whole.items[0].name).toBe('p3');
  });

  it('refuse what is not valid', async () => {
    expectProblem(await create({ name: '', scopes: [], expiresInDays: 0 }), 'validation-failed');
    expectProblem(await create({ name: 'x', scopes: ['everything'] }), 'validation-failed');
    expectProblem(await revoke('not-an-id'), 'validation-failed');
    expectProblem(await revoke('0199aaaa-0000-7000-8000-000000000000'), 'token-not-found');
    expectProblem(await list({ limit: 0 }), 'validation-failed');
    expectProblem(await list({ limit: 10, colour: 'red' }), 'validation-failed');
  });

  it('of another team cannot be listed or revoked', async () => {
    const other = await api.createTeam();
    const { token, id } = await api.teams.createApiToken(other.teamId, {
      name: 'theirs',
      scopes: ['runs:read'],
    });
    expect(JSON.stringify((await list({ limit: 200 })).body)).not.toContain(id);
    expectProblem(await revoke(id), 'token-not-found');
    await me(token).expect(200);
  });
});
