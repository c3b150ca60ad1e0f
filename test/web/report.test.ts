import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { inChromium } from '../harness/chromium';
import { sampleRun, type UploadFile } from '../harness/pipeline-bench';
import { expectCount, expectPresentable, overflowPx } from '../harness/presentable';
import { until } from '../harness/until';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();
const recording = (path: string): UploadFile => ({
  name: path.split('/').at(-1) ?? path,
  bytes: readFileSync(join(__dirname, '../recordings', path)),
});

/** Runs with something for every part of a report, and runs with nothing for it. */
const RUNS = {
  'two-ranks': [
    ...sampleRun('ddp_slow_link'),
    recording('memory/memory_stats.rank0.json'),
    recording('nccl-log/sockets.rank0.txt'),
    recording('gpu-monitor/ddp_healthy.dmon.txt'),
  ],
  jitter: [...sampleRun('launch_bound'), recording('memory/memory_summary.rank0.txt')],
  counters: [
    recording('nsight-compute/training.pt.trace.json.gz'),
    recording('nsight-compute/training.raw.csv'),
  ],
  'only-counters': [recording('nsight-compute/raw.csv')],
  'only-totals': [recording('profiler-table/cuda.txt')],
  'no-memory': [recording('oom-message/capped-process.txt')],
};
type Name = keyof typeof RUNS;
const NAMES = Object.keys(RUNS) as Name[];

let web: WebBench;
let team: WebTeam;
const ids = {} as Record<Name, string>;
const pages = new Map<string, Page>();

/** A page of a viewer in these colours and at this width; one sign-in for all tests that look alike. */
async function look(colorScheme: 'light' | 'dark', width: number): Promise<Page> {
  const key = `${colorScheme}/${width}`;
  const page =
    pages.get(key) ?? (await web.signedIn(team, '/runs', { colorScheme, viewport: { width, height: 900 } }));
  pages.set(key, page);
  return page;
}

