import { ExpireSessions } from '../../src/modules/teams';
import { SessionsRepository } from '../../src/modules/teams/sessions/sessions.repository';
import { tokenHash } from '../../src/modules/teams/tokens/api-token';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { ageSession } from '../harness/session-rows';
import { signIn } from '../harness/sign-in';
import { productProcesses } from '../harness/processes';
import { until } from '../harness/until';

const dayS = 86_400;
let api: InProcessApi;
let team: TestTeam;

beforeAll(async () => {
  api = await startInProcessApi();
  team = await api.createTeam();
});
afterAll(() => api.stop());

async function whatIsLeft() {
  return api.database.withoutTeam(async ({ session, refreshToken, oidcLogin }) => ({
    sessions: (await session.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id),
    refreshTokens: await refreshToken.count(),
    oidcLogins: await oidcLogin.count(),
  }));
}

async function addOidcLogin(state: string, expiresInS: number): Promise<void> {
  const login = { nonce: 'n', codeVerifier: 'v', expiresAt: new Date(Date.now() + expiresInS * 1000) };
  await api.database.withoutTeam(({ oidcLogin }) =>
    oidcLogin.create({ data: { stateHash: tokenHash(state), ...login } }),
  );
}

describe('the chore that expires sessions', () => {
  it('deletes what has been over for a week, with its refresh tokens, and nothing else', async () => {
    const live = await signIn(api, team);
    const justOver = await signIn(api, team);
    const longOver = await signIn(api, team);
    const longEnded = await signIn(api, team);
    await ageSession(api.environment.ownerUrl, justOver.sessionId, { expiresInS: -6 * dayS });
    await ageSession(api.environment.ownerUrl, longOver.sessionId, { expiresInS: -8 * dayS });
    await api.database.withoutTeam(({ session }) =>
      session.update({
        where: { id: longEnded.sessionId },
        data: { endedAt: new Date(Date.now() - 8 * dayS * 1000), endReason: 'logout' },
      }),
    );
    await addOidcLogin('over', -1);
    await addOidcLogin('under way', 60);
    await new ExpireSessions(new SessionsRepository(api.database)).pass(new AbortController().signal);
    expect(await whatIsLeft()).toEqual({
      sessions: [live.sessionId, justOver.sessionId],
      refreshTokens: 2,
      oidcLogins: 1,
    });
  });

  it('deletes in batches of the size that it is told', async () => {
    for (let n = 0; n < 5; n++) await addOidcLogin(`batch ${n}`, -1);
    const repository = new SessionsRepository(api.database);
    const sizes = [3, 3, 3].map(() => () => repository.deleteOidcLogins(new Date(), 3));
    const deleted: number[] = [];
    for (const deleteBatch of sizes) deleted.push(await deleteBatch());
    expect(deleted).toEqual([3, 2, 0]);
  });

  it('is done by worker processes', async () => {
    await addOidcLogin('left to the worker', -1);
    const processes = productProcesses();
    await processes.startWorker(api.environment.env);
    await until(async () => (await whatIsLeft()).oidcLogins === 1, 'the worker deleted it');
    await processes.stopAll();
  });
});
