import { inChromium } from '../harness/chromium';
import { expectCount, expectPresentable, expectPresentableEverywhere } from '../harness/presentable';
import { addSlowerRuns, untilExplained, uploadSlowerRuns } from '../harness/slower-runs';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

const LONG_NAME = `${'a-model-with-a-very-long-name-'.repeat(4)}x`;
let web: WebBench;
let team: WebTeam;
let explained: string;
let unexplained: string;

describe('the pages of regressions', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    await web.bench.startWorker();
    team = await web.team();
    explained = await uploadSlowerRuns(team.client);
    const { database } = web.bench;
    unexplained = await addSlowerRuns(database, team.client, {
      model: LONG_NAME,
      branch: null,
      cluster: 'b200',
    });
    await untilExplained(team.client, unexplained);
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  describe('the inbox', () => {
    it('shows what got slower, where, since when, and whose it is', async () => {
      const page = await web.signedIn(team, '/regressions');
      const row = page.getByRole('row', { name: /gpt-136m/ });
      await row.getByText('Open', { exact: true }).waitFor();
      const text = await row.innerText();
      for (const part of ['Step time without the profiler', '+2', 'h200', 'main', 'night-10', 'nobody'])
        expect(text).toContain(part);
      expect(await page.getByRole('link', { name: 'Regressions' }).getAttribute('aria-current')).toBe('page');
      await expectPresentableEverywhere(page, 'inbox');
      await row.getByRole('link', { name: 'gpt-136m' }).click();
      await page.waitForURL(new RegExp(`/regressions/${explained}$`));
    });

    it('keeps its filters in the address, also for the back button', async () => {
      const page = await web.signedIn(team, '/regressions?cluster=h200');
      await page.getByRole('link', { name: 'gpt-136m' }).waitFor();
      await expectCount(page.getByRole('link', { name: LONG_NAME }), 0);
      await page.getByLabel('Metric').selectOption({ label: 'Waiting for the allocator' });
      await page.waitForURL(/metric=allocator-wait/);
      await page.getByText('No regression matches').waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'gpt-136m' }).waitFor();
      await page.getByText('Resolved', { exact: true }).click();
      await page.waitForURL(/state=resolved/);
      await page.getByText('No regression matches').waitFor();
      await expectPresentable(page, 'inbox-none-matches');
      await page.getByRole('button', { name: 'Show all that are not resolved' }).click();
      await page.getByRole('link', { name: LONG_NAME }).waitFor();
    });

    it('goes through pages', async () => {
      const busy = await web.team();
      const id = await addSlowerRuns(web.bench.database, busy.client, { model: 'busy' });
      // The series has a history of 25 more, which were resolved.
      await web.bench.query(
        `INSERT INTO regressions SELECT copy.* FROM regressions g, generate_series(1, 25) n, jsonb_populate_record(g, jsonb_build_object(
           'id', overlay(g.id::text PLACING lpad(n::text, 2, '0') FROM 35), 'state', 'resolved', 'resolution', 'fixed',
           'resolved_at', now(), 'before', n * 1e6)) copy WHERE g.id = $1`,
        id,
      );
      const page = await web.signedIn(busy, '/regressions?state=any');
      await page.getByText('25 regressions on this page').waitFor();
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByText('1 regression on this page').waitFor();
      await page.goBack();
      await page.getByText('25 regressions on this page').waitFor();
      await expectPresentableEverywhere(page, 'inbox-many');
    });

    it('tells a new team what it takes, and one whose runs are good that they are', async () => {
      const fresh = await web.team();
      const page = await web.signedIn(fresh, '/regressions');
      await page.getByText(/stallscope upload .* --commit/).waitFor();
      await expectPresentableEverywhere(page, 'inbox-new-team');
      await addSlowerRuns(web.bench.database, fresh.client, { model: 'm' });
      await web.bench.query(
        "UPDATE regressions SET state = 'resolved', resolution = 'recovered', resolved_at = now() WHERE team_id = $1",
        fresh.teamId,
      );
      await page.reload();
      await page.getByRole('heading', { name: 'Nothing got slower' }).waitFor();
      await expectPresentable(page, 'inbox-all-good');
    });

    it('explains what the API refuses', async () => {
      const page = await web.signedIn(team, '/regressions?state=gone');
      await page.getByRole('alert').getByText('validation-failed').waitFor();
    });
  });

  describe('one regression', () => {
    it('answers what, since when, and where the time went', async () => {
      const page = await web.signedIn(team, `/regressions/${explained}`);
      await page
        .getByText(/^Step time without the profiler rose from .* to .* \(\+2\d\d %\) since commit night-10/)
        .waitFor();
      const parts = page.getByRole('region', { name: 'Where the time went' });
      await parts
        .getByRole('img', { name: 'By how much each part of the step changed' })
        .locator('svg')
        .waitFor();
      const { body } = await team.client.call<{
        explanation: { changeNs: number; parts: { part: string; changeNs: number }[] };
      }>('GET', `/v1/regressions/${explained}`);
      const [largest] = body.explanation.parts;
      expect(largest.part).toBe('inputWait');
      const row = parts.getByRole('row', { name: /waiting for input/ });
      expect(await row.innerText()).toContain(`+${Math.round(largest.changeNs / 1e6)} ms`);
      const total = parts.getByRole('row', { name: /The step/ });
      expect(await total.innerText()).toContain(`+${Math.round(body.explanation.changeNs / 1e6)} ms`);
      await page
        .getByRole('row', { name: /loader.numWorkers/ })
        .getByText('may explain it')
        .waitFor();
      await page.getByText('night-9..night-10').waitFor();
      await page
        .getByText(/^10\d ms of the 11\d ms are waiting for input\. loader\.numWorkers \(8 → 0\)/)
        .waitFor();
      await page
        .getByRole('img', { name: /of 13 points in the order of time/ })
        .locator('svg')
        .waitFor();
      await expectPresentableEverywhere(page, 'regression');
    });

    it('leads to the runs, the comparison and the trend', async () => {
      const page = await web.signedIn(team, `/regressions/${explained}`);
      const { body } = await team.client.call<{
        firstBad: { runId: string };
        lastGood: { runId: string };
        metricId: string;
      }>('GET', `/v1/regressions/${explained}`);
      const hrefOf = (name: string) =>
        page.getByRole('link', { name, exact: true }).first().getAttribute('href');
      await page.getByRole('link', { name: 'Compare the two runs' }).waitFor();
      expect(await hrefOf('Compare the two runs')).toBe(
        `/t/${team.slug}/compare?base=${body.lastGood.runId}&head=${body.firstBad.runId}`,
      );
      expect(await hrefOf('run of night-10')).toBe(`/t/${team.slug}/runs/${body.firstBad.runId}`);
      expect(await hrefOf('Open the whole trend')).toContain(
        `/t/${team.slug}/trends?metric=${body.metricId}&`,
      );
      await page.getByText('The same as a table').click();
      await expectCount(page.getByRole('group', { name: 'Points of the trend' }).getByRole('row'), 14);
    });

    it('keeps in the address which part of the work is shown', async () => {
      const page = await web.signedIn(team, `/regressions/${explained}`);
      const tabs = page.getByRole('tab');
      await tabs.first().waitFor();
      const last = await tabs.last().innerText();
      await tabs.last().click();
      await page.waitForURL(/show=/);
      await page.reload();
      await page.getByRole('tab', { name: last, selected: true }).waitFor();
    });

    it('names the rank that the others wait for, and collectives that are new', async () => {
      const id = await addSlowerRuns(web.bench.database, team.client, { model: 'ranks', worldSize: 2 });
      const part = { part: 'exposedCommunication', beforeNs: 1e6, afterNs: 11e6, changeNs: 1e7 };
      const rank = { beforeNs: 1e8, afterNs: 1.1e8, changeNs: 1e7, beforeLatenessNs: null };
      const explanation = {
        ...{ clock: 'traced', beforeNs: 1e8, afterNs: 1.1e8, changeNs: 1e7, parts: [part] },
        ...{ kernelClasses: [], kernels: [], ops: [], configuration: [], explainedByConfiguration: false },
        collectives: [
          {
            ...{ name: 'nccl:all_gather', status: 'added', beforeNs: null, afterNs: 1e7, changeNs: 1e7 },
            ...{ beforeCalls: null, afterCalls: 12 },
          },
        ],
        ranks: [0, 1].map((n) => ({ ...rank, rank: n, afterLatenessNs: n * 9e6 })),
        stragglerRank: { before: null, after: 1 },
      };
      await untilExplained(team.client, id);
      await web.bench.query('UPDATE regressions SET explanation = $2 WHERE id = $1', id, explanation);
      const page = await web.signedIn(team, `/regressions/${id}`);
      await page.getByText('10.0 ms of the 10.0 ms are exposed communication.').waitFor();
      const added = page.getByRole('row', { name: /nccl:all_gather/ });
      expect(await added.innerText()).toMatch(/new\s+–\s+10.0 ms\s+\+10.0 ms\s+– → 12/);
      await page.getByRole('tab', { name: 'Ranks (2)' }).click();
      await page.getByText('Rank 1 keeps the others waiting now; before, no rank did.').waitFor();
      await page.getByText(/configuration, software and hardware are the same/).waitFor();
      await expectPresentableEverywhere(page, 'regression-ranks');
    });

    it('says what is not known, and how to know it', async () => {
      const page = await web.signedIn(team, `/regressions/${unexplained}`);
      await page.getByText('Where the time went is not known').waitFor();
      await page.getByText(/ProfilerActivity.CUDA/).waitFor();
      await expectPresentableEverywhere(page, 'regression-not-known');
    });

    it('tells a viewer why there is nothing to do', async () => {
      const page = await web.signedIn(team, `/regressions/${explained}`);
      await page.getByText('You are a viewer of this team and may read.').waitFor();
      await expectCount(page.getByRole('button', { name: 'Acknowledge' }), 0);
    });

    it('does not tell what another team has', async () => {
      const page = await web.signedIn(await web.team(), `/regressions/${explained}`);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      await page.goto(page.url().replace(explained, 'not-an-id'));
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    });
  });
});
