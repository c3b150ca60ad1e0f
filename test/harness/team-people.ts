import { randomBytes, randomInt } from 'node:crypto';
import { type Role } from '../../src/modules/teams';
import { type InProcessApi, ownerPassword, type TestTeam } from './in-process-api';

/** Somebody in a team, signed in. */
export interface TeamPerson {
  userId: string;
  email: string;
  headers: Credential;
}

export type Credential = Record<'Authorization', string>;

/** With `TRUST_PROXY_HOPS=1`: another client for each request, so that the limit of attempts from one address is not met. */
export function freshAddress(): { 'X-Forwarded-For': string } {
  return { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` };
}

/** Signs somebody in to a team; the password is `ownerPassword` unless given. */
export async function signInTo(
  api: InProcessApi,
  { slug }: Pick<TestTeam, 'slug'>,
  email: string,
  password = ownerPassword,
): Promise<TeamPerson> {
  const credentials = { email, password, team: slug };
  const login = await api.http().post('/v1/auth/login').set(freshAddress()).send(credentials).expect(200);
  const headers = { Authorization: `Bearer ${(login.body as { accessToken: string }).accessToken}` };
  const me = await api.http().get('/v1/me').set(headers).expect(200);
  return { userId: (me.body as { id: string }).id, email, headers };
}

const freshEmail = (role: Role, slug: string) => `${role}-${randomBytes(4).toString('hex')}@${slug}.test`;

/** A new member of the team, who cannot sign in. */
export async function addMember(
  api: InProcessApi,
  { teamId, slug }: TestTeam,
  role: Role,
): Promise<Omit<TeamPerson, 'headers'>> {
  const email = freshEmail(role, slug);
  return api.database.forTeam(teamId, async ({ user, membership }) => {
    const { id: userId } = await user.create({ data: { email, name: email } });
    await membership.create({ data: { teamId, userId, role } });
    return { userId, email };
  });
}

/** A new member of the team, signed in. */
export async function addPerson(api: InProcessApi, team: TestTeam, role: Role): Promise<TeamPerson> {
  const email = freshEmail(role, team.slug);
  await api.teams.addMember(team.teamId, { email, password: ownerPassword, role });
  return signInTo(api, team, email);
}

/** The owner of the team, signed in. */
export async function signInOwner(api: InProcessApi, team: TestTeam): Promise<TeamPerson> {
  return signInTo(api, team, team.ownerEmail);
}
