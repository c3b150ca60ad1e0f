import { type Browser, type Page } from 'playwright-core';
import { ensureWebBuilt } from '../harness/build';
import { inChromium, launchChromium } from '../harness/chromium';
import { type OidcBench, startOidcBench } from '../harness/oidc-bench';
import { expectCount, expectPresentable } from '../harness/presentable';

const { describe, executablePath } = inChromium();

const owner = { email: 'ada@example.test', password: 'correct horse battery staple' };

let bench: OidcBench;
let browser: Browser;

describe('signing in with the provider of the organisation', () => {
  beforeAll(async () => {
    await ensureWebBuilt();
    bench = await startOidcBench({});
    await bench.teams.createTeamWithOwner({ slug: 'first', owner });
    browser = await launchChromium(executablePath);
  }, 240_000);
  afterAll(async () => {
    await browser.close();
    await bench.stop();
  });

  async function open(path: string, options = {}): Promise<Page> {
    const context = await browser.newContext({ baseURL: bench.url, ...options });
    const page = await context.newPage();
    await page.goto(path);
    return page;
  }

  it.each(['light', 'dark'] as const)('says why it failed, and forgets it, %s', async (colorScheme) => {
    const page = await open('/t/first/runs?model=x', { colorScheme, viewport: { width: 400, height: 800 } });
    await page.waitForURL(/\/sign-in\?to=/);
    const address = page.url();
    // The provider of this test takes a click without an account for one on Cancel.
    await page.getByRole('link', { name: /^Sign in with 127/ }).click();
    await page.getByRole('alert').getByText('oidc-refused').waitFor();
    await page.getByText('access_denied').waitFor();
    expect(decodeURIComponent(page.url())).toBe(decodeURIComponent(address));
    await expectPresentable(page, `sign-in-refused-${colorScheme}`);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in to Stallscope' }).waitFor();
    await expectCount(page.getByRole('alert'), 0);
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/t\/first\/runs\?model=x$/);
  });

  it('says so when it was begun elsewhere', async () => {
    const page = await open('/v1/auth/oidc/callback?state=made-up&code=x');
    await page.waitForURL(/\/sign-in$/);
    await page.getByRole('alert').getByText('oidc-login-invalid').waitFor();
    await page.goto('/v1/auth/oidc/start?team=NOT%20A%20SLUG');
    await page.getByRole('alert').getByText('validation-failed').waitFor();
  });

  it('gives clients that are no browsers the problem itself', async () => {
    const path = `${bench.url}/v1/auth/oidc/callback?state=made-up`;
    for (const accept of ['*/*', 'application/json', 'application/problem+json']) {
      const response = await fetch(path, { headers: { accept }, redirect: 'manual' });
      expect([response.status, response.headers.get('set-cookie')]).toEqual([400, null]);
      expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(await response.json()).toMatchObject({ code: 'oidc-login-invalid' });
    }
    const page = await fetch(path, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/sign-in']);
    expect(page.headers.get('set-cookie')).toMatch(
      /^stallscope_problem=[^;]+; Max-Age=60; Path=\/sign-in; SameSite=Lax$/,
    );
  });
});
