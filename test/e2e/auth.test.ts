import { JwtService } from '@nestjs/jwt';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';
import { signIn } from '../harness/sign-in';

let api: InProcessApi;
let team: TestTeam;

beforeAll(async () => {
  api = await startInProcessApi();
  team = await api.createTeam();
});
afterAll(() => api.stop());

const login = (body: object) => api.http().post('/v1/auth/login').send(body);

async function asOwner<T>(sql: string, values: unknown[]): Promise<T[]> {
  const client = new Client({ connectionString: api.environment.ownerUrl });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as T[];
  } finally {
    await client.end();
  }
}

describe('POST /v1/auth/login', () => {
  it('gives an access token that GET /v1/me knows', async () => {
    const response = await login({ email: team.ownerEmail.toUpperCase(), password: ownerPassword }).expect(
      200,
    );
    expect(response.body).toEqual({
      accessToken: expect.any(String),
      expiresInS: 900,
      refreshToken: expect.stringMatching(/^ssr_[\w-]{43}$/),
      team: { id: team.teamId, slug: team.slug, name: team.slug },
    });
    expect(response.headers['cache-control']).toBe('no-store');
    const me = await api.http().get('/v1/me').auth(response.body.accessToken, { type: 'bearer' }).expect(200);
    expect(me.body).toMatchObject({
      kind: 'user',
      id: team.ownerId,
      email: team.ownerEmail,
      role: 'owner',
      team: { slug: team.slug },
      teams: [{ id: team.teamId, slug: team.slug, name: team.slug }],
      scopes: ['runs:read', 'runs:write', 'gates:evaluate', 'admin'],
    });
  });

  it('answers alike to a wrong password and to an unknown address', async () => {
    const wrong = expectProblem(await login({ email: team.ownerEmail, password: 'wrong' }), 'login-failed');
    const unknown = expectProblem(
      await login({ email: 'nobody@nowhere.test', password: 'x' }),
      'login-failed',
    );
    expect({ ...wrong, instance: '' }).toEqual({ ...unknown, instance: '' });
  });

  it('takes as long for an unknown address as for a wrong password', async () => {
    const timed = async (email: string) => {
      const started = performance.now();
      await login({ email, password: 'wrong' });
      return performance.now() - started;
    };
    const other = await api.createTeam();
    await timed('warm@up.test');
    const wrongMs = [
      await timed(other.ownerEmail),
      await timed(other.ownerEmail),
      await timed(other.ownerEmail),
    ];
    const unknownMs = [
      await timed('a@nowhere.test'),
      await timed('b@nowhere.test'),
      await timed('c@nowhere.test'),
    ];
    // Without the decoy an unknown address takes a tenth of the time.
    expect(Math.min(...unknownMs)).toBeGreaterThan(Math.min(...wrongMs) / 2);
  });

  it('stores passwords as argon2id', async () => {
    const [row] = await asOwner<{ hash: string }>('SELECT password_hash AS hash FROM users WHERE id = $1', [
      team.ownerId,
    ]);
    expect(row.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('asks people in several teams which one they mean', async () => {
    const first = await api.createTeam();
    const slug = `second-${first.slug}`;
    await api.teams.createTeamWithOwner({
      slug,
      owner: { email: first.ownerEmail, password: 'is not changed' },
    });
    const credentials = { email: first.ownerEmail, password: ownerPassword };
    expect(expectProblem(await login(credentials), 'team-required').detail).toContain(slug);
    expect((await login({ ...credentials, team: slug }).expect(200)).body.team.slug).toBe(slug);
    expectProblem(await login({ ...credentials, team: team.slug }), 'not-a-member');
  });

  it('lists every field that is not valid', async () => {
    const problem = expectProblem(
      await login({ email: 'nonsense', password: '', extra: 1 }),
      'validation-failed',
    );
    expect(problem.errors?.map(({ field }) => field).sort()).toEqual(['email', 'extra', 'password']);
    expectProblem(await login(['a']), 'validation-failed');
  });
});

describe('access tokens', () => {
  const me = (token: string) => api.http().get('/v1/me').set('Authorization', `Bearer ${token}`);
  let sid: string;
  const claims = () => ({ sub: team.ownerId, team: team.teamId, role: 'owner', email: team.ownerEmail, sid });
  const sign = (payload: object, options: object = {}) =>
    new JwtService({ secret: api.environment.env.JWT_SECRET }).signAsync(payload, {
      issuer: 'stallscope',
      audience: 'stallscope-api',
      expiresIn: 60,
      ...options,
    });

  beforeAll(async () => {
    ({ sessionId: sid } = await signIn(api, team));
  });

  it('are told apart by what is wrong with them', async () => {
    await me(await sign(claims())).expect(200);
    expectProblem(await me(await sign(claims(), { expiresIn: -10 })), 'session-expired');
    expectProblem(await me(await sign(claims(), { secret: 'y'.repeat(40) })), 'session-invalid');
    expectProblem(await me(await sign(claims(), { algorithm: 'HS512' })), 'session-invalid');
    expectProblem(await me(await sign(claims(), { audience: 'another' })), 'session-invalid');
    expectProblem(await me(await sign({ ...claims(), team: 'x' })), 'session-invalid');
    expectProblem(await me(await sign({ ...claims(), sid: undefined })), 'session-invalid');
    const nonsense = expectProblem(await me('nonsense'), 'session-invalid');
    expect(nonsense.detail).toContain('an API token, which begins with sst_');
    expect(nonsense.action).toContain('POST /v1/tokens');
    const [header, payload] = (await sign(claims())).split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    expectProblem(await me(`${none}.${payload}.`), 'session-invalid');
    expectProblem(await me(`${header}.${payload}.`), 'session-invalid');
  });

  it('end with the membership, and follow the role, before they expire', async () => {
    const other = await api.createTeam();
    const { accessToken: token } = await signIn(api, other);
    await asOwner('UPDATE memberships SET role = $2 WHERE user_id = $1', [other.ownerId, 'viewer']);
    expect((await me(token).expect(200)).body.scopes).toEqual(['runs:read']);
    const listed = await api.http().get('/v1/tokens').set('Authorization', `Bearer ${token}`);
    expect(expectProblem(listed, 'scope-missing').detail).toContain('admin');
    await asOwner('DELETE FROM memberships WHERE user_id = $1', [other.ownerId]);
    expectProblem(await me(token), 'membership-ended');
    // A genuine token for a team that its owner never was in.
    expectProblem(await me(await sign({ ...claims(), team: other.teamId })), 'membership-ended');
    expectProblem(await me(await sign({ ...claims(), sub: randomUUID() })), 'membership-ended');
    // Genuine tokens of a session that is not there, and of somebody else's.
    expectProblem(await me(await sign({ ...claims(), sid: randomUUID() })), 'session-ended');
    const stranger = await signIn(api, await api.createTeam());
    expectProblem(await me(await sign({ ...claims(), sid: stranger.sessionId })), 'session-ended');
  });

  it('must be there', async () => {
    const response = await api.http().get('/v1/me');
    expectProblem(response, 'unauthenticated');
    expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
    expectProblem(await api.http().get('/v1/me').set('Authorization', 'Basic YTpi'), 'unauthenticated');
  });
});
