import { type Page } from 'playwright-core';
import { inChromium } from '../harness/chromium';
import { sampleRun } from '../harness/pipeline-bench';
import { expectCount, expectPresentable } from '../harness/presentable';
import { addHistoryRun, HISTORY_START_MS, recordHistory } from '../harness/seed-history';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

interface Comparison {
  explanation: { beforeNs: number; afterNs: number; changeNs: number; parts: { changeNs: number }[] };
}

let web: WebBench;
let team: WebTeam;
/** The same work, first with a slow loader, then without. */
let slow: string;
let fixed: string;
/** Of another series: two ranks. */
let wide: string;

describe('the comparison of runs', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    await web.bench.startWorker();
    team = await web.team();
    const upload = async (sample: string, said: object) => {
      const id = await team.client.upload(sampleRun(sample), { model: 'gpt-136m', cluster: 'h200', ...said });
      await team.client.waitFor(id, ['done']);
      return id;
    };
    const at = (hour: number) => ({ startedAt: `2026-06-01T0${hour}:00:00Z` });
    slow = await upload('data_starved', { ...at(1), branch: 'main', commit: 'aaaaaaaaaaaaaaaa' });
    fixed = await upload('data_starved__fixed', { ...at(2), branch: 'main', commit: 'bbbbbbbbbbbbbbbb' });
    wide = await upload('ddp_slow_link', { ...at(3), branch: 'topic', worldSize: 2 });
    await recordHistory(web.bench.database);
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  const compared = async (page: Page) => {
    await page.getByRole('img', { name: 'What each part added to the step' }).locator('svg').waitFor();
  };
  const addressOf = (base: string, head: string) => `/compare?base=${base}&head=${head}`;
  const open = (path: string, options = {}) => web.signedIn(team, path, options);

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 400],
  ] as const)('says first what changed, then why and where, %s, %d px', async (colorScheme, width) => {
    const page = await open(addressOf(slow, fixed), { colorScheme, viewport: { width, height: 900 } });
    await compared(page);
    await page.getByText(/^The step takes 4\d\.\d ms, before 154 ms: −11\d ms/).waitFor();
    await page.getByText(/^107 ms of the 111 ms are waiting for input\. loader\.num_workers/).waitFor();
    const table = page.getByRole('region', { name: 'Where the time went' }).getByRole('table');
    await table.getByRole('row', { name: /^waiting for input/ }).waitFor();
    await page.getByRole('heading', { name: 'What is set up differently' }).waitFor();
    await page
      .getByRole('row', { name: /^loader\.num_workers/ })
      .getByText('may explain it')
      .waitFor();
    // What may explain it stands before where the time went.
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings.indexOf('What is set up differently')).toBeLessThan(
      headings.indexOf('Where the time went'),
    );
    await expectPresentable(page, `compare-${colorScheme}-${width}`);
  });

  it('draws bars that lead from the one step to the other', async () => {
    const body = { before: { runIds: [slow] }, after: { runIds: [fixed] } };
    const { explanation } = (await team.client.call<Comparison>('POST', '/v1/compare', body)).body;
    const sum = explanation.parts.reduce((all, { changeNs }) => all + changeNs, 0);
    expect(sum).toBeCloseTo(explanation.changeNs, 3);
    const page = await open(addressOf(slow, fixed));
    await compared(page);
    const chart = page.getByRole('img', { name: 'What each part added to the step' });
    const texts = (await chart.locator('text').allTextContents()).map((text) => text.trim());
    expect(texts).toEqual(expect.arrayContaining(['before', 'waiting for input', 'after', '154 ms']));
    const foot = page.getByRole('row', { name: /^The step 154 ms/ });
    expect(await foot.textContent()).toMatch(/−11\d ms$/);
  });

  it('is reached from a report: the run before it, the ten before it, another one', async () => {
    const page = await open(`/runs/${fixed}`);
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('With the run before it in its series');
    await page.waitForURL(new RegExp(`/compare\\?base=previous&head=${fixed}$`));
    await compared(page);
    await page.getByRole('region', { name: 'Before' }).getByText('aaaaaaaaaa').waitFor();
    await page.goBack();
    await choose('With the ten runs before it');
    await compared(page);
    await page.goBack();
    await choose('With another run');
    await page.waitForURL(new RegExp(`/compare\\?head=${fixed}$`));
    await page.getByRole('heading', { name: 'Choose the run before' }).waitFor();
    await page.getByRole('row', { name: /main, aaaaaaaaaa/ }).waitFor();
    await expectPresentable(page, 'compare-choose');
    await page.getByLabel('Id or address of a run').fill('gpt');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('There is no id of a run in it').waitFor();
    await page.getByLabel('Id or address of a run').fill(`http://h/t/x/runs/${slow}`);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL(new RegExp(`/compare\\?base=${slow}&head=${fixed}$`));
    await compared(page);
    await page.goBack();
    await page
      .getByRole('row', { name: /main, aaaaaaaaaa/ })
      .getByRole('link')
      .click();
    await page.waitForURL(new RegExp(`/compare\\?base=${slow}&head=${fixed}$`));
    await page.getByRole('link', { name: 'Swap before and after' }).click();
    await page.waitForURL(new RegExp(`/compare\\?base=${fixed}&head=${slow}$`));
    await page.getByText(/^The step takes 154 ms, before 4/).waitFor();
    await page.getByRole('region', { name: 'After' }).getByRole('link', { name: 'Choose another' }).click();
    await page.getByRole('heading', { name: 'Choose the run after' }).waitFor();
  });

  it('is reached by selecting two runs in the list, with the keyboard too', async () => {
    const page = await open('/runs');
    const boxes = page.getByRole('checkbox', { name: /^Select gpt-136m/ });
    await boxes.first().waitFor();
    await expectCount(boxes, 3);
    await boxes.nth(1).press('Space');
    await page.getByText('select another run to compare it with').waitFor();
    await boxes.nth(2).check();
    expect(await boxes.nth(0).isDisabled()).toBe(true);
    await expectPresentable(page, 'runs-selected');
    await page.getByRole('button', { name: 'Clear the selection' }).click();
    expect(await boxes.nth(0).isEnabled()).toBe(true);
    await boxes.nth(1).check();
    await boxes.nth(2).check();
    await page.getByRole('link', { name: 'Compare the two selected runs' }).click();
    await page.waitForURL(new RegExp(`/compare\\?base=${slow}&head=${fixed}$`));
    await compared(page);
    await page.goBack();
    await boxes.first().waitFor();
  });

  it('tells of runs that are not alike, in what, and compares them all the same', async () => {
    const page = await open(addressOf(slow, wide));
    await compared(page);
    await page.getByRole('alert').getByText('These runs are not alike').waitFor();
    await page
      .getByRole('alert')
      .getByRole('row', { name: /^worldSize/ })
      .waitFor();
    await page.getByRole('tab', { name: /^Collectives/ }).click();
    await page.waitForURL(/show=collectives/);
    await expectPresentable(page, 'compare-not-alike');
  });

  it('compares groups', async () => {
    const other = await web.team();
    const ids: string[] = [];
    const nowHour = Math.floor((Date.now() - HISTORY_START_MS) / 3_600_000);
    const model = 'long-'.repeat(24);
    for (let i = 0; i < 12; i++) {
      const run = { hour: nowHour - 20 + i, stepNs: (i < 6 ? 1e8 : 1.2e8) + i * 1e4, model };
      ids.push(await addHistoryRun(web.bench.database, other.teamId, run));
    }
    await recordHistory(web.bench.database);
    const page = await web.signedIn(other, addressOf(ids.slice(0, 6).join(','), ids.slice(6).join(',')));
    await page.getByRole('region', { name: 'Result' }).getByText('Slower').waitFor();
    await page.getByRole('heading', { name: 'Before: 6 runs' }).waitFor();
    // These have no steps, only figures.
    await page.getByText('Where the time went is not measurable').waitFor();
    await page.getByText('profiler.step()').waitFor();
    await expectPresentable(page, 'compare-groups');
    await page.setViewportSize({ width: 400, height: 900 });
    await expectPresentable(page, 'compare-groups-400');
    const told = new URLSearchParams({ model, from: new Date(HISTORY_START_MS).toISOString() });
    const conditions = new URLSearchParams({ base: ids[0], head: told.toString() });
    await page.goto(`/t/${other.slug}/compare?${conditions.toString()}`);
    await page.getByRole('heading', { name: 'After: 12 runs' }).waitFor();
    await page.getByText(/^Runs with model long-.*, a time from /).waitFor();
    await page.goto(`/t/${other.slug}/compare?base=previous&head=${ids[0]}`);
    await page.getByText('There is no run before it').waitFor();
  });

  it('waits for a run that is not analysed yet', async () => {
    await web.bench.stopWorkers();
    const said = { model: 'gpt-136m', cluster: 'h200' };
    const id = await team.client.upload(sampleRun('data_starved__fixed'), said);
    const page = await open(addressOf(slow, id));
    await page.getByRole('status').getByText('has no report: queued').waitFor();
    await expectPresentable(page, 'compare-waiting');
    await web.bench.startWorker();
    await team.client.waitFor(id, ['done']);
    await compared(page);
  });

  it('says what is missing: runs, and a report of one that failed', async () => {
    const page = await open('/compare');
    await page.getByText('Select two runs in the list of runs').waitFor();
    await expectPresentable(page, 'compare-nothing');
    const failed = await team.client.upload([{ name: 'a.txt', bytes: Buffer.from('no trace at all\n') }]);
    await team.client.waitFor(failed, ['failed']);
    await page.goto(`/t/${team.slug}${addressOf(failed, fixed)}`);
    await page.getByText('has no report: failed').waitFor();
    await page.goto(`/t/${team.slug}/compare?base=previous&head=${failed}`);
    await page.getByText('There is no run before it').waitFor();
  });

  it('does not tell what another team has', async () => {
    const other = await web.team();
    const page = await web.signedIn(other, addressOf(slow, fixed));
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    for (const address of [
      addressOf('x', 'y'),
      `/compare?head=${slow}`,
      `/compare?base=previous&head=${slow}`,
    ]) {
      await page.goto(`/t/${other.slug}${address}`);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    }
    await page.goto(`/t/${team.slug}${addressOf(slow, fixed)}`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });
});
