import { type Page } from 'playwright-core';
import { inChromium } from '../harness/chromium';
import { expectCount, expectPresentable, expectPresentableEverywhere } from '../harness/presentable';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();
const password = 'correct horse battery staple';
const newPassword = 'four words of my own';

let web: WebBench;
let team: WebTeam;

const open = async (page: Page) => {
  await page.goto(`/t/${team.slug}/settings/account`);
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
};

describe('the page of an account', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    team = await web.team();
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  it('changes the password, which ends the other sessions', async () => {
    const person = await web.person(team, 'viewer');
    const [page, elsewhere] = [await web.page(), await web.page()];
    for (const one of [page, elsewhere]) {
      await one.goto(`/t/${team.slug}/runs`);
      await web.signIn(one, person);
    }
    await open(page);
    await page.getByText(person.email).first().waitFor();
    await expectCount(page.getByRole('row').filter({ hasText: 'Chrome on Linux' }), 2);
    await expectPresentableEverywhere(page, 'account');
    const change = async (current: string) => {
      await page.getByRole('textbox', { name: 'Current password' }).fill(current);
      await page.getByRole('textbox', { name: 'New password' }).fill(newPassword);
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    await change('not the password');
    await page.getByRole('alert').getByText('password-wrong').waitFor();
    await change(password);
    await page.getByRole('status').filter({ hasText: 'The new password holds' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'New password' }).inputValue()).toBe('');
    await page.getByRole('row').filter({ hasText: 'this one' }).waitFor();
    await expectCount(page.getByRole('row').filter({ hasText: 'Chrome on Linux' }), 1);
    await elsewhere.goto(`/t/${team.slug}/runs`);
    await elsewhere.waitForURL(/\/sign-in/);
  });

  it('ends a session elsewhere', async () => {
    const person = await web.person(team, 'viewer');
    const [page, elsewhere] = [await web.page(), await web.page()];
    for (const one of [page, elsewhere]) {
      await one.goto(`/t/${team.slug}/runs`);
      await web.signIn(one, person);
    }
    await open(page);
    await page.getByRole('button', { name: /^End: Chrome on Linux/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByRole('status').filter({ hasText: 'The session has ended.' }).waitFor();
    await expectCount(page.getByRole('button', { name: /^End:/ }), 0);
    await elsewhere.goto(`/t/${team.slug}/runs`);
    await elsewhere.waitForURL(/\/sign-in/);
  });

  it('leaves the team, and is signed out', async () => {
    const page = await web.signedIn(team, '/settings/account');
    await page.getByRole('button', { name: 'Leave the team' }).click();
    await expectPresentable(page, 'account-leave');
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/\/sign-in$/);
    await page.goto(`/t/${team.slug}/runs`);
    await page.waitForURL(/\/sign-in\?to=/);
  });

  it('says why the only owner cannot leave', async () => {
    const page = await web.page();
    await page.goto(`/t/${team.slug}/settings/account`);
    await web.signIn(page, team);
    await page.getByRole('button', { name: 'Leave the team' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').getByText('last-owner').waitFor();
    await expectPresentable(page);
  });

  it('deletes the account with the password, and is signed out', async () => {
    const person = await web.person(team, 'viewer');
    const page = await web.page();
    await page.goto(`/t/${team.slug}/settings/account`);
    await web.signIn(page, person);
    await page.getByRole('button', { name: 'Delete the account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Current password' }).fill('not the password');
    await dialog.getByRole('button', { name: 'Delete the account' }).click();
    await dialog.getByText('password-wrong').waitFor();
    await expectPresentable(page, 'account-delete');
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(password);
    await dialog.getByRole('button', { name: 'Delete the account' }).click();
    await page.waitForURL(/\/sign-in$/);
    const found = await web.bench.query('SELECT 1 FROM users WHERE email = $1', person.email);
    expect(found).toEqual([]);
  });
});
