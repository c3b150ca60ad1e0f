import { type Page } from 'playwright-core';
import { inChromium } from '../harness/chromium';
import { sampleRun } from '../harness/pipeline-bench';
import { expectCount, expectPresentable, expectPresentableEverywhere } from '../harness/presentable';
import { addAnalysedRun, type AnalysedRun, trendChores } from '../harness/trend-runs';
import { until } from '../harness/until';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

const HOUR_MS = 3_600_000;
const LONG_NAME = `${'a-model-with-a-very-long-name-'.repeat(4)}x`;

let web: WebBench;
/** Runs that were made up, so that every figure is known. */
let team: WebTeam;
/** Recorded runs. */
let real: WebTeam;

/** Parts of a step of 100 ns; the rest of it is unexplained. */
function stepOf(compute: number, communication: number, input: number): Record<string, number> {
  const others = [
    'exposed-memcpy',
    'sync-wait',
    'launch-gap',
    'host-other',
    'allocator-wait',
    'dependency-wait',
  ];
  return {
    ...Object.fromEntries(others.map((metric) => [metric, 0])),
    ...{ 'step-time': 100, 'compute-time': compute, 'exposed-communication': communication },
    ...{ 'input-wait': input, 'unexplained-idle': 100 - compute - communication - input },
  };
}

const add = (hoursAgo: number, run: Omit<AnalysedRun, 'at'>) =>
  addAnalysedRun(web.bench.database, team.teamId, { at: new Date(Date.now() - hoursAgo * HOUR_MS), ...run });

/** 8 GPUs for 100 hours, 24 for 10 hours; one that says nothing of hours, one without steps, and one of long ago. */
async function fillFleet(): Promise<void> {
  const starved = {
    verdict: 'input-pipeline',
    findings: [{ rule: 'input-pipeline-starvation', expectedStepNs: 70 }],
    report: { findings: [{ rule: 'input-pipeline-starvation', leastStepNs: 60 }] },
  };
  const big = { model: 'llama', cluster: 'h200', worldSize: 8, durationS: 360_000 };
  await add(1, { ...big, metrics: stepOf(60, 10, 30), ...starved });
  const slow = {
    model: 'llama',
    cluster: 'b200',
    worldSize: 24,
    durationS: 36_000,
    verdict: 'communication',
  };
  await add(2, { ...slow, metrics: stepOf(80, 20, 0) });
  await add(3, { model: LONG_NAME, cluster: 'h200', metrics: stepOf(50, 50, 0) });
  await add(4, { model: 'broken', cluster: 'h200', metrics: { 'step-time': null } });
  await add(24 * 60, { ...big, model: 'old', metrics: stepOf(50, 0, 50) });
  await trendChores(web.bench.database).record();
}

async function uploadRuns(): Promise<void> {
  const recorded = [
    ['data_starved', 'gpt-136m', 1],
    ['ddp_slow_link', 'gpt-219m', 2],
    ['launch_bound', 'gpt-23m', 1],
    ['healthy', 'gpt-136m', 1],
  ] as const;
  for (const [sample, model, worldSize] of recorded) {
    const metadata = { model, cluster: 'h200', worldSize, durationS: 7_200 };
    const id = await real.client.upload(sampleRun(sample), metadata);
    await real.client.waitFor(id, ['done']);
  }
  await until(async () => {
    const { body } = await real.client.call<{ total: { runs: number } }>('GET', '/v1/fleet');
    return body.total.runs === recorded.length;
  }, 'all runs are summed');
}

