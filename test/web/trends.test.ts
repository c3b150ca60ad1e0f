import { type Page, type Response } from 'playwright-core';
import { inChromium } from '../harness/chromium';
import { sampleRun } from '../harness/pipeline-bench';
import { expectPresentable } from '../harness/presentable';
import { addHistoryRun, HISTORY_START_MS, noisy, recordHistory } from '../harness/seed-history';
import { addManyRuns } from '../harness/seed-many-runs';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

const MANY = 10_000;
const EVERY_MS = 13 * 60_000;
/** An answer by day, and one with every run and its id, bytes. */
const MOST_BYTES_BY_DAY = 40_000;
const MOST_BYTES_BY_RUN = 800_000;
const LEVELS = [
  { from: 0, stepNs: 100e6 },
  { from: 6_000, stepNs: 120e6 },
  { from: 8_500, stepNs: 95e6 },
];
const timeOf = (i: number) => new Date(HISTORY_START_MS + i * EVERY_MS);

let web: WebBench;
let team: WebTeam;
let manySeries: string;

const chartOf = (page: Page) => page.getByRole('application', { name: /^Points of the chart/ });
const cardOf = (page: Page) => chartOf(page).locator('[aria-live]');

/** Moves the pointer to a place of the chart: shares of its width and height. */
async function pointAt(page: Page, x: number, y: number) {
  const box = await chartOf(page).boundingBox();
  if (!box) throw new Error('There is no chart.');
  await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
}

async function dragOver(page: Page, from: number, to: number) {
  await pointAt(page, from, 0.5);
  await page.mouse.down();
  await pointAt(page, (from + to) / 2, 0.5);
  await pointAt(page, to, 0.5);
  await page.mouse.up();
}

/** Looks for a point under the pointer from top to bottom, at a share of the width. */
async function hoverPoint(page: Page, x: number) {
  for (let y = 0.15; y < 0.9; y += 0.02) {
    await pointAt(page, x, y);
    if ((await cardOf(page).count()) > 0) return;
  }
  throw new Error(`There is no point at ${x}.`);
}

const isTrend = (response: Response) => new URL(response.url()).pathname === '/v1/trends';

/** Opens a page of trends and gives the size of the answer that it draws, bytes. */
async function sizeOfAnswer(page: Page, act: () => Promise<unknown>): Promise<number> {
  const [response] = await Promise.all([page.waitForResponse(isTrend), act()]);
  return (await response.body()).length;
}

