import { type ApiProcess, productProcesses } from '../harness/processes';
import { createTestEnvironment, type TestEnvironment } from '../harness/environment';

const processes = productProcesses();
let environment: TestEnvironment;
let apis: ApiProcess[];

beforeAll(async () => {
  environment = await createTestEnvironment({ TRUST_PROXY_HOPS: '1' });
  apis = [await processes.startApi(environment.env), await processes.startApi(environment.env)];
});
afterAll(async () => {
  await processes.stopAll();
  await environment.drop();
});

const login = ({ baseUrl }: ApiProcess, from: string, email: string) =>
  fetch(`${baseUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    body: JSON.stringify({ email, password: 'a guess' }),
  });
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

describe('many attempts to log in', () => {
  it('are counted over all processes', async () => {
    for (let attempt = 0; attempt < 10; attempt++) {
      const response = await login(apis[attempt % 2], `192.0.2.${attempt}`, 'somebody@nowhere.test');
      expect(await codeOf(response)).toBe('login-failed');
    }
    for (const api of apis) {
      expect(await codeOf(await login(api, '192.0.2.200', 'somebody@nowhere.test'))).toBe('rate-limited');
    }
  });

  it('at once are worked off a few at a time, and refused with Retry-After beyond that', async () => {
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, n) => login(apis[0], `198.51.100.${n}`, `n${n}@nowhere.test`)),
    );
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy.length).toBeGreaterThan(0);
    for (const response of busy) {
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await codeOf(response)).toBe('sign-in-busy');
    }
    // Those that found room were answered properly.
    const answered = answers.filter(({ status }) => status === 401);
    expect(answered.length).toBeGreaterThanOrEqual(42);
    expect(busy.length + answered.length).toBe(150);
    expect(await codeOf(await login(apis[0], '203.0.113.1', 'later@nowhere.test'))).toBe('login-failed');
  });
});
