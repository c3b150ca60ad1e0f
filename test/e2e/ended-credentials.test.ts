import { JwtService } from '@nestjs/jwt';
import { type ProblemCode } from '../../src/platform/errors';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { addPerson, type Credential, signInOwner } from '../harness/team-people';

let api: InProcessApi;
let team: TestTeam;
let owner: Credential;

beforeAll(async () => {
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
  team = await api.createTeam();
  owner = (await signInOwner(api, team)).headers;
});
afterAll(() => api.stop());

const me = (credential: Credential, from: string) =>
  api.http().get('/v1/me').set(credential).set('X-Forwarded-For', from);

async function makeToken(): Promise<{ id: string; credential: Credential }> {
  const { id, token } = await api.teams.createApiToken(team.teamId, { name: 't', scopes: ['runs:read'] });
  return { id, credential: { Authorization: `Bearer ${token}` } };
}

/** One of each kind: a credential that was good once, by the code that it is refused with. */
const endings: Partial<Record<ProblemCode, () => Promise<Credential>>> = {
  'token-revoked': async () => {
    const { id, credential } = await makeToken();
    await api.http().delete(`/v1/tokens/${id}`).set(owner).expect(204);
    return credential;
  },
  'token-expired': async () => {
    const { id, credential } = await makeToken();
    await api.http().post(`/v1/tokens/${id}/rotate`).set(owner).send({ graceS: 0 }).expect(201);
    return credential;
  },
  'session-expired': async () => {
    const { headers } = await addPerson(api, team, 'viewer');
    const tokens = api.app.get(JwtService, { strict: false });
    const fresh = headers.Authorization.slice('Bearer '.length);
    const { exp: _, aud: __, iss: ___, ...claims } = tokens.decode<Record<string, unknown>>(fresh);
    return { Authorization: `Bearer ${tokens.sign(claims, { expiresIn: -60 })}` };
  },
  'session-ended': async () => {
    const { headers } = await addPerson(api, team, 'viewer');
    const { body } = await api.http().get('/v1/auth/sessions').set(headers).expect(200);
    const [{ id }] = (body as { items: { id: string }[] }).items;
    await api.http().delete(`/v1/auth/sessions/${id}`).set(headers).expect(204);
    return headers;
  },
  'membership-ended': async () => {
    const { userId, headers } = await addPerson(api, team, 'viewer');
    await api.database.forTeam(team.teamId, ({ membership }) =>
      membership.deleteMany({ where: { teamId: team.teamId, userId } }),
    );
    return headers;
  },
};

describe('requests with a credential that has ended', () => {
  it.each(Object.entries(endings).map(([code, end], i) => ({ code: code as ProblemCode, end, i })))(
    'are bounded per address: $code',
    async ({ code, end, i }) => {
      const [credential, address] = [await end(), `198.51.100.${i + 1}`];
      for (let round = 0; round < 10; round++) {
        const answers = await Promise.all(Array.from({ length: 30 }, () => me(credential, address)));
        for (const answer of answers) expectProblem(answer, code);
      }
      const refused = await me(credential, address);
      expectProblem(refused, 'rate-limited');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      // Nobody else is held up: neither what is right, nor those at other addresses.
      await me(owner, address).expect(200);
      expectProblem(await me(credential, '203.0.113.1'), code);
    },
    60_000,
  );
});
