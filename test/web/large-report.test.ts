import { inChromium } from '../harness/chromium';
import { LARGE, largeReport } from '../harness/large-report';
import { expectCount, expectPresentable } from '../harness/presentable';
import { storeReport } from '../harness/stored-report';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

/** What no answer that the page asks for may be larger than, uncompressed. */
const MOST_ANSWER_BYTES = 600_000;

let web: WebBench;
let team: WebTeam;
let runId: string;

describe('the report of a run with many ranks, steps, kernels and collectives', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    team = await web.team();
    const report = await largeReport();
    runId = await storeReport(web.bench.database, team.teamId, report, { ranks: 1, steps: 1 });
  }, 120_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  it('is ready, answers every click, and asks for little at a time', async () => {
    const page = await web.signedIn(team);
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/report?')) sizes.push(response.body().then((body) => body.length));
    });
    await page.goto(`/t/${team.slug}/runs/${runId}`);
    await page.getByRole('heading', { name: /^Where the mean step of/ }).waitFor();

    await page.getByRole('tab', { name: 'Steps' }).click();
    const chart = page.getByRole('img', { name: 'Parts of each step, by rank' });
    await chart.getByText('rank 0').first().waitFor();
    await page.getByText(/choose a rank to see more of it/).waitFor();
    await page.getByLabel('Rank', { exact: true }).selectOption('63');
    await page.getByText('The same as a table').click();
    await page.getByText(`1 to 50 of ${LARGE.steps} steps`).waitFor();
    await page.getByRole('button', { name: 'Next steps' }).click();
    await page.getByText(`51 to 100 of ${LARGE.steps} steps`).waitFor();
    await expectCount(page.getByText(/more are not shown/), 0);

    await page.getByRole('tab', { name: 'Idle time' }).click();
    await page.getByText(`1 to 32 of ${LARGE.ranks} ranks`).waitFor();

    await page.getByRole('tab', { name: 'Kernels' }).click();
    await page.getByText(`1 to 50 of ${LARGE.kernels} kernels`).waitFor();
    await page.getByText(/700 more names take 10.0 s together/).waitFor();
    await page.getByLabel('Class', { exact: true }).selectOption('gemm');
    await page.getByLabel('Name contains').fill('kernel_192<');
    await page.getByLabel('Name contains').press('Enter');
    const kernels = page.getByRole('group', { name: 'Kernels' });
    await kernels.getByText('kernel_192').first().waitFor();
    await expectCount(kernels.getByRole('row'), 2);
    await kernels.locator('summary').click();

    await page.getByRole('tab', { name: 'Communication' }).click();
    await page.getByText('Rank 63 is late').waitFor();
    await page.getByText(`1 to 25 of ${LARGE.collectives} collectives`).waitFor();
    await page.getByRole('button', { name: 'Next ranks' }).last().click();
    await page.getByText('ranks 16 to 31').waitFor();
    await expectPresentable(page, 'large-communication');

    const bytes = await Promise.all(sizes);
    expect(bytes.length).toBeGreaterThanOrEqual(6);
    expect(Math.max(...bytes)).toBeLessThan(MOST_ANSWER_BYTES);
  });
});
