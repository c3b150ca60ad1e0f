import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, ownerPassword, startInProcessApi } from '../harness/in-process-api';

let api: InProcessApi;

beforeAll(async () => {
  // One proxy is believed, so that a test can come from several addresses.
  api = await startInProcessApi({ TRUST_PROXY_HOPS: '1' });
});
afterAll(() => api.stop());

const login = (from: string, email: string, password: string) =>
  api.http().post('/v1/auth/login').set('X-Forwarded-For', from).send({ email, password });

describe('the rate of attempts to log in', () => {
  it('is bounded per e-mail address, from wherever they come, and for the right password too', async () => {
    const victim = await api.createTeam();
    for (let attempt = 0; attempt < 10; attempt++) {
      expectProblem(await login(`192.0.2.${attempt}`, victim.ownerEmail, 'guess'), 'login-failed');
    }
    const refused = await login('192.0.2.100', victim.ownerEmail.toUpperCase(), ownerPassword);
    expectProblem(refused, 'rate-limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(300);
    const bystander = await api.createTeam();
    await login('192.0.2.100', bystander.ownerEmail, ownerPassword).expect(200);
  });

  it('is bounded per address of the client, whatever the e-mail address', async () => {
    for (let attempt = 0; attempt < 30; attempt++) {
      expectProblem(await login('198.51.100.1', `guess${attempt}@nowhere.test`, 'x'), 'login-failed');
    }
    expectProblem(await login('198.51.100.1', 'another@nowhere.test', 'x'), 'rate-limited');
    // Addresses before the proxy's own word are the client's invention.
    expectProblem(await login('203.0.113.9, 198.51.100.1', 'another@nowhere.test', 'x'), 'rate-limited');
    expectProblem(await login('198.51.100.2', 'another@nowhere.test', 'x'), 'login-failed');
  });
});
