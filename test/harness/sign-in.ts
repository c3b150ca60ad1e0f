import { type InProcessApi, ownerPassword, type TestTeam } from './in-process-api';
import { freshAddress } from './team-people';

export interface SignedIn {
  accessToken: string;
  refreshToken: string;
  sessionId: string;
}

/** Logs the owner of a team in. */
export async function signIn(api: InProcessApi, { ownerEmail, slug }: TestTeam): Promise<SignedIn> {
  const credentials = { email: ownerEmail, password: ownerPassword, team: slug };
  const { body } = await api.http().post('/v1/auth/login').set(freshAddress()).send(credentials).expect(200);
  const { accessToken, refreshToken } = body as { accessToken: string; refreshToken: string };
  return { accessToken, refreshToken, sessionId: sessionOf(accessToken) };
}

/** The session that an access token came from. */
export function sessionOf(accessToken: string): string {
  const [, payload] = accessToken.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string };
  return claims.sid;
}