describe('the page of the fleet', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    await web.bench.startWorker();
    team = await web.team();
    real = await web.team();
    await fillFleet();
    await uploadRuns();
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  const map = (page: Page) => page.getByRole('group', { name: 'Models by clusters' });
  const rowOf = async (page: Page, name: string): Promise<string[]> => {
    const row = map(page).getByRole('row', { name: new RegExp(`^${name}`) });
    await row.waitFor();
    return (await row.getByRole('cell').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
  };

  it('shows GPU-hours that went without computing, by model and cluster', async () => {
    const page = await web.signedIn(team, '/fleet');
    await page.getByText(/^368 of 1,040 GPU-hours from .* went without computing\.$/).waitFor();
    // Columns: the clusters with the most GPU-hours first, then all.
    expect(await rowOf(page, 'llama')).toEqual(['320 40 %', '48.0 20 %', '368 25 %']);
    // What is not known is told, and not taken for zero.
    expect(await rowOf(page, LONG_NAME)).toEqual(['not told 50 %', '', 'not told 50 %']);
    expect(await rowOf(page, 'broken')).toEqual(['not measured', '', 'not measured']);
    expect(await rowOf(page, 'All models')).toEqual([
      '320 41 % of 1 of 3 runs',
      '48.0 20 %',
      '368 26 % of 2 of 4 runs',
    ]);
    await page.getByText(/2 runs did not say how long on how many GPUs/).waitFor();
    await page.getByText(/1 run had no steps with device activity/).waitFor();
    await expectCount(map(page).getByRole('cell', { name: 'no runs' }), 2);
    await expectPresentableEverywhere(page, 'fleet');
  });

  it('shows one cause, and leads from a cell to the runs that it holds back', async () => {
    const page = await web.signedIn(team, '/fleet');
    await page.getByRole('button', { name: 'waiting for input' }).click();
    await page.waitForURL(/cause=inputWait/);
    await page.getByRole('region', { name: 'GPU-hours without computing: waiting for input' }).waitFor();
    expect(await rowOf(page, 'llama')).toEqual(['240 30 %', '0 0 %', '240 7.5 %']);
    await page.reload();
    const cell = page.getByRole('link', { name: '240. Runs of llama on h200' });
    await cell.click();
    await page.waitForURL(/\/runs\?model=llama&cluster=h200&verdict=input-pipeline$/);
    await page.getByText('1 runs on this page').waitFor();
    await page.goBack();
    await page.getByLabel('Cause').selectOption({ label: 'exposed communication' });
    await page.getByRole('link', { name: '48.0. Runs of llama on b200' }).waitFor();
    await page.getByLabel('Show').selectOption({ label: 'Share of the step' });
    await page.waitForURL(/show=share/);
    expect((await rowOf(page, LONG_NAME))[0]).toBe('50 %');
    await expectPresentable(page, 'fleet-share');
  });

  it('says what fixing would return, as a range', async () => {
    const page = await web.signedIn(team, '/fleet');
    const section = page.getByRole('region', { name: 'What fixing would return' });
    const row = section.getByRole('row', { name: /The device waits for its input/ });
    await row.waitFor();
    const cells = await row.getByRole('cell').allInnerTexts();
    expect(cells.slice(0, 3)).toEqual(['1', '240', '320']);
    await row.getByRole('link').click();
    await page.waitForURL(/\/runs\?verdict=input-pipeline$/);
  });

  it('takes the time and the filters from the address', async () => {
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 24 * HOUR_MS).toISOString().slice(0, 10);
    const page = await web.signedIn(team, `/fleet?from=${day(70)}&to=${day(50)}`);
    expect(await rowOf(page, 'old')).toEqual(['400 50 %', '400 50 %']);
    await page.getByRole('combobox', { name: 'Model' }).fill('nobody');
    await page.getByRole('combobox', { name: 'Model' }).press('Enter');
    await page.getByText('No finished run matches').waitFor();
    await page.goBack();
    await rowOf(page, 'old');
    await page.goto(`/t/${team.slug}/fleet?from=2020-01-01`);
    await page.getByRole('alert').getByText('validation-failed').waitFor();
    await expectPresentable(page, 'fleet-refused');
  });

  it('sums recorded runs', async () => {
    const page = await web.signedIn(real, '/fleet');
    await page.getByText(/GPU-hours from .* went without computing\.$/).waitFor();
    const { body } = await real.client.call<{ total: { notComputing: { share: number } } }>(
      'GET',
      '/v1/fleet',
    );
    const [, all] = await rowOf(page, 'All models');
    expect(all).toContain(`${Math.round(100 * body.total.notComputing.share)} %`);
    await page.getByText('All of them say how long, on how many GPUs, and where the time went.').waitFor();
    expect(
      await page.getByRole('region', { name: 'What fixing would return' }).getByRole('row').count(),
    ).toBeGreaterThan(3);
    await expectPresentableEverywhere(page, 'fleet-recorded');
  });

  it('tells a new team how to begin', async () => {
    const page = await web.signedIn(await web.team(), '/fleet');
    await page.getByText(/stallscope upload .* --duration-s/).waitFor();
    await expectPresentableEverywhere(page, 'fleet-new-team');
  });
});
