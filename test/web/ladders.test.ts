import { type Page } from 'playwright-core';
import { withCorpus } from '../corpus/corpus-folder';
import { inChromium } from '../harness/chromium';
import { uploadHistory } from '../harness/corpus-history';
import { expectCount, expectPresentable } from '../harness/presentable';
import { addHistoryRun } from '../harness/seed-history';
import { addAnalysedRun } from '../harness/trend-runs';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

const LABELS = ['fp32', 'bf16', 'flash attention', 'loader', 'compile', 'CUDA graphs', 'fused optimizer'];

let web: WebBench;
let team: WebTeam;
/** Of runs with step times of 400, 200 and 199 ms. */
let runIds: string[];

/** A run whose report says how long a step took, ms, with these facts. */
async function addRun(stepMs: number, setup: object, commit: string): Promise<string> {
  const metric = { id: 'step-time', value: stepMs * 1e6, unit: 'ns', source: 'measured' };
  return addAnalysedRun(web.bench.database, team.teamId, {
    ...{ at: new Date(Date.UTC(2026, 5, 1)), metrics: { 'step-time': stepMs * 1e6 }, setup, commit },
    report: {
      metrics: [metric],
      findings: [],
      verdict: { bottleneck: 'none', confidence: 'high', summary: 's' },
    },
  });
}

async function createLadder(
  name: string,
  rungs: { runId: string; label: string }[],
  of = team,
): Promise<string> {
  const { body } = await of.client.call<{ id: string }>('POST', '/v1/ladders', {
    name,
    description: 'On one H200',
  });
  await of.client.call('PUT', `/v1/ladders/${body.id}/rungs`, { rungs });
  return body.id;
}

const rowOf = (page: Page, label: string) =>
  page.getByRole('group', { name: 'Rungs' }).getByRole('row', { name: new RegExp(`^\\d+ ${label}`) });

