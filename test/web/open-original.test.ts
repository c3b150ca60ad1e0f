import { type BrowserContextOptions, type Page } from 'playwright-core';
import { readFileSync } from 'node:fs';
import { inChromium } from '../harness/chromium';
import { sampleRun, sha256, type UploadFile } from '../harness/pipeline-bench';
import { expectCount, expectPresentable } from '../harness/presentable';
import { WebBench, type WebTeam } from '../harness/web-bench';

const { describe, executablePath } = inChromium();

/** As much of Perfetto as a page that hands a trace over sees. It answers, and keeps what it was given. */
const PERFETTO = `<!doctype html><title>Perfetto</title><script>
  addEventListener('message', async ({ data, source, origin }) => {
    if (data === 'PING') return source.postMessage('PONG', '*');
    const { buffer, ...others } = data.perfetto;
    const digest = await crypto.subtle.digest('SHA-256', buffer);
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    window.received = { ...others, origin, hex };
  });
</script>`;

interface Received {
  title: string;
  fileName: string;
  origin: string;
  hex: string;
}

let web: WebBench;
let team: WebTeam;
let single: { id: string; trace: UploadFile };
let several: { id: string; traces: UploadFile[] };

const isTrace = ({ name }: UploadFile) => name.includes('trace');

describe('the originals of a run', () => {
  beforeAll(async () => {
    web = await WebBench.open(executablePath);
    await web.bench.startWorker();
    team = await web.team();
    const upload = (sample: string) =>
      team.client.upload(sampleRun(sample), { model: sample, cluster: 'h200' });
    single = { id: await upload('data_starved'), trace: sampleRun('data_starved').filter(isTrace)[0] };
    several = { id: await upload('ddp_slow_link'), traces: sampleRun('ddp_slow_link').filter(isTrace) };
    for (const { id } of [single, several]) await team.client.waitFor(id, ['done']);
  }, 240_000);
  afterAll(() => web.close());
  afterEach(() => expect(web.complaints.splice(0)).toEqual([]));

  /** The report of a run, in a browser that finds Perfetto at its address. */
  async function report(runId: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await web.signedIn(team, '/runs', options);
    await page
      .context()
      .route('https://ui.perfetto.dev/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: PERFETTO }),
      );
    await page.goto(`/t/${team.slug}/runs/${runId}`);
    await page.getByRole('heading', { name: 'Files' }).waitFor();
    return page;
  }

  async function opened(page: Page, act: () => Promise<void>): Promise<Page> {
    const [perfetto] = await Promise.all([page.waitForEvent('popup'), act()]);
    return perfetto;
  }

  async function receivedBy(perfetto: Page): Promise<Received> {
    await perfetto.waitForFunction('window.received');
    return perfetto.evaluate<Received>('window.received');
  }

  it('are handed to Perfetto, byte by byte, from window to window', async () => {
    const page = await report(single.id);
    const elsewhere: string[] = [];
    page.context().on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.origin !== web.bench.api.baseUrl)
        elsewhere.push(`${request.method()} ${request.url()}`);
    });
    const open = page.getByRole('button', { name: 'Open in Perfetto', exact: true }).first();
    const received = await receivedBy(await opened(page, () => open.click()));
    expect(received).toEqual({
      title: `data_starved, ${single.trace.name}`,
      fileName: single.trace.name,
      origin: web.bench.api.baseUrl,
      hex: sha256(single.trace.bytes),
    });
    await page.getByRole('status').getByText('is in the window of Perfetto').waitFor();
    expect(elsewhere).toEqual(['GET https://ui.perfetto.dev/']);
    await page.getByText('neither Stallscope nor Perfetto uploads it').waitFor();
  });

  it('are chosen where a run has several', async () => {
    const page = await report(several.id);
    await page.getByRole('button', { name: 'Open in Perfetto', exact: true }).first().click();
    const [, second] = several.traces;
    await expectPresentable(page, 'perfetto-menu');
    const item = page.getByRole('menuitem', { name: second.name });
    expect(await receivedBy(await opened(page, () => item.click()))).toMatchObject({
      hex: sha256(second.bytes),
    });
    const row = page.getByRole('button', { name: `Open in Perfetto: ${several.traces[0].name}` });
    const perfetto = await opened(page, () => row.press('Enter'));
    expect(await receivedBy(perfetto)).toMatchObject({ hex: sha256(several.traces[0].bytes) });
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 400],
  ] as const)('show how far they are, and can be cancelled, %s, %d px', async (colorScheme, width) => {
    const page = await report(single.id, { colorScheme, viewport: { width, height: 900 } });
    await page.context().route('**/content', () => undefined);
    const open = page.getByRole('button', { name: 'Open in Perfetto', exact: true }).first();
    const perfetto = await opened(page, () => open.click());
    await page
      .getByRole('status')
      .getByText(/0 B of \d/)
      .waitFor();
    await expectPresentable(page, `open-original-${colorScheme}-${width}`);
    await Promise.all([perfetto.waitForEvent('close'), page.getByRole('button', { name: 'Cancel' }).click()]);
    await page.getByRole('status', { name: 'On the way to Perfetto' }).waitFor({ state: 'detached' });
    await expectCount(page.getByRole('alert'), 0);
    expect(await open.isEnabled()).toBe(true);
  });

  it('say what went wrong: no window, a closed one, one that never answers', async () => {
    const page = await report(single.id);
    await page.clock.install();
    const open = page.getByRole('button', { name: 'Open in Perfetto', exact: true }).first();
    await page.evaluate('window.really = window.open; window.open = () => null');
    await open.click();
    await page.getByRole('alert').getByText('window-blocked').waitFor();
    await expectPresentable(page, 'perfetto-blocked');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.evaluate('window.open = window.really');

    await page.context().route('https://ui.perfetto.dev/**', (route) => route.abort());
    const lost = await opened(page, () => open.click());
    await page.getByText('waiting for Perfetto').waitFor();
    await page.clock.fastForward(61_000);
    await page.getByRole('alert').getByText('perfetto-unreachable').waitFor();
    expect(lost.isClosed()).toBe(true);

    await (await opened(page, () => open.click())).close();
    await page.getByRole('alert').getByText('window-closed').waitFor();
  });

  it('that are compressed with zstd, or are gone, or break off, are told of', async () => {
    const page = await report(single.id);
    const open = page.getByRole('button', { name: 'Open in Perfetto', exact: true }).first();
    const { bytes } = single.trace;
    const zstd = Buffer.concat([Buffer.from('28b52ffd', 'hex'), bytes.subarray(4)]);
    for (const [body, code] of [
      [zstd, 'compressed-with-zstd'],
      [bytes.subarray(0, 10), 'unreachable'],
    ] as const) {
      await page.context().route('**/content', (route) => route.fulfill({ body }), { times: 1 });
      await opened(page, () => open.click());
      await page.getByRole('alert').getByText(code, { exact: true }).waitFor();
    }
    await web.bench.query(`UPDATE artifacts SET object_key = object_key || 'x' WHERE run_id = $1`, single.id);
    const perfetto = await opened(page, () => open.click());
    await page.getByRole('alert').getByText('artifact-gone').waitFor();
    expect(perfetto.isClosed()).toBe(true);
    await page.getByRole('button', { name: `Download ${single.trace.name}` }).click();
    await page.getByRole('alert').getByText('artifact-gone').nth(1).waitFor();
    await web.bench.query(
      `UPDATE artifacts SET object_key = left(object_key, -1) WHERE run_id = $1`,
      single.id,
    );
  });

  it('can be had back, also of a run that could not be analysed', async () => {
    const failed = { name: 'notes.txt', bytes: Buffer.from('nothing that a profiler wrote\n') };
    const id = await team.client.upload([failed]);
    await team.client.waitFor(id, ['failed']);
    for (const [runId, { name, bytes }] of [
      [single.id, single.trace],
      [id, failed],
    ] as const) {
      const page = await report(runId);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Download ${name}` }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      expect(sha256(readFileSync(await download.path()))).toBe(sha256(bytes));
      if (runId === id) {
        await expectCount(page.getByRole('button', { name: /Perfetto/ }), 0);
        await expectPresentable(page, 'files-of-a-failed-run');
      }
    }
  });

  it('that Perfetto cannot take are not offered to it', async () => {
    const page = await report(several.id);
    const count = () => page.getByRole('button', { name: /^Open in Perfetto: / }).count();
    const [first, second] = several.traces;
    expect(await count()).toBe(several.traces.length);
    const named = 'UPDATE artifacts SET size_bytes = $1 WHERE run_id = $2 AND name = $3';
    await web.bench.query(named, 2 ** 30 + 1, several.id, first.name);
    await web.bench.query(
      `UPDATE artifacts SET state = 'rejected' WHERE run_id = $1 AND name = $2`,
      several.id,
      second.name,
    );
    await page.reload();
    await page.getByText('Too large to hand over in a browser').waitFor();
    await page.getByText('rejected', { exact: true }).waitFor();
    expect(await count()).toBe(several.traces.length - 2);
    await expectCount(page.getByRole('button', { name: `Download ${first.name}` }), 1);
    await expectCount(page.getByRole('button', { name: `Download ${second.name}` }), 0);
  });
});
