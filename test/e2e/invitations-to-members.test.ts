import { type Role, roles } from '../../src/modules/teams';
import { auditEntries } from '../harness/audit-log';
import { expectProblem } from '../harness/expect-problem';
import {
  type InProcessApi,
  ownerPassword,
  startInProcessApi,
  type TestTeam,
} from '../harness/in-process-api';
import { addPerson, freshAddress, signInOwner, type TeamPerson } from '../harness/team-people';

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

interface Invitation {
  id: string;
  token: string;
}

async function invite(email: string, role: Role, by = owner): Promise<Invitation> {
  const { body } = await api.http().post('/v1/invitations').set(by.headers).send({ email, role }).expect(201);
  return body as Invitation;
}
/** One invitation to each role. */
async function inviteToAll(email: string, by = owner): Promise<Map<Role, Invitation>> {
  const made = new Map<Role, Invitation>();
  for (const role of roles) made.set(role, await invite(email, role, by));
  return made;
}
async function openRoles(invitations: Map<Role, Invitation>): Promise<Role[]> {
  const open: Role[] = [];
  for (const [role, { token }] of invitations) {
    const { status } = await api.http().post('/v1/invitations/preview').set(freshAddress()).send({ token });
    if (status === 200) open.push(role);
  }
  return open;
}
const accept = ({ token }: Invitation) =>
  api.http().post('/v1/invitations/accept').set(freshAddress()).send({ token, password: ownerPassword });
const change = ({ userId }: TeamPerson, role: Role) =>
  api.http().patch(`/v1/members/${userId}`).set(owner.headers).send({ role }).expect(200);
const remove = ({ userId }: TeamPerson, by = owner) =>
  api.http().delete(`/v1/members/${userId}`).set(by.headers).expect(204);
const stored = ({ userId }: TeamPerson) =>
  api.database.forTeam(team.teamId, ({ membership }) =>
    membership.findFirst({ where: { teamId: team.teamId, userId } }),
  );

describe('invitations to somebody whose role is taken away', () => {
  it.each<[Role, Role[]]>([
    ['admin', ['admin', 'member', 'viewer']],
    ['member', ['member', 'viewer']],
    ['viewer', ['viewer']],
  ])('are revoked above the new role: %s', async (role, left) => {
    const person = await addPerson(api, team, 'owner');
    const invitations = await inviteToAll(person.email.toUpperCase());
    const others = await inviteToAll('bystander@guest.test');
    await change(person, role);
    expect(await openRoles(invitations)).toEqual(left);
    expect(await openRoles(others)).toEqual(roles);

    const higher = [...invitations].filter(([other]) => !left.includes(other));
    expectProblem(await accept(higher[0][1]), 'invitation-ended');
    expect(await stored(person)).toMatchObject({ role });
    const [entry] = await auditEntries(api.database, team.teamId, 'member.role-changed');
    const { revokedInvitations } = entry.details as { revokedInvitations: string[] };
    expect(revokedInvitations.sort()).toEqual(higher.map(([, { id }]) => id).sort());
  });

  it.each(['removed', 'leaving'])('are revoked all when somebody is %s', async (how) => {
    const person = await addPerson(api, team, 'admin');
    const invitations = await inviteToAll(person.email);
    const others = await inviteToAll('bystander@guest.test');
    const other = await api.createTeam();
    const elsewhere = await inviteToAll(person.email, await signInOwner(api, other));
    await remove(person, how === 'leaving' ? person : owner);
    expect(await openRoles(invitations)).toEqual([]);
    expect(await openRoles(others)).toEqual(roles);
    expect(await openRoles(elsewhere)).toEqual(roles);
    for (const one of invitations.values()) expectProblem(await accept(one), 'invitation-ended');
    expect(await stored(person)).toBeNull();
    const [entry] = await auditEntries(api.database, team.teamId, 'member.removed');
    expect((entry.details as { revokedInvitations: string[] }).revokedInvitations).toHaveLength(4);

    // Who is invited again afterwards is welcome.
    expect((await accept(await invite(person.email, 'viewer'))).status).toBe(200);
  });

  it('give no role back when both happen at once, again and again', async () => {
    for (let round = 0; round < 8; round++) {
      const person = await addPerson(api, team, 'admin');
      const invitation = await invite(person.email, 'admin');
      const [{ status }] = await Promise.all([accept(invitation), change(person, 'viewer')]);
      expect([200, 410, 409]).toContain(status);
      expect(await stored(person)).toMatchObject({ role: 'viewer' });
    }
  });
});
