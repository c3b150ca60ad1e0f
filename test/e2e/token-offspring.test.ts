import { Client } from 'pg';
import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { type Credential, freshAddress, signInOwner, type TeamPerson } from '../harness/team-people';
import { until } from '../harness/until';

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

interface Made {
  id: string;
  token: string;
  expiresAt: string | null;
}

const scopes = ['admin', 'runs:read', 'runs:write', 'gates:evaluate'];
const post = async (as: Credential, path: string, body: object) =>
  (await api.http().post(`/v1/${path}`).set(as).send(body).expect(201)).body as Made;
const bearer = ({ token }: Made): Credential => ({ Authorization: `Bearer ${token}` });
const make = (as: Credential, body: object = {}) => post(as, 'tokens', { name: 't', scopes, ...body });
const rotate = (as: Credential, { id }: Made, graceS = 600) => post(as, `tokens/${id}/rotate`, { graceS });
const invite = (as: Credential, role = 'admin') =>
  post(as, 'invitations', { email: 'thief@guest.test', role, expiresInDays: 30 });
const revoke = ({ id }: Made) => api.http().delete(`/v1/tokens/${id}`).set(owner.headers).expect(204);
const me = (made: Made) => api.http().get('/v1/me').set(bearer(made));
const works = async (...made: Made[]) => {
  for (const one of made) await me(one).expect(200);
};
const isRevoked = async (...made: Made[]) => {
  for (const one of made) expectProblem(await me(one), 'token-revoked');
};
const preview = ({ token }: Made) =>
  api.http().post('/v1/invitations/preview').set(freshAddress()).send({ token });
const accept = ({ token }: Made) =>
  api
    .http()
    .post('/v1/invitations/accept')
    .set(freshAddress())
    .send({ token, password: 'long enough to be one' });
async function asTableOwner(statement: string, values: unknown[]): Promise<void> {
  const client = new Client({ connectionString: api.environment.ownerUrl });
  await client.connect();
  await client.query(statement, values).finally(() => client.end());
}
const account = (name: string) => post(owner.headers, 'service-accounts', { name });
const ids = (...made: Made[]) => made.map(({ id }) => id).sort();
const detailsOf = async (action: Parameters<typeof auditEntries>[2]) => {
  const entries = await auditEntries(api.database, team.teamId, action);
  expect(entries).toHaveLength(1);
  const details = entries[0].details as { revokedTokens: string[]; revokedInvitations: string[] };
  return { tokens: details.revokedTokens.sort(), invitations: details.revokedInvitations.sort() };
};

describe('revoking a token', () => {
  it('revokes what it made, what that made, and their invitations, and nothing else', async () => {
    const stolen = await make(owner.headers);
    const bystander = await make(owner.headers);
    const child = await make(bearer(stolen));
    const grandchild = await make(bearer(child));
    const invitations = [await invite(bearer(stolen)), await invite(bearer(grandchild), 'viewer')];
    const kept = [await invite(owner.headers), await invite(bearer(bystander))];
    const sibling = await make(bearer(bystander));

    await revoke(stolen);
    await isRevoked(stolen, child, grandchild);
    await works(bystander, sibling);
    for (const one of invitations) expectProblem(await preview(one), 'invitation-ended');
    expectProblem(await accept(invitations[0]), 'invitation-ended');
    for (const one of kept) await preview(one).expect(200);
    expect(await detailsOf('token.revoked')).toEqual({
      ...{ tokens: ids(child, grandchild), invitations: ids(...invitations) },
    });
    await revoke(stolen);
    expect(await auditEntries(api.database, team.teamId, 'token.revoked')).toHaveLength(1);
  });

  it('revokes the successors that it made of itself, whichever of them is revoked', async () => {
    for (const which of [0, 1, 2]) {
      const first = await make(owner.headers);
      const child = await make(bearer(first));
      const second = await rotate(bearer(first), first);
      const third = await rotate(bearer(second), second);
      await works(first, second, third);
      await revoke([first, second, third][which]);
      await isRevoked(first, second, third, child);
    }
  });

  it('is not what a rotation does to the old token: what it made stays', async () => {
    const old = await make(owner.headers);
    const [child, invitation] = [await make(bearer(old)), await invite(bearer(old))];
    const next = await rotate(bearer(old), old, 0);
    expectProblem(await me(old), 'token-expired');
    await works(next, child);
    await preview(invitation).expect(200);
    // The end of the old one may come by hand later on, and still tells a thief from the next one.
    await revoke(old);
    await isRevoked(next, child);
  });

  it('spares a successor that a person made, whose secret the old one never saw', async () => {
    const leaked = await make(owner.headers);
    const child = await make(bearer(leaked));
    const next = await rotate(owner.headers, leaked);
    await revoke(leaked);
    await isRevoked(leaked, child);
    await works(next);
  });

  it('revokes the successors of other tokens that it made', async () => {
    const [stolen, other] = [await make(owner.headers), await make(owner.headers)];
    const next = await rotate(bearer(stolen), other);
    await revoke(stolen);
    await isRevoked(next);
    await works(other);
  });

  it('leaves nothing that was being made at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const parent = await make(owner.headers);
      const child = await make(bearer(parent));
      const attempt = (path: string, body: object) =>
        api.http().post(`/v1/${path}`).set(bearer(child)).send(body);
      const making = [
        attempt('tokens', { name: 'late', scopes }),
        attempt(`tokens/${child.id}/rotate`, {}),
        attempt('invitations', { email: 'late@guest.test', role: 'viewer' }),
      ];
      const [answers] = await Promise.all([Promise.all(making), revoke(parent)]);
      for (const { status } of answers) expect([201, 401]).toContain(status);
      for (const { status, body } of answers.slice(0, 2)) if (status === 201) await isRevoked(body as Made);
      const { status, body } = answers[2];
      if (status === 201) expectProblem(await preview(body as Made), 'invitation-ended');
    }
  });

  it('refuses what its holder asked for just before, and was not done yet', async () => {
    const maker = await make(owner.headers);
    const client = new Client({ connectionString: api.environment.ownerUrl });
    await client.connect();
    try {
      // As a revocation that is going on does.
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM teams WHERE id = $1 FOR NO KEY UPDATE', [team.teamId]);
      const ask = async (path: string, body: object) =>
        api.http().post(`/v1/${path}`).set(bearer(maker)).send(body);
      const asked = [
        ask('tokens', { name: 'late', scopes }),
        ask(`tokens/${maker.id}/rotate`, {}),
        ask('invitations', { email: 'late@guest.test', role: 'viewer' }),
      ];
      await until(async () => {
        const { rowCount } = await client.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return rowCount === asked.length;
      }, 'all three wait for the revocation');
      await client.query('UPDATE api_tokens SET revoked_at = now() WHERE id = $1', [maker.id]);
      await client.query('COMMIT');
      for (const answer of await Promise.all(asked)) expectProblem(answer, 'token-revoked');
    } finally {
      await client.end();
    }
  });

  it('stays inside of the team', async () => {
    const stolen = await make(owner.headers);
    const theirs = await api.createTeam();
    const { token, id } = await api.teams.createApiToken(theirs.teamId, { name: 'x', scopes: ['runs:read'] });
    await api.database.forTeam(theirs.teamId, ({ apiToken }) =>
      apiToken.updateMany({
        where: { teamId: theirs.teamId, id },
        data: { madeByToken: stolen.id, rotatedFrom: stolen.id },
      }),
    );
    await revoke(stolen);
    await works({ token, id, expiresAt: null });
  });
});

