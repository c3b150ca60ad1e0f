import { type Page } from 'playwright-core';
import { inChromium } from '../harness/chromium';
import { expectCount, expectPresentable } from '../harness/presentable';
import { addSlowerRuns } from '../harness/slower-runs';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

interface Shown {
  state: string;
  resolution: string | null;
  assignedTo: { email: string } | null;
  mutedUntil: string | null;
  acknowledgedReason: string | null;
}

let web: WebBench;
let team: WebTeam;
let models = 0;

describe('acts on a regression', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    team = await web.team();
  }, 120_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  const path = (id: string) => `/v1/regressions/${id}`;
  const show = async (id: string) => (await team.client.call<Shown>('GET', path(id))).body;
  const open = async (role: 'member' | 'admin' = 'member'): Promise<{ id: string; page: Page }> => {
    const id = await addSlowerRuns(web.bench.database, team.client, { model: `model-${models++}` });
    const page = await web.signedIn(team, `/regressions/${id}`, { role });
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    return { id, page };
  };
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const inDialog = (page: Page) => page.getByRole('dialog');
  const confirm = (page: Page, name: string) =>
    inDialog(page).getByRole('button', { name, exact: true }).click();
  const said = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true });
  const focusedText = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

  it('acknowledge, with a reason that may not be empty', async () => {
    const { id, page } = await open();
    await press(page, 'Acknowledge');
    await confirm(page, 'Acknowledge');
    await inDialog(page).getByText('Say why, for whoever reads the history.').waitFor();
    expect((await show(id)).state).toBe('open');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectPresentable(page, `acknowledge-${colorScheme}`);
    }
    await inDialog(page).getByLabel('Why').fill('Known:\nthe new kernel is not tuned yet.');
    await confirm(page, 'Acknowledge');
    await said(page, 'Acknowledged.').waitFor();
    expect(await focusedText(page)).toBe('Acknowledged.');
    await expectCount(page.getByRole('button', { name: 'Acknowledge' }), 0);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Known: the new kernel is not tuned yet.').waitFor();
    expect(await show(id)).toMatchObject({
      state: 'acknowledged',
      acknowledgedReason: 'Known: the new kernel is not tuned yet.',
    });
  });

  it('nothing, when a dialog is left with Escape, and the focus goes back', async () => {
    const { id, page } = await open();
    await page.getByRole('button', { name: 'Resolve' }).press('Enter');
    await inDialog(page).waitFor();
    await page.keyboard.press('Escape');
    await inDialog(page).waitFor({ state: 'detached' });
    await page.waitForFunction('document.activeElement.textContent === "Resolve"');
    expect((await show(id)).state).toBe('open');
  });

  it('assign to any member, as an admin', async () => {
    const { email } = await web.person(team, 'viewer');
    const { id, page } = await open('admin');
    await press(page, 'Assign');
    await confirm(page, 'Assign');
    await inDialog(page).getByText('Choose somebody.').waitFor();
    await inDialog(page).getByRole('combobox', { name: 'To' }).fill(email);
    await page.getByRole('option', { name: email }).click();
    await expectPresentable(page, 'assign');
    await confirm(page, 'Assign');
    await said(page, 'Assigned.').waitFor();
    await page.getByText(`Assigned to ${email}.`).waitFor();
    expect((await show(id)).assignedTo).toMatchObject({ email });
    await page.getByRole('region', { name: 'History' }).getByText(`Assigned to ${email}`).waitFor();
    // It is in the inbox of whoever has it.
    await page.getByRole('link', { name: 'Regressions' }).first().click();
    await page.getByLabel('Assigned to').selectOption({ label: email });
    await page.waitForURL(/assignedTo=/);
    await page.getByText('1 regression on this page').waitFor();
  });

  it('assign to oneself and to nobody, as a member, who may not list the others', async () => {
    const { id, page } = await open();
    await press(page, 'Assign');
    await inDialog(page)
      .getByText(/Admins of the team can choose any member/)
      .waitFor();
    await inDialog(page).getByRole('combobox', { name: 'To' }).click();
    await page
      .getByRole('option', { name: /people.test/ })
      .last()
      .click();
    await confirm(page, 'Assign');
    await said(page, 'Assigned.').waitFor();
    expect((await show(id)).assignedTo).not.toBeNull();
    await press(page, 'Assign');
    await inDialog(page).getByRole('combobox', { name: 'To' }).click();
    await page.getByRole('option', { name: 'Nobody' }).click();
    await confirm(page, 'Assign');
    await said(page, 'Assigned to nobody.').waitFor();
    expect((await show(id)).assignedTo).toBeNull();
  });

  it('mute until a time that is not past, and unmute', async () => {
    const { id, page } = await open();
    await press(page, 'Mute');
    await inDialog(page).getByLabel('Why').fill('On holiday.');
    await inDialog(page).getByLabel('For').selectOption({ label: 'Until …' });
    await inDialog(page).getByLabel('Until').fill('2020-01-01T00:00');
    await confirm(page, 'Mute');
    await inDialog(page).getByText('Choose a time that is not past.').waitFor();
    await expectPresentable(page, 'mute');
    await inDialog(page).getByLabel('For').selectOption({ label: 'Three days' });
    await confirm(page, 'Mute');
    await said(page, 'Muted.').waitFor();
    const untilMs = Date.parse((await show(id)).mutedUntil ?? '');
    expect(Math.abs(untilMs - Date.now() - 3 * 86_400_000)).toBeLessThan(600_000);
    await page.getByText('Muted', { exact: true }).first().waitFor();
    await press(page, 'Unmute');
    await said(page, 'Unmuted.').waitFor();
    expect((await show(id)).mutedUntil).toBeNull();
    await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  });

  it('resolve in one of three ways, and open again', async () => {
    const { id, page } = await open();
    await press(page, 'Resolve');
    await confirm(page, 'Resolve');
    await inDialog(page).getByText('Choose one.').waitFor();
    await inDialog(page).getByLabel('Accepted').check();
    await inDialog(page).getByLabel('Why').fill('Worth the accuracy.');
    await page.setViewportSize({ width: 400, height: 800 });
    await expectPresentable(page, 'resolve-400');
    await confirm(page, 'Resolve');
    await said(page, 'Resolved.').waitFor();
    expect(await show(id)).toMatchObject({ state: 'resolved', resolution: 'accepted' });
    await page.getByText(/Resolved just now: accepted as the new baseline/).waitFor();
    await press(page, 'Open again');
    await inDialog(page).getByLabel('Why').fill('Not worth it.');
    await confirm(page, 'Open again');
    await said(page, 'Open again.').waitFor();
    expect((await show(id)).state).toBe('open');
    await page.setViewportSize({ width: 1280, height: 900 });
    await expectPresentable(page, 'regression-with-history');
  });

  it('say what somebody else did meanwhile, and show it', async () => {
    const { id, page } = await open();
    await press(page, 'Acknowledge');
    await inDialog(page).getByLabel('Why').fill('Seen.');
    const body = { resolution: 'no-regression', reason: 'The node was throttled.' };
    expect((await team.client.call('POST', `${path(id)}/resolve`, body)).status).toBe(200);
    await confirm(page, 'Acknowledge');
    await inDialog(page).getByText('regression-state-conflict').waitFor();
    await inDialog(page)
      .getByText(/^Resolved: no regression, by test/)
      .waitFor();
    await inDialog(page).getByText('The node was throttled.').waitFor();
    await expectPresentable(page, 'conflict');
    await press(page, 'Look at it again');
    await page.getByRole('button', { name: 'Open again' }).waitFor();
    await expectCount(page.getByRole('button', { name: 'Acknowledge' }), 0);
  });

  it('say when the service cannot be reached, and keep what was written', async () => {
    const { id, page } = await open();
    await press(page, 'Acknowledge');
    await inDialog(page).getByLabel('Why').fill('Seen.');
    await page.context().setOffline(true);
    await confirm(page, 'Acknowledge');
    await inDialog(page).getByText('Stallscope cannot be reached').waitFor();
    await page.context().setOffline(false);
    await confirm(page, 'Acknowledge');
    await said(page, 'Acknowledged.').waitFor();
    expect((await show(id)).acknowledgedReason).toBe('Seen.');
  });
});
