import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { type Credential } from '../harness/team-people';

let api: InProcessApi;
let team: TestTeam;
let admin: Credential;

beforeAll(async () => {
  api = await startInProcessApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  team = await api.createTeam();
  admin = await api.tokenHeader(team.teamId, ['admin', 'runs:read', 'runs:write']);
});

interface Account {
  id: string;
  name: string;
  disabledAt: string | null;
}
interface Token {
  id: string;
  token: string;
  serviceAccountId: string | null;
}

const create = (body: object) => api.http().post('/v1/service-accounts').set(admin).send(body);
const created = async (name: string) => (await create({ name }).expect(201)).body as Account;
const change = (id: string, body: object) =>
  api.http().patch(`/v1/service-accounts/${id}`).set(admin).send(body);
const remove = (id: string) => api.http().delete(`/v1/service-accounts/${id}`).set(admin);
const makeToken = (body: object, as = admin) => api.http().post('/v1/tokens').set(as).send(body);
const tokenOf = async (serviceAccountId: string, scopes = ['runs:read']) =>
  (await makeToken({ name: 'pipeline', scopes, serviceAccountId }).expect(201)).body as Token;
const me = (token: string) => api.http().get('/v1/me').set('Authorization', `Bearer ${token}`);
const actions = async () =>
  (
    await api.database.forTeam(team.teamId, ({ auditEntry }) =>
      auditEntry.findMany({
        where: { teamId: team.teamId, action: { startsWith: 'service-account.' } },
        orderBy: { id: 'asc' },
      }),
    )
  ).map(({ action }) => action);

describe('service accounts', () => {
  it('are created, described and listed in pages', async () => {
    const first = await created('first');
    expect(first).toEqual({
      ...{ id: first.id, name: 'first', description: '', disabledAt: null },
      createdAt: expect.any(String) as string,
    });
    await change(first.id, { description: 'Uploads the nightly traces.' }).expect(200);
    // What is so already changes nothing and is not written down.
    await change(first.id, { description: 'Uploads the nightly traces.', disabled: false }).expect(200);
    await created('second');
    const ask = (query: object) => api.http().get('/v1/service-accounts').set(admin).query(query).expect(200);
    const page = (await ask({ limit: 1 })).body as { items: Account[]; nextCursor: string };
    expect(page.items).toMatchObject([{ name: 'second' }]);
    expect((await ask({ limit: 1, cursor: page.nextCursor })).body).toMatchObject({
      ...{ items: [{ name: 'first', description: 'Uploads the nightly traces.' }], nextCursor: null },
    });
    expect(await actions()).toEqual([
      ...['service-account.created', 'service-account.updated', 'service-account.created'],
    ]);
  });

  it('have names that are unique in their team only', async () => {
    await created('nightly');
    expectProblem(await create({ name: 'nightly' }), 'service-account-name-taken');
    const other = await api.tokenHeader((await api.createTeam()).teamId, ['admin']);
    await api.http().post('/v1/service-accounts').set(other).send({ name: 'nightly' }).expect(201);
    expect(await actions()).toEqual(['service-account.created']);
  });

  it('take their tokens with them: refused while disabled, working again, unknown once deleted', async () => {
    const { id } = await created('nightly');
    const { token, serviceAccountId, id: tokenId } = await tokenOf(id);
    expect(serviceAccountId).toBe(id);
    await me(token).expect(200);

    expect((await change(id, { disabled: true }).expect(200)).body).toMatchObject({
      disabledAt: expect.any(String) as string,
    });
    expect(expectProblem(await me(token), 'token-revoked').detail).toContain('disabled');
    expectProblem(
      await makeToken({ name: 'x', scopes: ['runs:read'], serviceAccountId: id }),
      'service-account-disabled',
    );
    const rotation = await api.http().post(`/v1/tokens/${tokenId}/rotate`).set(admin).send({});
    expectProblem(rotation, 'service-account-disabled');

    await change(id, { disabled: false }).expect(200);
    await me(token).expect(200);
    await remove(id).expect(204);
    expectProblem(await me(token), 'token-unknown');
    expectProblem(await remove(id), 'service-account-not-found');
    expect(await actions()).toEqual([
      ...[
        'service-account.created',
        'service-account.disabled',
        'service-account.enabled',
        'service-account.deleted',
      ],
    ]);
    const [entry] = await auditEntries(api.database, team.teamId, 'service-account.deleted');
    const revoked = {
      revokedTokens: [],
      revokedTokenCount: 0,
      revokedInvitations: [],
      revokedInvitationCount: 0,
    };
    expect(entry.details).toEqual({ name: 'nightly', tokens: [tokenId], ...revoked });
  });

  it('stand in the audit log as who acted, and own the tokens that they make', async () => {
    const { id } = await created('terraform');
    const bearer = { Authorization: `Bearer ${(await tokenOf(id, ['admin', 'runs:read'])).token}` };
    const child = (await makeToken({ name: 'child', scopes: ['runs:read'] }, bearer).expect(201))
      .body as Token;
    expect(child.serviceAccountId).toBe(id);
    const { id: other } = await created('other');
    const theirs = { name: 'theirs', scopes: ['runs:read'], serviceAccountId: other };
    expect((await makeToken(theirs, bearer).expect(201)).body).toMatchObject({ serviceAccountId: other });
    const entries = await auditEntries(api.database, team.teamId, 'token.created');
    expect(entries.find(({ targetId }) => targetId === child.id)).toMatchObject({
      ...{ actorKind: 'serviceAccount', actorId: id, actorName: 'pipeline' },
    });
    // With the account the children end too.
    await change(id, { disabled: true }).expect(200);
    expectProblem(await me(child.token), 'token-revoked');
  });

  it('of another team are as good as none', async () => {
    const other = await api.createTeam();
    const theirs = await api.database.forTeam(other.teamId, ({ serviceAccount }) =>
      serviceAccount.create({ data: { teamId: other.teamId, name: 'theirs' } }),
    );
    const asked = { name: 'x', scopes: ['runs:read'], serviceAccountId: theirs.id };
    expectProblem(await makeToken(asked), 'service-account-not-found');
    expectProblem(await change(theirs.id, { disabled: true }), 'service-account-not-found');
    expectProblem(await remove(theirs.id), 'service-account-not-found');
    const tokens = await api.database.forTeam(other.teamId, ({ apiToken }) => apiToken.count());
    expect(tokens).toBe(0);
  });

  it('refuse what is not valid', async () => {
    const { id } = await created('valid');
    for (const body of [{}, { name: 'renamed' }, { disabled: 'yes' }, { description: 'x'.repeat(501) }]) {
      expectProblem(await change(id, body), 'validation-failed');
    }
    expectProblem(await create({ name: ' ' }), 'validation-failed');
  });
});
