import { inChromium } from '../harness/chromium';
import { sampleRun } from '../harness/pipeline-bench';
import { expectCount, expectPresentable, overflowPx } from '../harness/presentable';
import { addHistoryRun, HISTORY_START_MS, recordHistory } from '../harness/seed-history';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

let web: WebBench;
let team: WebTeam;
let runId: string;

describe('the pages', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    await web.bench.startWorker();
    team = await web.team();
    const metadata = { model: 'gpt-219m', cluster: 'h200', branch: 'main', tags: ['nightly'], worldSize: 2 };
    runId = await team.client.upload(sampleRun('ddp_slow_link'), metadata);
    const other = await team.client.upload(sampleRun('data_starved'), { model: 'gpt-136m', cluster: 'h200' });
    for (const id of [runId, other]) await team.client.waitFor(id, ['done']);
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  it('bring whoever opens a link to it through the sign-in', async () => {
    const page = await web.page();
    await page.goto(`/t/${team.slug}/runs?model=gpt-136m`);
    await page.waitForURL(/\/sign-in\?to=/);
    await expectPresentable(page);
    await web.signIn(page, team);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
      `/t/${team.slug}/runs?model=gpt-136m`,
    );
    await page.getByRole('link', { name: 'gpt-136m' }).waitFor();
    await expectCount(page.getByRole('link', { name: 'gpt-219m' }), 0);
  });

  it('say what was wrong with a password', async () => {
    const page = await web.page();
    await page.goto('/');
    await page.waitForURL(/\/sign-in/);
    await page.getByLabel('E-mail address').fill(team.email);
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('login-failed').waitFor();
    await expectPresentable(page);
  });

  it('keep the filters of the runs in the address, also for the back button', async () => {
    const page = await web.signedIn(team);
    await page.getByRole('link', { name: 'gpt-219m' }).waitFor();
    await page.getByLabel('Verdict').selectOption('input-pipeline');
    await page.waitForURL(/\?verdict=input-pipeline$/);
    await page.getByRole('link', { name: 'gpt-219m' }).waitFor({ state: 'detached' });
    await page.getByLabel('Model').fill('gpt-219m');
    await page.getByLabel('Model').press('Enter');
    await page.getByText('No run matches').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'gpt-136m' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'gpt-136m' }).waitFor();
    expect(await page.getByLabel('Verdict').inputValue()).toBe('input-pipeline');
    await expectPresentable(page);
  });

  it.each(['light', 'dark'] as const)('show a report that answers first, %s', async (colorScheme) => {
    const page = await web.signedIn(team, `/runs/${runId}`, { colorScheme });
    await page.getByRole('heading', { level: 1, name: 'gpt-219m' }).waitFor();
    const { body } = await team.client.call<{ verdict: { summary: string } }>(
      'GET',
      `/v1/runs/${runId}/report?fields=verdict`,
    );
    expect(body.verdict.summary).toMatch(/of the 28\d ms step \(94 %\)/);
    await page.getByText(body.verdict.summary).waitFor();
    await page.getByText('Evidence, seen on').first().click();
    await expectPresentable(page);
    await page.getByRole('tab', { name: 'Steps' }).click();
    await page.getByRole('img', { name: 'Parts of each step, by rank' }).locator('svg').waitFor();
    await page.getByText('The same as a table').click();
    await expectPresentable(page);
    for (const [label, ending] of [
      ['JSON', 'json'],
      ['Markdown', 'md'],
    ]) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Download ${label}` }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`gpt-219m-${runId}.${ending}`);
    }
  });

  it('can be used on a small screen', async () => {
    const page = await web.signedIn(team, '/runs', { viewport: { width: 400, height: 800 } });
    await page.getByRole('link', { name: 'gpt-219m' }).waitFor();
    expect(await overflowPx(page)).toBe(0);
    await page.getByRole('link', { name: 'gpt-219m' }).click();
    await page.getByRole('tab', { name: 'Steps' }).click();
    await page.getByRole('img', { name: 'Parts of each step, by rank' }).locator('svg').waitFor();
    await expectPresentable(page);
  });

  it('show a run while it is analysed, and its report when it is done', async () => {
    await web.bench.stopWorkers();
    const page = await web.signedIn(team);
    const id = await team.client.upload(sampleRun('launch_bound'), { model: 'gpt-23m', cluster: 'h200' });
    await page.reload();
    await page
      .getByRole('row', { name: /gpt-23m/ })
      .getByText('Queued')
      .waitFor();
    await page.getByRole('link', { name: 'gpt-23m' }).click();
    await page.getByRole('status').getByText('The report appears here by itself.').waitFor();
    await expectPresentable(page);
    await web.bench.startWorker();
    await team.client.waitFor(id, ['done']);
    await page
      .getByRole('heading', { name: 'What was found' })
      .or(page.getByText('findings, the costliest'))
      .waitFor();
  });

  it('show how the step time of a series changed', async () => {
    const { bench } = web;
    const other = await web.team();
    const nowHour = Math.floor((Date.now() - HISTORY_START_MS) / 3_600_000);
    for (let i = 0; i < 30; i++) {
      const run = { hour: nowHour - 40 + i, stepNs: i < 20 ? 1e8 : 1.2e8, cluster: 'h200' };
      await addHistoryRun(bench.database, other.teamId, run);
    }
    await recordHistory(bench.database);
    const page = await web.signedIn(other);
    const line = page.getByRole('img', { name: /^Step time of the series, .* from 100 ms to 120 ms$/ });
    await line.first().waitFor();
    await expectCount(line, 25);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/cursor=/);
    await page.getByText('5 runs on this page').waitFor();
    await page.goBack();
    await page.getByText('25 runs on this page').waitFor();
    await expectPresentable(page);
  });

  it('work in two tabs at once, which share one session', async () => {
    const page = await web.signedIn(team);
    await page.getByRole('link', { name: 'gpt-219m' }).waitFor();
    const tabs = await Promise.all([1, 2, 3].map(() => page.context().newPage()));
    await Promise.all(tabs.map((tab) => tab.goto(`/t/${team.slug}/runs/${runId}`)));
    for (const tab of tabs) await tab.getByRole('heading', { level: 1, name: 'gpt-219m' }).waitFor();
  });

  it('keep the session of whoever loads them again and again before they are there', async () => {
    const page = await web.signedIn(team);
    await page.getByRole('link', { name: 'gpt-219m' }).waitFor();
    for (let i = 0; i < 5; i++) {
      const renewal = page.waitForRequest(/\/v1\/auth\/refresh/);
      await page.reload({ waitUntil: 'commit' });
      await renewal;
    }
    await page.reload();
    await page.getByRole('link', { name: 'gpt-219m' }).waitFor();
  });

  it('say when the service cannot be reached, and go on when it can', async () => {
    const page = await web.signedIn(team);
    await page.getByRole('link', { name: 'gpt-219m' }).waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Verdict').selectOption('communication');
    await page.getByRole('alert').getByText('Stallscope cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'gpt-219m' }).waitFor();
  });

  it('explain what the API refuses', async () => {
    const page = await web.signedIn(team, '/runs?verdict=gremlins');
    await page.getByRole('alert').getByText('validation-failed').waitFor();
    await expectPresentable(page);
  });

  it('tell a new team how to begin', async () => {
    const page = await web.signedIn(await web.team());
    await page.getByText(/curl -T trace.json.gz .*\/v1\/ingest/).waitFor();
    await expectPresentable(page);
  });

  it('do not tell what another team has', async () => {
    const other = await web.team();
    const page = await web.signedIn(other, `/runs/${runId}`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.goto(`/t/${team.slug}/runs/${runId}`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await expectPresentable(page);
    // The own team is as it was.
    await page.getByRole('link', { name: 'To your runs' }).click();
    await page.waitForURL(new RegExp(`/t/${other.slug}/runs$`));
  });

  it('bring somebody who is in two teams from one to the other', async () => {
    const first = await web.team();
    const second = await web.team(first.email);
    const page = await web.page();
    await page.goto(`/t/${first.slug}/runs`);
    await web.signIn(page, first);
    await page.getByRole('button', { name: /^Team / }).click();
    await page.getByRole('menuitem', { name: `Go to ${second.slug}` }).click();
    await page.waitForURL(new RegExp(`/t/${second.slug}/runs$`));
    await page.getByText('Send the first run').waitFor();
  });

  it('let nobody in after the sign-out', async () => {
    const page = await web.signedIn(team);
    await page.getByRole('button', { name: /^Team / }).click();
    await expectPresentable(page);
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/sign-in$/);
    await page.goto(`/t/${team.slug}/runs`);
    await page.waitForURL(/\/sign-in\?to=/);
  });

  it('ask to sign in when the session was ended elsewhere', async () => {
    const page = await web.signedIn(team);
    await page.getByRole('link', { name: 'gpt-219m' }).waitFor();
    await web.bench.query('UPDATE sessions SET ended_at = now(), end_reason = $1', 'signed-out');
    await page.getByLabel('Verdict').selectOption('straggler');
    await page.waitForURL(/\/sign-in\?to=/);
    await web.signIn(page, team);
    await page.getByText('No run matches').waitFor();
  });
});
