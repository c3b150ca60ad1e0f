import { type Page } from 'playwright-core';
import { inChromium } from '../harness/chromium';
import { expectCount, expectPresentable, expectPresentableEverywhere } from '../harness/presentable';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

let web: WebBench;
let team: WebTeam;
let page: Page;

/** The row of a table with this text. */
const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = () => page.getByRole('dialog');
const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
const open = (section: string) => page.goto(`/t/${team.slug}/settings/${section}`);

/** Nothing of the page, the address or the storage holds the text. */
async function expectGone(secret: string): Promise<void> {
  const everywhere = await page.evaluate<string>(
    `document.documentElement.outerHTML + location.href + JSON.stringify(history.state)
     + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)`,
  );
  expect(everywhere).not.toContain(secret);
}

describe('the pages of an admin', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    team = await web.team();
    page = await web.signedIn(team, '/runs', { role: 'admin' });
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  it('are reached from the menu of the team', async () => {
    await page.getByRole('button', { name: /^Team / }).click();
    for (const name of ['API tokens', 'Webhooks', 'Usage', 'Audit log', 'Your account'])
      await page.getByRole('menuitem', { name }).waitFor();
    await page.getByRole('menuitem', { name: 'Members' }).click();
    await page.waitForURL(/\/settings\/members$/);
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  });

  it('change what a member may do, and remove them after asking', async () => {
    const { email } = await web.person(team, 'viewer');
    await open('members');
    await row(email).getByRole('button', { name: 'Change role' }).click();
    expect(await dialog().getByRole('radio', { name: 'viewer' }).isChecked()).toBe(true);
    // An admin makes no owners.
    await expectCount(dialog().getByRole('radio'), 3);
    await expectPresentable(page, 'members-role');
    await dialog().getByRole('radio', { name: 'member' }).check();
    await dialog().getByRole('button', { name: 'Give this role' }).click();
    await said(`${email} has the role member now.`);
    await row(email).getByRole('cell', { name: 'member', exact: true }).waitFor();
    // The focus is back at the button.
    await page.locator(`button:focus[aria-label="Change role: ${email}"]`).waitFor();

    await row(email).getByRole('button', { name: 'Remove' }).click();
    await expectPresentable(page);
    await page.keyboard.press('Escape');
    await row(email).getByRole('button', { name: 'Remove' }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await said(`${email} is not in the team any more.`);
    await expectCount(row(email), 0);
    // What had the focus is gone: it goes on where that was said.
    await page.locator(':focus').filter({ hasText: 'not in the team any more' }).waitFor();
    await expectPresentableEverywhere(page, 'members');
  });

  it('leave owners alone, and oneself', async () => {
    await open('members');
    await row(team.email).waitFor();
    await expectCount(row(team.email).getByRole('button'), 0);
    await expectCount(row('(you)').getByRole('button'), 0);
  });

  it('create a token and show it once, with the command that uses it', async () => {
    await open('tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog().getByLabel('Name').fill('nightly');
    await dialog().getByRole('checkbox', { name: 'runs:write' }).check();
    await dialog().getByLabel('Good for').selectOption('30 days');
    await dialog().getByLabel('Only these models').fill('gpt-136m');
    await dialog().getByLabel('Only these models').press('Enter');
    await expectPresentable(page, 'tokens-new');
    await dialog().getByRole('button', { name: 'Create the token' }).click();
    const shown = dialog().getByRole('group', { name: 'Shown only once' });
    const token = (await shown.locator('pre').first().textContent()) ?? '';
    await expectPresentableEverywhere(page, 'tokens-shown');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Shown only once');
    const command = (await shown.locator('pre').nth(1).textContent()) ?? '';
    expect(command).toContain(`curl -T trace.json.gz -H "Authorization: Bearer ${token}"`);
    expect(command).toContain('/v1/ingest?model=gpt-136m&cluster=here');
    const me = await fetch(`${web.bench.api.baseUrl}/v1/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await me.json()).toMatchObject({ kind: 'token', scopes: ['runs:write'] });

    await shown.getByRole('button', { name: 'Done' }).click();
    await row('nightly').getByText('models: gpt-136m').waitFor();
    await row('nightly').getByText('in 4 weeks').or(row('nightly').getByText('in 30 days')).waitFor();
    await expectGone(token);
    await page.goBack();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goForward();
    await row('nightly').waitFor();
    await expectGone(token);
  });

  it('say what the API refuses about a token, in the dialog', async () => {
    await open('tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog().getByLabel('Name').fill('useless');
    await dialog().getByRole('button', { name: 'Create the token' }).click();
    await dialog().getByRole('alert').getByText('validation-failed').waitFor();
    await expectPresentable(page);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await expectCount(dialog(), 0);
  });

  it('rotate a token with a grace, and revoke one', async () => {
    const { body } = await team.client.call<{ token: string }>('POST', '/v1/tokens', {
      name: 'turning',
      scopes: ['runs:read'],
    });
    const works = async (token: string) =>
      (await fetch(`${web.bench.api.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).ok;
    await open('tokens');
    await row('turning').getByRole('button', { name: 'Rotate' }).click();
    await dialog().getByLabel('The old token still works for').selectOption('Not at all');
    await expectPresentable(page);
    await dialog().getByRole('button', { name: 'Rotate' }).click();
    const rotated = (await dialog().locator('pre').first().textContent()) ?? '';
    expect([await works(body.token), await works(rotated)]).toEqual([false, true]);
    await dialog().getByRole('button', { name: 'Done' }).click();
    await row('turning').getByText('expired').waitFor();

    await row('turning').getByRole('button', { name: 'Revoke' }).click();
    await dialog().getByRole('button', { name: 'Revoke' }).click();
    await said('The token turning is revoked.');
    expect(await works(rotated)).toBe(false);
    await row('turning').getByText('revoked').waitFor();
  });

  it('keep service accounts, whose tokens are disabled and deleted together', async () => {
    await open('tokens');
    await page.getByRole('button', { name: 'New service account' }).click();
    await dialog().getByLabel('Name').fill('pipeline');
    await dialog().getByLabel('Description').fill('Uploads the traces of the nightly runs.');
    await expectPresentable(page);
    await dialog().getByRole('button', { name: 'Create' }).click();
    await said('pipeline is there.');
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog().getByLabel('Name').fill('of the account');
    await dialog().getByRole('checkbox', { name: 'runs:read' }).check();
    await dialog().getByLabel('Service account').selectOption('pipeline');
    await dialog().getByRole('button', { name: 'Create the token' }).click();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await row('of the account').getByText('for pipeline').waitFor();
    await expectPresentableEverywhere(page, 'tokens');

    const accounts = page.getByRole('region', { name: 'Service accounts' });
    await accounts.getByRole('button', { name: 'Disable: pipeline' }).click();
    await dialog().getByRole('button', { name: 'Disable' }).click();
    await said('pipeline is disabled.');
    await accounts.getByRole('button', { name: 'Enable: pipeline' }).click();
    await said('pipeline is enabled');
    await accounts.getByRole('button', { name: 'Delete: pipeline' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await said('pipeline is deleted.');
    await page.getByText('of the account').waitFor({ state: 'detached' });
  });

  it('show what is used of the quotas, in bars and numbers', async () => {
    await web.bench.query(
      `UPDATE teams SET max_stored_bytes = 2000000000, max_runs_per_day = 10 WHERE id = $1::uuid`,
      team.teamId,
    );
    for (let i = 0; i < 9; i++) await team.client.createRun({ model: 'gpt-136m', cluster: 'h200' });
    await open('usage');
    await page.getByText('9 of 10 (90 %)').waitFor();
    await page.getByText(/^0 B of 2\.00 GB$/).waitFor();
    const bar = page.getByRole('progressbar', { name: 'Runs today' });
    expect(await bar.getAttribute('aria-valuenow')).toBe('90');
    await page.getByRole('row', { name: /^All 30 days 9 0 B 0 0 s/ }).waitFor();
    await expectPresentableEverywhere(page, 'usage');
    await page.getByLabel('Days').selectOption('7');
    await page.waitForURL(/\?days=7$/);
    await page.getByRole('row', { name: /^All 7 days/ }).waitFor();
  });
});
