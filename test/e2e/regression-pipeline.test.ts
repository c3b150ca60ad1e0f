import { sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { until } from '../harness/until';
import { WebhookBench } from '../harness/webhook-bench';

const healthy = sampleRun('data_starved__fixed');
const starved = sampleRun('data_starved');
const GOOD_RUNS = 10;
const BAD_RUNS = 4;
/** Sixteen analyses, which may share their cores with other tests. */
const TIMEOUT_MS = 300_000;
const HOUR_MS = 3_600_000;

interface Page {
  items: { id: string }[];
}
interface Shown {
  metricId: string;
  before: number;
  after: number;
  firstBad: { runId: string };
  commitRange: object;
  explanation: {
    changeNs: number;
    parts: { part: string; changeNs: number }[];
    configuration: { name: string; mayExplain: boolean }[];
    explainedByConfiguration: boolean;
  } | null;
}

describe('a regression of uploaded runs, with real processes', () => {
  let bench: WebhookBench;

  beforeAll(async () => {
    bench = await WebhookBench.open();
    await bench.product.startWorker();
  });
  afterAll(() => bench.close());

  /** The n-th nightly run. */
  const upload = (team: TeamClient, n: number, files: typeof healthy, numWorkers: number) =>
    team.upload(files, {
      ...{ model: 'gpt-small', cluster: 'h200', branch: 'main', commit: `night-${n}`, dtype: 'bf16' },
      startedAt: new Date(Date.now() - (40 - n) * HOUR_MS).toISOString(),
      loader: { numWorkers },
    });

  it(
    'is found, explained by where the time went and what was changed, and told',
    async () => {
      const team = await bench.team();
      await bench.hook(team, '/ours', { events: ['regression.opened', 'regression.resolved'] });
      await bench.hook(team, '/slack', { events: ['regression.opened'], payloadFormat: 'slack' });
      const runs: string[] = [];
      for (let n = 0; n < GOOD_RUNS; n++) runs.push(await upload(team, n, healthy, 8));
      for (let n = 0; n < BAD_RUNS; n++) runs.push(await upload(team, GOOD_RUNS + n, starved, 0));
      for (const runId of runs) await team.waitFor(runId, ['done'], 120_000);

      const list = async () => (await team.call<Page>('GET', '/v1/regressions')).body.items;
      await until(async () => (await list()).length > 0, 'the regression is found', 60_000);
      const [{ id }] = await list();
      const show = async () => (await team.call<Shown>('GET', `/v1/regressions/${id}`)).body;
      await until(async () => (await show()).explanation !== null, 'it is explained', 30_000);
      const shown = await show();
      expect(shown).toMatchObject({
        ...{ metricId: 'unprofiled-step-time', unit: 'ns', model: 'gpt-small', cluster: 'h200' },
        firstBad: { runId: runs[GOOD_RUNS], commit: `night-${GOOD_RUNS}` },
        commitRange: { after: `night-${GOOD_RUNS - 1}`, upTo: `night-${GOOD_RUNS}` },
      });
      const { changeNs, parts, configuration, explainedByConfiguration } = shown.explanation!;
      expect(changeNs).toBeGreaterThan(0);
      expect(parts.reduce((sum, part) => sum + part.changeNs, 0)).toBeCloseTo(changeNs, 2);
      expect(parts[0].part).toBe('inputWait');
      expect(configuration).toContainEqual({
        ...{ name: 'loader.numWorkers', kind: 'loader', before: '8', after: '0', mayExplain: true },
      });
      expect(explainedByConfiguration).toBe(true);

      await Promise.all([bench.arrived('/ours', 1), bench.arrived('/slack', 1)]);
      const { type, data } = JSON.parse(bench.receiver.callsTo('/ours')[0].body);
      expect([type, data.run.id]).toEqual(['regression.opened', shown.firstBad.runId]);
      expect([data.run.state, data.details.state]).toEqual(['done', 'open']);
      expect(data.details).toMatchObject({ regressionId: id, workload: null, url: `/v1/regressions/${id}` });
      expect(bench.receiver.callsTo('/slack')[0].body).toContain('unprofiled-step-time: ');

      const trendOf = async (runId: string | undefined) =>
        (await team.call<{ trend: object[] | null }>('GET', `/v1/runs/${runId}`)).body.trend;
      await until(async () => (await trendOf(runs.at(-1))) !== null, 'the last run is judged', 30_000);
      expect(await trendOf(runs.at(-1))).toContainEqual(
        expect.objectContaining({ metricId: 'unprofiled-step-time', verdict: 'regressed' }),
      );
      for (let n = GOOD_RUNS + BAD_RUNS; n < GOOD_RUNS + BAD_RUNS + 2; n++)
        await team.waitFor(await upload(team, n, healthy, 8), ['done'], 60_000);
      await bench.arrived('/ours', 2);
      const resolved = JSON.parse(bench.receiver.callsTo('/ours')[1].body);
      expect([resolved.type, resolved.data.details.resolution]).toEqual(['regression.resolved', 'recovered']);
    },
    TIMEOUT_MS,
  );
});
