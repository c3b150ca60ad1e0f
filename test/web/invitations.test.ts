import { type Page } from 'playwright-core';
import { inChromium } from '../harness/chromium';
import { expectPresentable, expectPresentableEverywhere } from '../harness/presentable';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();
const password = 'four words of my own';

let web: WebBench;
let team: WebTeam;
let admin: Page;

const emailOf = (name: string) => `${name}@${team.slug}.test`;
const atRuns = (page: Page, { slug }: WebTeam) => page.waitForURL(new RegExp(`/t/${slug}/runs$`));

/** The link to an invitation, as an admin makes it in the pages. */
async function invite(email: string, role = 'member'): Promise<string> {
  await admin.goto(`/t/${team.slug}/settings/members`);
  await admin.getByRole('button', { name: 'Invite somebody' }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  await dialog.getByRole('button', { name: 'Make the invitation' }).click();
  return (await dialog.locator('pre').first().textContent()) ?? '';
}

describe('invitations in the pages', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    team = await web.team();
    admin = await web.signedIn(team, '/settings/members', { role: 'admin' });
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  it('bring in somebody new, by a link that is shown once', async () => {
    const link = await invite(emailOf('ada'));
    expect(link).toMatch(/^http:.*\/invite#token=ssi_/);
    await expectPresentableEverywhere(admin, 'invitation-link');
    await admin.getByRole('button', { name: 'Done' }).click();
    await admin.getByRole('row', { name: new RegExp(`${emailOf('ada')} member open`) }).waitFor();
    expect(await admin.content()).not.toContain(link);

    const page = await web.page();
    await page.goto(link);
    await page.getByRole('heading', { name: `Join ${team.slug}` }).waitFor();
    // The token is in no address and no history.
    expect(page.url()).toBe(`${web.bench.api.baseUrl}/invite`);
    await page.getByLabel('Your name').fill('Ada');
    await expectPresentableEverywhere(page, 'invite-new');
    await page.getByRole('textbox', { name: 'Choose a password' }).fill(password);
    await page.getByRole('button', { name: 'Make the account and join' }).click();
    await atRuns(page, team);
    await page.getByText('Send the first run').waitFor();
    await page.getByRole('button', { name: /^Team / }).click();
    await page.getByText(`${emailOf('ada')}, member`).waitFor();

    await admin.reload();
    await admin.getByRole('row', { name: new RegExp(`Ada ${emailOf('ada')} member`) }).waitFor();
    await admin.getByRole('row', { name: new RegExp(`${emailOf('ada')} member accepted`) }).waitFor();

    await page.goto(link);
    await page.getByRole('alert').getByText('invitation-ended').waitFor();
    await expectPresentableEverywhere(page, 'invite-ended');
  });

  it('let in somebody who has an account, with their password', async () => {
    const other = await web.team();
    const page = await web.page();
    await page.goto(await invite(other.email, 'viewer'));
    await page.getByText('I have an account').click();
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in and join' }).click();
    await page.getByRole('alert').getByText('login-failed').waitFor();
    await expectPresentable(page, 'invite-known');
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Sign in and join' }).click();
    await atRuns(page, team);
    await page.getByRole('button', { name: /^Team / }).click();
    await page.getByRole('menuitem', { name: `Go to ${other.slug}` }).waitFor();
  });

  it('let in with one button whoever is signed in with the address, and nobody else', async () => {
    const other = await web.team();
    const page = await web.page();
    await page.goto(`/t/${other.slug}/runs`);
    await web.signIn(page, other);
    await page.goto(await invite(emailOf('grace')));
    await page.getByText('You are signed in with another address').waitFor();
    await expectPresentable(page, 'invite-another');
    await page.goto(await invite(other.email));
    await page.getByRole('button', { name: `Join as ${other.email}` }).click();
    await atRuns(page, team);
    await page.getByText('Send the first run').waitFor();

    await page.goto(await invite(emailOf('grace')));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'Choose a password' }).waitFor();
  });

  it('take a link or a token that is pasted, and say what is wrong with one', async () => {
    const link = await invite(emailOf('lin'));
    const page = await web.page();
    await page.goto('/invite');
    await expectPresentable(page, 'invite-paste');
    await page.getByLabel('Link or token').fill('ssi_nothing');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('alert').getByText('invitation-unknown').waitFor();
    await page.getByRole('button', { name: 'Use another link' }).click();
    await page.getByLabel('Link or token').fill(link);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText(emailOf('lin')).waitFor();
    // Another link in the same tab.
    const { hash } = new URL(await invite(emailOf('mae')));
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.getByText(emailOf('mae')).waitFor();
    expect(page.url()).not.toContain('ssi_');
    await page.reload();
    await page.getByLabel('Link or token').waitFor();
  });

  it('end when they are revoked', async () => {
    const email = emailOf('joan');
    const link = await invite(email);
    await admin.getByRole('button', { name: 'Done' }).click();
    await admin.getByRole('button', { name: `Revoke: ${email}` }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await admin.getByRole('status').filter({ hasText: 'is revoked' }).waitFor();
    await admin.getByRole('row', { name: new RegExp(`${email} member revoked`) }).waitFor();
    await expectPresentableEverywhere(admin, 'members-invitations');
    const page = await web.page();
    await page.goto(link);
    await page.getByRole('alert').getByText('The invitation was revoked.').waitFor();
  });
});