async function open(name: Name, tab = '', page?: Page): Promise<Page> {
  const there = page ?? (await look('light', 1280));
  // From elsewhere, so that what one test has chosen is not there in the next.
  await there.goto('about:blank');
  await there.goto(`/t/${team.slug}/runs/${ids[name]}${tab && `#${tab}`}`);
  await there.getByRole('tabpanel').waitFor();
  await there
    .getByRole('status', { name: /^Loading/ })
    .first()
    .waitFor({ state: 'detached' });
  return there;
}

describe('the report of a run', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    await web.bench.startWorker();
    team = await web.team();
    for (const name of NAMES)
      ids[name] = await team.client.upload(RUNS[name], { model: name, cluster: 'h200' });
    for (const name of NAMES) await team.client.waitFor(ids[name], ['done']);
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  it('answers first, and tells where the time goes and what to do without asking for more', async () => {
    const asked: string[] = [];
    const page = await look('light', 1280);
    page.on('request', (request) => asked.push(new URL(request.url()).search));
    await open('two-ranks');
    await page.getByRole('heading', { name: /^Where the mean step of/ }).waitFor();
    await page.getByText('What to do, most promising first').first().waitFor();
    await page.getByText('How to verify:').first().waitFor();
    const fields = asked.flatMap((search) => new URLSearchParams(search).get('fields') ?? []);
    expect(fields).toHaveLength(1);
    expect(fields[0]).not.toMatch(/topKernels|roofline|ranks|advice/);
    await page.getByRole('link', { name: 'The figures behind it' }).first().click();
    await page.getByRole('tab', { name: 'Communication', selected: true }).waitFor();
  });

  it('copies how a fix is made', async () => {
    const page = await open('two-ranks');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = page.getByRole('button', { name: /^Copy how to/ }).first();
    await copy.click();
    await copy.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(await page.getByRole('article').first().innerText()).toContain(copied);
  });

  it('has an address for each part, also for the back button', async () => {
    const page = await open('two-ranks');
    await page.getByRole('tab', { name: 'Roofline' }).click();
    await page.waitForURL(/#roofline$/);
    await page.getByRole('tab', { name: 'Kernels' }).press('ArrowRight');
    await page.getByRole('tab', { name: 'Kernels' }).click();
    await page.waitForURL(/#kernels$/);
    await page.goBack();
    await page.getByRole('tab', { name: 'Roofline', selected: true }).waitFor();
    await page.reload();
    await page
      .getByRole('img', { name: /^Roofline:/ })
      .locator('svg')
      .waitFor();
  });

  it('comes back to the part of it that a link names after the sign-in', async () => {
    const page = await web.page();
    await page.goto(`/t/${team.slug}/runs/${ids['two-ranks']}#memory`);
    await web.signIn(page, await web.person(team, 'viewer'));
    await page.getByRole('tab', { name: 'Memory', selected: true }).waitFor();
  });

  it('draws each step of each rank, whose parts sum to the step, and of one rank alone', async () => {
    const page = await open('two-ranks', 'steps');
    await page.getByRole('img', { name: 'Parts of each step, by rank' }).locator('svg').waitFor();
    await page.getByLabel('Rank', { exact: true }).selectOption('Rank 1');
    await page.waitForURL(/\?rank=1#steps$/);
    await page.getByText('The same as a table').click();
    const rows = page.getByRole('group', { name: 'Steps' }).getByRole('row');
    const ranks = async () => new Set(await rows.locator('td:first-child').allInnerTexts());
    await until(async () => [...(await ranks())].join() === '1', 'only rank 1');
  });

  it('tells why the device is idle, in the mean step and on each rank', async () => {
    const page = await open('two-ranks', 'idle');
    await page.getByRole('heading', { name: 'By cause, in the mean step' }).waitFor();
    await page
      .getByRole('img', { name: /^Idle time of the mean step/ })
      .locator('svg')
      .waitFor();
    const byRank = page.getByRole('group', { name: 'Idle time by rank' }).getByRole('row');
    await expectCount(byRank, 3);
  });

  it('filters, sorts and groups the kernels by choices that are in the address', async () => {
    const page = await open('two-ranks', 'kernels');
    const table = page.getByRole('group', { name: 'Kernels' });
    const names = () => table.locator('tbody tr td:first-child').allInnerTexts();
    await table.getByRole('button', { name: 'Each' }).click();
    await page.waitForURL(/\?sort=each#kernels$/);
    await table.locator('th[aria-sort=descending]', { hasText: 'Each' }).waitFor();
    const all = (await names()).length;
    await page.getByRole('switch', { name: 'Group by class' }).click();
    await page.waitForURL(/group=class/);
    await table.getByRole('rowheader', { name: 'collective' }).waitFor();
    await page.getByLabel('Name contains').fill('NCCL');
    await page.getByLabel('Name contains').press('Enter');
    await page.waitForURL(/kernel=NCCL/);
    await page.reload();
    await table.getByRole('row').nth(1).waitFor();
    const chosen = await names();
    expect(chosen.length).toBeLessThan(all);
    expect(chosen.every((name) => /nccl/i.test(name))).toBe(true);
    await page.getByLabel('Name contains').fill('no such kernel');
    await page.getByLabel('Name contains').press('Enter');
    await page.getByText('No kernel matches.').waitFor();
  });

  it('shows the roofline with what was modelled and what was measured, and the operators as a table', async () => {
    const page = await open('counters', 'roofline');
    const plot = page.getByRole('img', { name: /^Roofline:/ });
    await plot.getByText('modelled by operator shapes').waitFor();
    await plot.getByText('measured by counters').waitFor();
    await plot
      .getByText(/ridge at \d+/)
      .first()
      .waitFor();
    await page.getByRole('group', { name: 'Operators' }).getByRole('row').nth(3).waitFor();
    await page.getByRole('heading', { name: /^Measured kernels/ }).waitFor();
    await expectPresentable(page);
  });

  it('shows transfer against waiting, by rank and by collective', async () => {
    const page = await open('two-ranks', 'communication');
    await page
      .getByRole('img', { name: /^Exposed transfer/ })
      .locator('svg')
      .waitFor();
    const collectives = page.getByRole('group', { name: 'Collectives and ranks' });
    await collectives.getByRole('columnheader', { name: 'rank 1' }).waitFor();
    await page.getByRole('heading', { name: 'Links between ranks' }).waitFor();
  });

  it('shows every figure of utilisation with its source, or why it is missing and what records it', async () => {
    const page = await open('two-ranks', 'utilisation');
    await page.getByRole('row', { name: /GPU-Util in the trace.* measured/ }).waitFor();
    await page.getByRole('row', { name: /multiprocessors with work.* modelled/ }).waitFor();
    const missing = page.getByRole('row', { name: /warps on busy multiprocessors/ });
    await missing.getByText(/^Not measurable: needs registers/).waitFor();
    await missing.getByText('Record it').click();
    await missing.getByText(/^ncu --set full/).waitFor();
  });

  it.each([
    ['two-ranks', 'memory', 'Peaks against the device'],
    ['no-memory', 'memory', 'What the allocators say'],
    ['two-ranks', 'step-times', 'How long steps take'],
    ['two-ranks', 'recordings', 'Quality of the recordings'],
    ['two-ranks', 'recordings', 'What to record next'],
    ['two-ranks', 'run', 'What the run says of itself'],
    ['only-totals', 'kernels', /^Totals of host and device/],
  ] as const)('of %s has #%s: %s', async (name, tab, heading) => {
    const page = await open(name, tab);
    await page.getByRole('heading', { name: heading }).waitFor();
  });

  it.each([
    ['only-counters', 'steps', 'Steps: not measurable'],
    ['only-counters', 'idle', 'Idle time: not measurable'],
    ['only-counters', 'kernels', 'Kernels: not measurable'],
    ['only-counters', 'communication', 'Wait against transfer: not measurable'],
    ['only-counters', 'memory', 'Memory: not measurable'],
    ['only-counters', 'step-times', 'Step times without the profiler: not measurable'],
    ['no-memory', 'roofline', 'Roofline of the operators: not measurable'],
    ['two-ranks', 'roofline', 'Counted flop and bytes of kernels: not measurable'],
  ] as const)('of %s says at #%s why there is nothing, and what records it', async (name, tab, title) => {
    const page = await open(name, tab);
    const alert = page.getByRole('alert').filter({ hasText: title });
    await alert.getByText(/^Because: /).waitFor();
    await alert.getByRole('button', { name: 'Copy the command' }).first().waitFor();
  });

  it('of a run that cannot be judged begins with what to record', async () => {
    const page = await open('only-counters');
    await page.getByRole('heading', { name: 'What to record next' }).waitFor();
    await page.getByText('How to record it').first().click();
    await page.getByText('profiler', { exact: false }).first().waitFor();
    await expectPresentable(page, 'report-not-measurable');
  });

  it('of one rank has no collectives to show, and says so', async () => {
    const page = await open('jitter', 'communication');
    await page.getByText('The traced steps have no collectives.').waitFor();
  });

  const TABS = [
    ...['', 'steps', 'idle', 'utilisation', 'kernels', 'roofline', 'communication', 'memory'],
    ...['step-times', 'recordings', 'run'],
  ];
  it('is presentable in all its parts', async () => {
    const page = await look('light', 1280);
    for (const tab of TABS) {
      await open('two-ranks', tab, page);
      await expectPresentable(page, `report-${tab || 'overview'}`);
    }
    for (const tab of ['', 'roofline', 'kernels', 'memory']) {
      await open('only-counters', tab, page);
      await expectPresentable(page, `report-none-${tab || 'overview'}`);
    }
  }, 120_000);

  it('is presentable in the dark where it has colours', async () => {
    const page = await look('dark', 1280);
    for (const tab of ['', 'idle', 'utilisation', 'roofline', 'communication', 'recordings']) {
      await open('two-ranks', tab, page);
      await expectPresentable(page, `report-${tab || 'overview'}-dark`);
    }
  }, 120_000);

  it('fits on a small screen', async () => {
    const page = await look('light', 400);
    // Fixes with long names in them.
    await open('jitter', '', page);
    await expectPresentable(page, 'report-jitter-400');
    for (const tab of TABS) {
      await open('two-ranks', tab, page);
      expect([tab, await overflowPx(page)]).toEqual([tab, 0]);
    }
  }, 120_000);
});
