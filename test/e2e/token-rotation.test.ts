import { Client } from 'pg';
import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { addPerson, type Credential, signInOwner, type TeamPerson } from '../harness/team-people';

const dayMs = 86_400_000;

let api: InProcessApi;
let team: TestTeam;
let owner: TeamPerson;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
});
afterAll(() => api.stop());
beforeEach(async () => {
  team = await api.createTeam();
  owner = await signInOwner(api, team);
});

interface Token {
  id: string;
  name: string;
  token: string;
  createdAt: string;
  expiresAt: string | null;
  rotatedFrom: string | null;
}

const bearer = (token: string): Credential => ({ Authorization: `Bearer ${token}` });
const me = (token: string) => api.http().get('/v1/me').set(bearer(token));
const rotate = (as: Credential, id: string, body?: object) =>
  api.http().post(`/v1/tokens/${id}/rotate`).set(as).send(body);
const rotated = async (as: Credential, id: string, body: object = {}) =>
  (await rotate(as, id, body).expect(201)).body as Token;
const create = async (body: object) =>
  (
    await api
      .http()
      .post('/v1/tokens')
      .set(owner.headers)
      .send({ name: 'ci', scopes: ['runs:read'], ...body })
      .expect(201)
  ).body as Token;
const listed = async (id: string) => {
  const { body } = await api.http().get('/v1/tokens').set(owner.headers).query({ limit: 200 }).expect(200);
  return (body as { items: Token[] }).items.find((token) => token.id === id);
};

async function asTableOwner(statement: string, id: string): Promise<void> {
  const client = new Client({ connectionString: api.environment.ownerUrl });
  await client.connect();
  await client.query(statement, [id]).finally(() => client.end());
}