describe('the page of trends', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    const { bench } = web;
    team = await web.team();
    const many = { teamId: team.teamId, model: 'gpt-1b', count: MANY, startMs: HISTORY_START_MS };
    manySeries = await addManyRuns(bench, { ...many, everyMs: EVERY_MS, levels: LEVELS });
    await bench.database.forTeam(team.teamId, async ({ regression, seriesSegment }) => {
      const of = { teamId: team.teamId, seriesId: manySeries, branch: 'main' };
      const [firstBadAt, goodAgainAt] = [timeOf(6_000), timeOf(8_500)];
      await regression.create({
        data: {
          ...{ ...of, state: 'resolved', resolution: 'recovered', metricId: 'step-time', metrics: [] },
          ...{ before: 100e6, after: 120e6, changeRatio: 0.2, firstBadAt, goodAgainAt, openedAt: firstBadAt },
          resolvedAt: goodAgainAt,
        },
      });
      await seriesSegment.create({
        data: { ...of, at: goodAgainAt, reason: 'improved', acceptedBy: 'detector' },
      });
    });
    for (let hour = 0; hour < 60; hour++) {
      const base = { hour, stepNs: noisy(hour, hour < 40 ? 1e8 : 1.2e8), model: 'gpt-2b' };
      await addHistoryRun(bench.database, team.teamId, { ...base, cluster: 'h200' });
      if (hour % 3 === 0)
        await addHistoryRun(bench.database, team.teamId, {
          ...base,
          cluster: 'b200',
          stepNs: noisy(hour, 7e7),
        });
      if (hour % 4 === 0)
        await addHistoryRun(bench.database, team.teamId, {
          ...base,
          cluster: 'h200',
          branch: 'topic',
          commit: null,
        });
    }
    await recordHistory(bench.database);
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  it('draws 10,000 runs by day, and says so; a day leads to its runs, and the back button back', async () => {
    const page = await web.signedIn(team);
    const open = () => page.goto(`/t/${team.slug}/trends?metric=step-time&model=gpt-1b`);
    expect(await sizeOfAnswer(page, open)).toBeLessThan(MOST_BYTES_BY_DAY);
    await page.getByText('10,000 runs; a point is a day').waitFor();
    await chartOf(page).waitFor();
    await hoverPoint(page, 0.5);
    await cardOf(page)
      .getByText(/^Median of 11\d runs; 1\d\d ms to 1\d\d ms/)
      .waitFor();
    await expectPresentable(page, 'trends-days-light');
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForURL(/from=2026-07-\d\d&to=2026-07-\d\d/);
    await page.getByText(/^11\d runs, each a point/).waitFor();
    await page.goBack();
    await page.getByText('10,000 runs; a point is a day').waitFor();
  });

  it('draws each of 10,000 runs when asked to, tells what is under the pointer, and opens it', async () => {
    const page = await web.signedIn(team, '/trends?model=gpt-1b');
    await page.getByText('10,000 runs; a point is a day').waitFor();
    const ask = () => page.getByRole('combobox', { name: 'Points' }).selectOption('all');
    expect(await sizeOfAnswer(page, ask)).toBeLessThan(MOST_BYTES_BY_RUN);
    await page.getByText('10,000 runs, each a point').waitFor();
    for (let x = 0.2; x < 0.9; x += 0.1) await pointAt(page, x, 0.4);
    await hoverPoint(page, 0.6);
    await cardOf(page)
      .getByText(/^Commit [0-9a-f]{10}$/)
      .waitFor();
    await expectPresentable(page, 'trends-runs-light');
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    await page.getByRole('heading', { level: 1, name: 'gpt-1b' }).waitFor();
  });

  it('compares two ranges, which stay in the address', async () => {
    const page = await web.signedIn(team, '/trends?model=gpt-1b&points=all');
    await chartOf(page).waitFor();
    await dragOver(page, 0.7, 0.75);
    const bar = page.getByRole('region', { name: 'Comparison' });
    await bar.getByText(/median of \d+ runs: 12\d ms/).waitFor();
    await bar.getByRole('button', { name: 'Show these days only' }).waitFor();
    await dragOver(page, 0.2, 0.3);
    // The earlier one is what is compared with.
    await bar.getByText(/^Before median of [\d,]+ runs: 101 ms$/).waitFor();
    await bar.getByText(/^After median of [\d,]+ runs: 121 ms \(\+20 %\)$/).waitFor();
    await page.reload();
    await chartOf(page).waitFor();
    const href = await bar.getByRole('link', { name: 'Compare' }).getAttribute('href');
    const { pathname, searchParams } = new URL(href ?? '', page.url());
    expect(pathname).toBe(`/t/${team.slug}/compare`);
    const base = new URLSearchParams(searchParams.get('base') ?? '');
    expect(base.get('seriesId')).toBe(manySeries);
    expect(Date.parse(base.get('to') ?? '')).toBeLessThan(timeOf(5_000).getTime());
    await expectPresentable(page, 'trends-compare-light');
    await bar.getByRole('button', { name: 'Drop' }).click();
    await bar.waitFor({ state: 'detached' });
    expect(page.url()).not.toMatch(/before=/);
  });

  it('shows where the level changed, with ways to the regression', async () => {
    const page = await web.signedIn(team, '/trends?model=gpt-1b', { colorScheme: 'dark' });
    const table = page.getByRole('region', { name: 'Where the level changed' });
    const row = table.getByRole('row', { name: /^Regressed/ });
    await row.getByText('+20 %').waitFor();
    await row.getByText('100 ms').waitFor();
    await table.getByRole('row', { name: /^Improved/ }).waitFor();
    const inTable = await row.getByRole('link').getAttribute('href');
    const flag = chartOf(page).locator('a', { hasText: '+20 %' });
    expect(await flag.getAttribute('href')).toBe(inTable);
    expect(inTable).toMatch(new RegExp(`^/t/${team.slug}/regressions/[0-9a-f-]{36}$`));
    await page.getByText('Grey band: the baseline').waitFor();
    await page.getByText('The same as a table').click();
    await expectPresentable(page, 'trends-days-dark');
  });

  it('splits and filters, in the address, and finds the model that ran last by itself', async () => {
    const page = await web.signedIn(team, '/trends');
    await page.waitForURL(/\/trends\?metric=step-time&model=gpt-1b$/);
    await page.getByLabel('Model').fill('gpt-2b');
    await page.getByLabel('Model').press('Enter');
    await page.getByText(/^95 runs, each a point/).waitFor();
    const legend = page.getByRole('listitem');
    await legend.getByText('h200', { exact: true }).waitFor();
    await legend.getByText('b200', { exact: true }).waitFor();
    await page.getByLabel('A line for each').selectOption('branch');
    await legend.getByText('topic', { exact: true }).waitFor();
    await page.getByLabel('Cluster').fill('h200');
    await page.getByLabel('Cluster').press('Enter');
    await page.getByText(/^75 runs, each a point/).waitFor();
    await expectPresentable(page, 'trends-branches-light');
    await page.getByLabel('Tag').fill('nobody');
    await page.getByLabel('Tag').press('Enter');
    await page.getByText('No run that matches has a value of this metric.').waitFor();
    await expectPresentable(page, 'trends-nothing-light');
    await page.goBack();
    await page.getByText(/^75 runs, each a point/).waitFor();
  });

  it('goes by commits, and by keyboard', async () => {
    const page = await web.signedIn(team, '/trends?model=gpt-2b&cluster=h200&branch=main&x=commits');
    await page.getByText('60 runs; a point is a commit').waitFor();
    await chartOf(page).focus();
    await page.keyboard.press('End');
    await cardOf(page).getByText('Commit commit-59').waitFor();
    await page.keyboard.press(' ');
    for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowLeft');
    await cardOf(page).getByText('Commit commit-29').waitFor();
    await page.keyboard.press(' ');
    const bar = page.getByRole('region', { name: 'Comparison' });
    await bar.getByText(/^After 1 run: 1[12]\d ms \(\+(19|20|21) %\)$/).waitFor();
    await expectPresentable(page, 'trends-commits-light');
    await page.getByText('The same as a table').click();
    const [first] = await page.getByRole('group', { name: 'Points' }).getByRole('link').all();
    const newest = (await first.getAttribute('href'))?.split('/').at(-1);
    const href = await bar.getByRole('link', { name: 'Compare' }).getAttribute('href');
    expect(new URL(href ?? '', page.url()).searchParams.get('head')).toBe(newest);
    await chartOf(page).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/runs/${newest}$`));
    web.complaints.splice(0);
  });

  it('marks what the detector found', async () => {
    const page = await web.signedIn(team, '/trends?model=gpt-2b&cluster=h200&branch=main');
    const row = page.getByRole('row', { name: /^Regressed/ });
    await row.getByText('+20 %').waitFor();
    await row.getByRole('link', { name: 'Open' }).waitFor();
    await expectPresentable(page, 'trends-regressed-light');
  });

  it('can be used on a small screen', async () => {
    const page = await web.signedIn(team, '/trends?model=gpt-2b', {
      viewport: { width: 400, height: 800 },
      colorScheme: 'dark',
    });
    await chartOf(page).waitFor();
    await page.getByText('The same as a table').click();
    await expectPresentable(page, 'trends-small-dark');
  });

  it('says why a metric has no values, and what an answer of another kind means', async () => {
    const other = await web.team();
    await web.bench.startWorker();
    const trace = sampleRun('launch_bound').filter(({ name }) => name.includes('trace'));
    const id = await other.client.upload(trace, { model: 'gpt-23m', cluster: 'h200' });
    await other.client.waitFor(id, ['done']);
    const { body } = await other.client.call<{
      metrics: { id: string; value: number | null; reason?: string }[];
    }>('GET', `/v1/runs/${id}/report?fields=metrics`);
    const missing = body.metrics.find(({ value }) => value === null);
    await recordHistory(web.bench.database);
    const page = await web.signedIn(other, `/trends?model=gpt-23m&metric=${missing?.id}`);
    await page.getByText(`In the latest of these runs: ${missing?.reason}.`).waitFor();
    await expectPresentable(page, 'trends-unmeasured-light');
    await page.goto(`/t/${other.slug}/trends?metric=gremlins&model=gpt-23m`);
    await page.getByRole('alert').getByText('metric-unknown').waitFor();
    await expectPresentable(page);
    // A single point, and a series of another team.
    await page.goto(`/t/${other.slug}/trends?model=gpt-23m`);
    await page.getByText(/^One run/).waitFor();
    await expectPresentable(page, 'trends-one-light');
    await page.goto(`/t/${other.slug}/trends?series=${manySeries}`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });

  it('tells a new team how to begin', async () => {
    const page = await web.signedIn(await web.team(), '/trends');
    await page.getByText(/stallscope upload .* --model mine/).waitFor();
    await expectPresentable(page, 'trends-empty-light');
  });
});
