import { type Page } from 'playwright-core';
import { inChromium } from '../harness/chromium';
import { expectCount, expectPresentable, expectPresentableEverywhere } from '../harness/presentable';
import { WebBench, type WebTeam } from '../harness/web-bench';
import { FAST_WEBHOOKS } from '../harness/webhook-bench';
import { isSignedWith, openWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver';

const { describe, executablePath } = inChromium();

let web: WebBench;
let team: WebTeam;
let receiver: WebhookReceiver;
let page: Page;

const dialog = () => page.getByRole('dialog');
const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
const delivery = (text: string) => page.getByRole('row').filter({ hasText: text });

describe('the pages of webhooks', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath, FAST_WEBHOOKS);
    receiver = await openWebhookReceiver();
    await web.bench.startWorker();
    team = await web.team();
    page = await web.signedIn(team, '/settings/webhooks', { role: 'admin' });
  }, 240_000);
  afterAll(async () => {
    await web.close();
    await receiver.close();
  });
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  it('create a webhook and show its secret once', async () => {
    await page.getByText('There is no webhook.').waitFor();
    await expectPresentable(page, 'webhooks-none');
    await page.getByRole('button', { name: 'New webhook' }).click();
    await dialog().getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/internal');
    await dialog().getByLabel('Description').fill('Tells the channel');
    await expectCount(dialog().getByRole('checkbox', { checked: true }), 5);
    await dialog().getByRole('button', { name: 'Create the webhook' }).click();
    await dialog().getByRole('alert').getByText('webhook-url-refused').waitFor();
    await expectPresentableEverywhere(page, 'webhooks-new');

    await dialog().getByRole('textbox', { name: 'Address' }).fill(receiver.url('/one'));
    await dialog().getByRole('checkbox', { name: 'run.created' }).check();
    await dialog().getByRole('button', { name: 'Create the webhook' }).click();
    const secret = (await dialog().locator('pre').first().textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await expectPresentable(page, 'webhooks-secret');
    await dialog().getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Tells the channel' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    await expectPresentableEverywhere(page, 'webhooks');

    await page.getByRole('link', { name: 'Tells the channel' }).click();
    await page.getByText('Nothing was sent yet.').waitFor();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await said('The test event is on its way');
    await delivery('webhook.test').getByText('HTTP 204').waitFor();
    await delivery('webhook.test').getByText('delivered').waitFor();
    const [call] = receiver.callsTo('/one');
    expect(isSignedWith(secret, call)).toBe(true);
    await page.getByRole('button', { name: /^Body: webhook.test/ }).click();
    await dialog().getByText('"type": "webhook.test"').waitFor();
    await expectPresentable(page, 'webhook-body');
    await page.keyboard.press('Escape');
  });

  it('change, disable and enable a webhook', async () => {
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('Description').fill('Tells another channel');
    await dialog().getByRole('checkbox', { name: 'run.failed' }).uncheck();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await said('The webhook is changed.');
    await page.getByRole('heading', { level: 1, name: 'Tells another channel' }).waitFor();
    await page.getByText(/As JSON, on run\.created, run\.done, regression/).waitFor();

    await page.getByRole('button', { name: 'Disable' }).click();
    await dialog().getByRole('button', { name: 'Disable' }).click();
    await said('The webhook is disabled.');
    await expectCount(page.getByRole('button', { name: 'Send a test event' }), 0);
    await expectCount(page.getByRole('button', { name: /^Redeliver/ }), 0);
    await page.getByRole('button', { name: 'Enable' }).click();
    await said('The webhook is enabled.');
  });

  it('give a webhook another secret', async () => {
    await page.getByRole('button', { name: 'New secret' }).click();
    await dialog().getByRole('button', { name: 'Make a new secret' }).click();
    const secret = (await dialog().locator('pre').first().textContent()) ?? '';
    await dialog().getByRole('button', { name: 'Done' }).click();
    await page.getByText(/The secret before this one signs as well until/).waitFor();
    const before = receiver.callsTo('/one').length;
    await page
      .getByRole('button', { name: /^Redeliver: webhook.test/ })
      .first()
      .click();
    await said('webhook.test is sent once more.');
    await page.getByText('once more', { exact: true }).waitFor();
    await page.getByRole('table').getByText('pending').waitFor({ state: 'detached' });
    expect(isSignedWith(secret, receiver.callsTo('/one')[before])).toBe(true);
  });

  it('show why deliveries failed, by state, until they arrive', async () => {
    receiver.answer('/one', { status: 503, body: 'upstream is restarting' });
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('HTTP 503: upstream is restarting').waitFor();
    const failed = delivery('HTTP 503').getByText('failed', { exact: true });
    await failed.waitFor({ timeout: 60_000 });
    await page.getByText('1 failed in a row').waitFor();
    await expectPresentableEverywhere(page, 'webhook');
    await page.getByLabel('State').selectOption('failed');
    await page.waitForURL(/\?state=failed$/);
    await page.getByText('HTTP 204').first().waitFor({ state: 'detached' });
    await page.reload();
    await failed.waitFor();
    receiver.answer('/one', { status: 200 });
    await page.getByRole('button', { name: /^Redeliver/ }).click();
    await page.getByLabel('State').selectOption('delivered');
    await page.getByText('HTTP 200').waitFor();
    await page.goBack();
    await failed.waitFor();
  });

  it('say that a receiver is gone, and what to do', async () => {
    receiver.answer('/one', { status: 410 });
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText(/The receiver answered 410 Gone, so the webhook was disabled\./).waitFor();
    await page.getByText('receiver-gone').waitFor();
    await expectPresentable(page, 'webhook-gone');
  });

  it('delete a webhook after asking, and go back to the list', async () => {
    const address = page.url();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/settings\/webhooks$/);
    await said('The webhook is deleted.');
    await page.getByText('There is no webhook.').waitFor();
    await page.goto(address);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });
});