describe('a rotation', () => {
  it('gives a successor that is the same but for the secret, and ends the old token after the grace', async () => {
    const limits = { models: ['llama'], clusters: ['a', 'b'] };
    const account = await api
      .http()
      .post('/v1/service-accounts')
      .set(owner.headers)
      .send({ name: 's' })
      .expect(201);
    const serviceAccountId = (account.body as { id: string }).id;
    const old = await create({ limits, serviceAccountId, scopes: ['runs:read', 'runs:write'] });
    const next = await rotated(owner.headers, old.id, { graceS: 600 });
    expect(next).toMatchObject({
      ...{ name: 'ci', scopes: ['runs:read', 'runs:write'], limits, serviceAccountId },
      ...{ rotatedFrom: old.id, expiresAt: null, revokedAt: null },
    });
    expect(next.token).not.toBe(old.token);
    await me(old.token).expect(200);
    await me(next.token).expect(200);
    const end = Date.parse((await listed(old.id))?.expiresAt ?? '');
    expect(Math.abs(end - Date.now() - 600_000)).toBeLessThan(30_000);
    expect(await listed(next.id)).toMatchObject({ rotatedFrom: old.id, limits, serviceAccountId });
    const [entry] = await auditEntries(api.database, team.teamId, 'token.rotated');
    expect(entry).toMatchObject({ actorId: team.ownerId, targetId: old.id, details: { successor: next.id } });
  });

  it('keeps the old token for a day unless told otherwise, ends it at once when told, and never prolongs it', async () => {
    const old = await create({});
    await rotate(owner.headers, old.id).expect(201);
    const end = Date.parse((await listed(old.id))?.expiresAt ?? '');
    expect(Math.abs(end - Date.now() - dayMs)).toBeLessThan(30_000);

    const gone = await create({});
    await rotated(owner.headers, gone.id, { graceS: 0 });
    expectProblem(await me(gone.token), 'token-expired');

    const short = await create({ expiresInDays: 1 });
    await rotated(owner.headers, short.id, { graceS: 30 * 86_400 });
    expect((await listed(short.id))?.expiresAt).toBe(short.expiresAt);
  });

  it('gives the whole lifetime anew when a person asks, and the same end when a token does', async () => {
    const byPerson = await create({ expiresInDays: 10 });
    await asTableOwner(
      "UPDATE api_tokens SET created_at = created_at - interval '4 days', expires_at = expires_at - interval '4 days' WHERE id = $1",
      byPerson.id,
    );
    const anew = await rotated(owner.headers, byPerson.id);
    expect(Math.abs(Date.parse(anew.expiresAt ?? '') - Date.now() - 10 * dayMs)).toBeLessThan(30_000);

    const old = await create({ expiresInDays: 10 });
    const own = await rotated(bearer(old.token), old.id);
    expect(own.expiresAt).toBe(old.expiresAt);
    const admin = await create({ scopes: ['admin', 'runs:read'], expiresInDays: 2 });
    const [long, ending] = [await create({}), await create({ expiresInDays: 1 })];
    expect((await rotated(bearer(admin.token), long.id)).expiresAt).toBe(admin.expiresAt);
    expect((await rotated(bearer(admin.token), ending.id)).expiresAt).toBe(ending.expiresAt);
  });

  it('can be done by every token with itself, again and again', async () => {
    let current = await create({ scopes: ['runs:write'], limits: { models: ['m'] } });
    for (let i = 0; i < 3; i++) {
      const next = await rotated(bearer(current.token), current.id, { graceS: 0 });
      expectProblem(await me(current.token), 'token-expired');
      current = next;
    }
    await me(current.token).expect(200);
  });

  it('has one successor, however many ask at once', async () => {
    const old = await create({});
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => rotate(i % 2 ? owner.headers : bearer(old.token), old.id)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    const successor = answers.find(({ status }) => status === 201)?.body as Token;
    const refused = answers.filter(({ status }) => status === 409);
    for (const answer of refused)
      expect(expectProblem(answer, 'token-rotated').detail).toContain(successor.id);
    expect(await auditEntries(api.database, team.teamId, 'token.rotated')).toHaveLength(1);
    // Whoever lost the answer is helped by an admin, who rotates the successor.
    await me((await rotated(owner.headers, successor.id)).token).expect(200);
  });

  it('does not bring back what was revoked or has expired', async () => {
    const revoked = await create({});
    await api.http().delete(`/v1/tokens/${revoked.id}`).set(owner.headers).expect(204);
    expectProblem(await rotate(owner.headers, revoked.id), 'token-ended');
    const old = await create({ expiresInDays: 1 });
    await asTableOwner(
      "UPDATE api_tokens SET expires_at = now() - interval '1 second' WHERE id = $1",
      old.id,
    );
    expectProblem(await rotate(owner.headers, old.id), 'token-ended');
    expect(await auditEntries(api.database, team.teamId, 'token.rotated')).toEqual([]);
  });

  it('is refused to whoever may not do what the token may', async () => {
    const target = await create({ scopes: ['runs:read', 'runs:write'] });
    const other = await create({ scopes: ['runs:read', 'runs:write'] });
    const narrow = await create({ scopes: ['admin'] });
    const limited = await create({ scopes: ['admin', 'runs:read', 'runs:write'], limits: { models: ['m'] } });
    expectProblem(await rotate(bearer(other.token), target.id), 'scope-missing');
    expect(expectProblem(await rotate(bearer(narrow.token), target.id), 'scope-missing').detail).toContain(
      'runs:write',
    );
    expectProblem(await rotate(bearer(limited.token), target.id), 'token-limited');
    const member = await addPerson(api, team, 'member');
    expectProblem(await rotate(member.headers, target.id), 'scope-missing');
    const stranger = await signInOwner(api, await api.createTeam());
    expectProblem(await rotate(stranger.headers, target.id), 'token-not-found');
    expectProblem(await rotate(owner.headers, team.teamId), 'token-not-found');
    expectProblem(await rotate(owner.headers, target.id, { graceS: 30 * 86_400 + 1 }), 'validation-failed');
    expectProblem(await rotate(owner.headers, target.id, { graceS: -1 }), 'validation-failed');
    expect((await listed(target.id))?.expiresAt).toBeNull();
  });
});

describe('limits of a token', () => {
  it('are bounded, and no way around: a limited token makes no tokens', async () => {
    const limits = { models: ['m'], clusters: [] };
    const limited = await create({ scopes: ['admin', 'runs:read'], limits });
    expect(await listed(limited.id)).toMatchObject({ limits });
    const made = await api
      .http()
      .post('/v1/tokens')
      .set(bearer(limited.token))
      .send({ name: 'free', scopes: ['runs:read'] });
    expectProblem(made, 'token-limited');
    const many = Array.from({ length: 51 }, (_, i) => `m${i}`);
    for (const refused of [{ models: many }, { clusters: many }, { models: [''] }, { gpus: ['h200'] }]) {
      const asked = { name: 'x', scopes: ['runs:read'], limits: refused };
      expectProblem(await api.http().post('/v1/tokens').set(owner.headers).send(asked), 'validation-failed');
    }
    await create({ limits: { models: many.slice(1), clusters: many.slice(1) } });
  });
});