describe('the pages of ladders', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    team = await web.team();
    runIds = [
      await addRun(400, { dtype: 'fp32' }, 'aaaa1'),
      await addRun(200, { dtype: 'bf16' }, 'bbbb2'),
      await addRun(199, { dtype: 'bf16', loader: { numWorkers: 8 } }, 'cccc3'),
    ];
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  it('tell a new team what a ladder is; a viewer has no buttons', async () => {
    const page = await web.signedIn(await web.team(), '/ladders');
    await page.getByText('stallscope ladder ./baseline').waitFor();
    await expectCount(page.getByRole('button', { name: 'New ladder' }), 0);
    await expectPresentable(page, 'ladders-empty-light');
  });

  it('let a member create a ladder, set its rungs, put them in order, rename and delete it', async () => {
    const page = await web.signedIn(team, '/ladders', { role: 'member' });
    await page.getByRole('button', { name: 'New ladder' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('From fp32 on');
    await expectPresentable(page, 'ladders-new-light');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('This ladder has no rungs yet.').waitFor();
    await page.getByRole('button', { name: 'Change the rungs' }).click();
    const editor = page.getByRole('region', { name: 'Change the rungs' });
    for (const [i, commit] of ['bbbb2', 'aaaa1'].entries()) {
      await editor.getByLabel('Add a run').fill(commit);
      await page.getByRole('option', { name: commit }).click();
      await editor.getByLabel(i === 0 ? 'Baseline' : `Rung ${i}`).waitFor();
    }
    await editor.getByLabel('Add a run').fill(runIds[2]);
    await page.getByRole('option').click();
    await editor.getByLabel('Rung 2').fill('more loader workers');
    await editor.getByRole('button', { name: 'Move aaaa1 up' }).click();
    await editor.getByLabel('Baseline').fill('fp32');
    await expectPresentable(page, 'ladder-edit-light');
    await editor.getByRole('button', { name: 'Save the rungs' }).click();
    await page.getByText('The last rung is 2.01x as fast as the baseline').waitFor();
    await rowOf(page, 'bbbb2').getByText('Keep').waitFor();
    await rowOf(page, 'more loader workers').getByText('Within noise').waitFor();
    await page.getByRole('button', { name: 'Change the rungs' }).click();
    await editor.getByRole('button', { name: 'Remove more loader workers' }).click();
    await editor.getByRole('button', { name: 'Save the rungs' }).click();
    await page.getByText('The last rung is 2.00x as fast as the baseline').waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the ladder' }).click();
    await page.waitForURL(/\/ladders$/);
    await page.getByText('There is no ladder yet').waitFor();
  });

  it('say what the API refuses', async () => {
    const id = await createLadder('Taken', []);
    const page = await web.signedIn(team, '/ladders', { role: 'member' });
    await page.getByRole('button', { name: 'New ladder' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Taken');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('ladder-name-taken').waitFor();
    await expectPresentable(page);
    await page.goto(`/t/${team.slug}/ladders?cursor=none`);
    await page.getByRole('alert').getByText('validation-failed').waitFor();
    await expectPresentable(page);
    await team.client.call('DELETE', `/v1/ladders/${id}`);
  });

  it('warn of several changes at once, keep rungs whose run is gone, and bear long names', async () => {
    const gone = await addRun(150, { dtype: 'bf16' }, 'dddd4');
    const unknown = await addHistoryRun(web.bench.database, team.teamId, { hour: 1, stepNs: 1e8 });
    const several = await addRun(250, { dtype: 'fp8', batch: { micro: 2 } }, 'eeee5');
    const id = await createLadder('x'.repeat(100), [
      { runId: runIds[0], label: 'fp32' },
      { runId: gone, label: 'gone' },
      { runId: runIds[1], label: `a name of ${'many '.repeat(20)}words` },
      { runId: several, label: 'y'.repeat(120) },
      { runId: unknown, label: 'nothing is known' },
    ]);
    await web.bench.database.forTeam(team.teamId, ({ run }) => run.delete({ where: { id: gone } }));
    const page = await web.signedIn(team, `/ladders/${id}`);
    await rowOf(page, 'gone').getByText('Run deleted').waitFor();
    await rowOf(page, 'y+').getByText('Careful: several things changed at once').waitFor();
    await rowOf(page, 'y+').getByText('Revert').waitFor();
    await rowOf(page, 'nothing is known').getByText('Not comparable').waitFor();
    await expectCount(page.getByRole('button', { name: 'Change the rungs' }), 0);
    await expectPresentable(page, 'ladder-odd-light');
    await page.goto(`/t/${team.slug}/ladders`);
    await page.getByRole('link', { name: 'x'.repeat(100) }).waitFor();
    await expectPresentable(page, 'ladders-light');
  });

  it('do not tell what another team has', async () => {
    const id = await createLadder('Ours', []);
    const page = await web.signedIn(await web.team(), `/ladders/${id}`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.goto(page.url().replace(id, 'nothing'));
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });

  withCorpus(() => {
    it('show recorded runs: 12.1 times as fast, and two rungs that bought nothing', async () => {
      const other = await web.team();
      await web.bench.startWorker();
      const runs = LABELS.map((_, i) => ({ recording: `ladder${i}`, model: 'gpt-1b', hour: i }));
      const ids = await uploadHistory(other.client, runs);
      const rungs = ids.map((runId, i) => ({ runId, label: LABELS[i] }));
      const id = await createLadder('From fp32 to a fused optimizer', rungs, other);
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 1280],
        ['light', 400],
        ['dark', 400],
      ] as const) {
        const options = { colorScheme, viewport: { width, height: 900 } };
        const page = await web.signedIn(other, `/ladders/${id}`, options);
        await page.getByText('The last rung is 12.1x as fast as the baseline').waitFor();
        await rowOf(page, 'fp32').getByText('1.41 s').waitFor();
        await rowOf(page, 'CUDA graphs').getByText('bought nothing').waitFor();
        await page
          .getByRole('img', { name: /^Step time of each rung/ })
          .locator('svg')
          .waitFor();
        await expectPresentable(page, `ladder-${colorScheme}-${width}`);
        const link = rowOf(page, 'bf16').getByRole('link', { name: 'bf16' });
        expect(await link.getAttribute('href')).toBe(`/t/${other.slug}/runs/${ids[1]}`);
      }
    }, 240_000);
  });
});
