import { auditEntries } from '../harness/audit-log';
import { Browser } from '../harness/browser';
import { expectFetchedProblem } from '../harness/expect-problem';
import { goThroughProvider, type OidcBench, signInAs, startOidcBench } from '../harness/oidc-bench';
import { holdRow } from '../harness/session-rows';
import { until } from '../harness/until';
import { type Role } from '../../src/modules/teams';
import { tokenHash } from '../../src/modules/teams/tokens/api-token';

const email = (name: string) => `${name}@example.test`;
const names = ['ann', 'ben', 'cleo', 'dan', 'edith', 'fay', 'gus', 'hal', 'ida'];
const accounts = Object.fromEntries(
  names.map((name) => [name, { email: email(name), email_verified: true, name }]),
);
const strangersPassword = 'chosen by a stranger';

let bench: OidcBench;
const teamIds: Record<string, string> = {};

async function start(overrides: Record<string, string> = {}): Promise<void> {
  bench = await startOidcBench(accounts, overrides);
  for (const slug of ['everybody', 'pushy', 'other']) {
    const owner = { email: email(`owner-of-${slug}`), password: 'a long enough password' };
    ({ teamId: teamIds[slug] } = await bench.teams.createTeamWithOwner({ slug, owner }));
  }
}

async function invite(name: string, slug: string, role: Role = 'member'): Promise<string> {
  const teamId = teamIds[slug];
  const data = { teamId, email: email(name), role, tokenHash: tokenHash(`${name} to ${slug} as ${role}`) };
  const expiresAt = new Date(Date.now() + 60_000);
  const { id } = await bench.database.forTeam(teamId, ({ invitation }) =>
    invitation.create({ data: { ...data, expiresAt } }),
  );
  return id;
}

const startOf = (team?: string) =>
  `${bench.url}/v1/auth/oidc/start${team === undefined ? '' : `?team=${team}`}`;