describe('the end of a service account', () => {
  const prepare = async () => {
    const [pipeline, other] = [await account('pipeline'), await account('other')];
    const of = (as: Credential, { id }: Made) => make(as, { serviceAccountId: id });
    const token = await of(owner.headers, pipeline);
    const [own, foreign] = [await make(bearer(token)), await of(bearer(token), other)];
    const grandchild = await make(bearer(foreign));
    const invitations = [await invite(bearer(token)), await invite(bearer(grandchild))];
    const bystander = await of(owner.headers, other);
    return { pipeline, token, own, foreign, grandchild, invitations, bystander };
  };

  it('revokes what its tokens made for others, and their invitations, when it is disabled', async () => {
    const { pipeline, token, own, foreign, grandchild, invitations, bystander } = await prepare();
    const change = (disabled: boolean) =>
      api
        .http()
        .patch(`/v1/service-accounts/${pipeline.id}`)
        .set(owner.headers)
        .send({ disabled })
        .expect(200);
    await change(true);
    await isRevoked(token, own, foreign, grandchild);
    for (const one of invitations) expectProblem(await preview(one), 'invitation-ended');
    expect(await detailsOf('service-account.disabled')).toEqual({
      ...{ tokens: ids(foreign, grandchild), invitations: ids(...invitations) },
    });
    // Its own come back with it; what was revoked does not.
    await change(false);
    await works(token, own, bystander);
    await isRevoked(foreign, grandchild);
    for (const one of invitations) expectProblem(await preview(one), 'invitation-ended');
  });

  it('does so too when it is deleted', async () => {
    const { pipeline, token, own, foreign, grandchild, invitations, bystander } = await prepare();
    await api.http().delete(`/v1/service-accounts/${pipeline.id}`).set(owner.headers).expect(204);
    for (const one of [token, own]) expectProblem(await me(one), 'token-unknown');
    await isRevoked(foreign, grandchild);
    await works(bystander);
    for (const one of invitations) expectProblem(await preview(one), 'invitation-ended');
    expect(await detailsOf('service-account.deleted')).toEqual({
      ...{ tokens: ids(foreign, grandchild), invitations: ids(...invitations) },
    });
  });
});

describe('a token with very many children', () => {
  it('takes them all along, and the audit log counts them', async () => {
    const parent = await make(owner.headers);
    await asTableOwner(
      `INSERT INTO api_tokens (id, team_id, name, prefix, token_hash, scopes, made_by_token)
       SELECT gen_random_uuid(), $1, 'many', 'p', sha256(convert_to($2 || n, 'UTF8')), '{runs:read}', $2::uuid
       FROM generate_series(1, 40000) n`,
      [team.teamId, parent.id],
    );
    await revoke(parent);
    const left = await api.database.forTeam(team.teamId, ({ apiToken }) =>
      apiToken.count({ where: { teamId: team.teamId, name: 'many', revokedAt: null } }),
    );
    expect(left).toBe(0);
    const [entry] = await auditEntries(api.database, team.teamId, 'token.revoked');
    expect(entry.details).toMatchObject({ revokedTokenCount: 40_000 });
    expect((entry.details as { revokedTokens: string[] }).revokedTokens).toHaveLength(100);
  }, 60_000);
});

describe('what a token makes', () => {
  it('ends with it at the latest', async () => {
    const short = await make(owner.headers, { expiresInDays: 2 });
    expect((await make(bearer(short))).expiresAt).toBe(short.expiresAt);
    expect((await invite(bearer(short))).expiresAt).toBe(short.expiresAt);
  });
});