const call = (path: string, accessToken: string) =>
  fetch(`${bench.url}${path}`, { headers: { Authorization: `Bearer ${accessToken}` } });
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${bench.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const userOf = (name: string) =>
  bench.database.withoutTeam(({ user }) => user.findUnique({ where: { email: email(name) } }));
const isAccepted = async (slug: string, id: string) => {
  const where = { teamId: teamIds[slug], id };
  const found = await bench.database.forTeam(where.teamId, (scope) =>
    scope.invitation.findFirstOrThrow({ where }),
  );
  return found.acceptedAt !== null;
};

/** Signs in and tells as what to which team. */
async function signedInAs(name: string, team?: string): Promise<string> {
  const response = await signInAs(startOf(team), name);
  const body = (await response.json()) as { accessToken: string; team: { slug: string } };
  expect(body).toMatchObject({ accessToken: expect.any(String) });
  const me = (await (await call('/v1/me', body.accessToken)).json()) as { role: string };
  return `${me.role} of ${body.team.slug}`;
}

/** An account that somebody made with an invitation to an address that may not be theirs. */
async function addUnproven(name: string, slugs: string[]): Promise<string> {
  const account = { email: email(name), password: strangersPassword, role: 'viewer' as const };
  for (const slug of slugs) await bench.teams.addMember(teamIds[slug], account);
  if (slugs.length === 0) {
    const data = { email: account.email, name, passwordHash: 'of a stranger' };
    await bench.database.withoutTeam(({ user }) => user.create({ data }));
  }
  const { id } = (await userOf(name)) ?? { id: '' };
  await bench.database.withoutTeam(({ user }) =>
    user.update({ where: { id }, data: { addressProven: false } }),
  );
  return id;
}

async function logInAsStranger(name: string): Promise<string> {
  const response = await post('/v1/auth/login', { email: email(name), password: strangersPassword });
  return ((await response.json()) as { accessToken: string }).accessToken;
}

describe('with a team that everybody joins', () => {
  beforeAll(() => start({ OIDC_AUTO_JOIN_TEAM: 'everybody' }));
  afterAll(() => bench.stop());

  it('no other team gets people by inviting them before their first sign-in', async () => {
    const invited = await invite('ann', 'pushy', 'admin');
    expect(await signedInAs('ann')).toBe('viewer of everybody');
    expect(await isAccepted('pushy', invited)).toBe(false);
    expect(await auditEntries(bench.database, teamIds.pushy, 'invitation.accepted')).toEqual([]);
    // But who names the team wants it, also as a member of another one; and stays where they were first.
    expect(await signedInAs('ann', 'pushy')).toBe('admin of pushy');
    expect(await isAccepted('pushy', invited)).toBe(true);
    expect(await signedInAs('ann')).toBe('viewer of everybody');
  });

  it('an invitation to that team gives its role', async () => {
    await invite('ben', 'pushy', 'admin');
    await invite('ben', 'everybody', 'member');
    expect(await signedInAs('ben')).toBe('member of everybody');
  });

  it('who came into another team first joins it by naming it, in the role of everybody', async () => {
    await invite('cleo', 'pushy');
    expect(await signedInAs('cleo', 'pushy')).toBe('member of pushy');
    expect(await signedInAs('cleo')).toBe('member of pushy');
    expect(await signedInAs('cleo', 'everybody')).toBe('viewer of everybody');
    const { id } = (await userOf('cleo')) ?? { id: '' };
    const added = await auditEntries(bench.database, teamIds.everybody, 'member.added');
    expect(added.find(({ targetId }) => targetId === id)).toMatchObject({
      actorKind: 'user',
      actorId: id,
      actorName: email('cleo'),
      details: { email: email('cleo'), role: 'viewer', how: 'OIDC_AUTO_JOIN_TEAM' },
    });
    await expectFetchedProblem(await signInAs(startOf('other'), 'cleo'), 'not-a-member');
  });
});

describe('without a team that everybody joins', () => {
  beforeAll(() => start());
  afterAll(() => bench.stop());

  it('the only team that invited somebody gets them; of several one must be named', async () => {
    await invite('ann', 'other', 'viewer');
    await invite('ann', 'other', 'member');
    expect(await signedInAs('ann')).toBe('member of other');
    const { id } = (await userOf('ann')) ?? { id: '' };
    for (const action of ['member.added', 'invitation.accepted', 'identity.linked'] as const) {
      const entries = await auditEntries(bench.database, teamIds.other, action);
      expect(entries.filter(({ actorId }) => actorId === id)).toHaveLength(1);
    }

    await invite('ben', 'other');
    await invite('ben', 'pushy');
    const problem = await expectFetchedProblem(await signInAs(startOf(), 'ben'), 'team-required');
    expect(problem.detail).toMatch(/pushy, other|other, pushy/);
    expect(await userOf('ben')).toBeNull();
    expect(await signedInAs('ben', 'other')).toBe('member of other');
  });

  it.each([
    ['cleo', ['other'], 'pushy', 'not-a-member'],
    ['dan', [], undefined, 'not-a-member'],
    ['edith', ['other', 'pushy'], 'everybody', 'not-a-member'],
  ] as const)(
    'the password of a stranger goes even if %s gets in nowhere',
    async (name, slugs, team, code) => {
      const id = await addUnproven(name, [...slugs]);
      const stranger = slugs.length === 1 ? await logInAsStranger(name) : undefined;
      await expectFetchedProblem(await signInAs(startOf(team), name), code);
      expect(await userOf(name)).toMatchObject({ passwordHash: null, addressProven: true });
      if (stranger !== undefined) await expectFetchedProblem(await call('/v1/me', stranger), 'session-ended');
      const identities = await bench.database.withoutTeam(({ userIdentity }) =>
        userIdentity.count({ where: { userId: id } }),
      );
      expect(identities).toBe(1);
    },
  );

  it.each([
    ['before', 'fay'],
    ['after', 'ida'],
  ])('a stranger whose change of the password is written just %s that is out', async (order, name) => {
    const id = await addUnproven(name, ['other']);
    const Authorization = `Bearer ${await logInAsStranger(name)}`;
    const browser = new Browser();
    const callback = await goThroughProvider(browser, startOf(), name);
    const change = { currentPassword: strangersPassword, newPassword: `${strangersPassword} again` };
    const held = await holdRow(bench.environment.ownerUrl, 'users', id);
    const inOrder: Promise<Response>[] = [];
    const acts = [
      () => browser.get(callback.href),
      () => post('/v1/auth/password', change, { Authorization }),
    ];
    for (const act of order === 'after' ? acts : acts.reverse()) {
      inOrder.push(act());
      // The old password was right when it was checked.
      await until(async () => (await held.waiting()) === inOrder.length, 'it waits to write');
    }
    await held.release();
    const [first, second] = await Promise.all(inOrder);
    if (order === 'after') await expectFetchedProblem(second, 'session-ended');
    expect([first.status, second.status]).toEqual(order === 'after' ? [200, 401] : [204, 200]);
    expect(await userOf(name)).toMatchObject({ passwordHash: null, addressProven: true });
    await expectFetchedProblem(
      await fetch(`${bench.url}/v1/me`, { headers: { Authorization } }),
      'session-ended',
    );
    const login = { email: email(name), password: change.newPassword };
    await expectFetchedProblem(await post('/v1/auth/login', login), 'login-failed');
  });

  it('nobody joins a team that is being deleted, or by an invitation that is gone', async () => {
    const toDeleted = await invite('gus', 'pushy');
    const toRevoked = await invite('hal', 'other');
    const meanwhile = async (name: string, table: 'teams' | 'invitations', id: string, change: string) => {
      const browser = new Browser();
      const callback = await goThroughProvider(browser, startOf(), name);
      const held = await holdRow(bench.environment.ownerUrl, table, id);
      const signingIn = browser.get(callback.href);
      await until(async () => (await held.waiting()) === 1, 'the sign-in waits');
      await held.change(change);
      await held.release();
      return signingIn;
    };
    const revoked = await meanwhile('hal', 'invitations', toRevoked, 'revoked_at = now()');
    await expectFetchedProblem(revoked, 'invitation-ended');
    const deleted = await meanwhile('gus', 'teams', teamIds.pushy, 'deleted_at = now()');
    await expectFetchedProblem(deleted, 'not-found');
    expect(await isAccepted('pushy', toDeleted)).toBe(false);
    expect([await userOf('gus'), await userOf('hal')]).toEqual([null, null]);
  });
});
