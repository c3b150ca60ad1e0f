import { metricsOf, operatorsUrl, valueOf } from '../harness/operators';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { until } from '../harness/until';

const files = sampleRun('data_starved');

describe('the metrics of the processes', () => {
  let bench: PipelineBench;
  let team: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open({ METRICS_PORT: '0', WORKER_METRICS_PORT: '0' });
    team = await bench.team();
  });
  afterAll(() => bench.close());

  it('are at an address of their own, where the API has nothing else', async () => {
    expect((await team.call('GET', '/metrics')).status).toBe(404);
    const url = operatorsUrl(bench.api);
    expect((await fetch(`${url}/metrics`)).headers.get('content-type')).toMatch(/^text\/plain/);
    for (const path of ['/v1/me', '/health/live', '/']) expect((await fetch(url + path)).status).toBe(404);
  });

  it('tell of the backlog and its age, and that it is gone', async () => {
    const other = await bench.team();
    const runIds = [await team.upload(files), await team.upload(files)];
    const theirs = await other.upload(files);
    await until(async () => {
      const text = await metricsOf(bench.api);
      return (valueOf(text, 'stallscope_backlog_oldest_age_seconds{state="queued"}') ?? 0) > 0.1;
    }, 'the backlog has an age');
    const before = await metricsOf(bench.api);
    expect(valueOf(before, 'stallscope_backlog_runs{state="queued"}')).toBe(3);
    expect(valueOf(before, 'stallscope_backlog_teams{state="queued"}')).toBe(2);
    expect(valueOf(before, 'stallscope_backlog_runs{state="analyzing"}')).toBe(0);

    const worker = await bench.startWorker();
    for (const runId of runIds) await team.waitFor(runId, ['done']);
    await other.waitFor(theirs, ['done']);
    const after = await metricsOf(bench.api);
    expect(valueOf(after, 'stallscope_backlog_runs{state="queued"}')).toBe(0);
    expect(valueOf(after, 'stallscope_backlog_oldest_age_seconds{state="queued"}')).toBe(0);

    const refused = await team.upload([{ name: 'not-a-trace.json', bytes: Buffer.from('{"a": 1}') }]);
    await team.waitFor(refused, ['failed']);
    const text = await metricsOf(worker);
    expect(valueOf(text, 'stallscope_analyses_total{outcome="done"}')).toBe(3);
    expect(valueOf(text, 'stallscope_analysis_input_bytes_count')).toBe(4);
    expect(valueOf(text, 'stallscope_analysis_duration_seconds_count')).toBe(4);
    expect(text).not.toContain('outcome="other"');
  });

  it('have few labels, whatever clients ask for, and name no team and no run', async () => {
    for (let i = 0; i < 30; i++) {
      await team.call('GET', `/v1/nowhere/${i}?x=${i}`);
      await team.call('GET', `/v1/runs/01990000-0000-7000-8000-0000000000${10 + i}`);
    }
    const [worker] = [await bench.startWorker()];
    const [{ slug }] = await bench.query<{ slug: string }>('SELECT slug FROM teams LIMIT 1');
    for (const text of [await metricsOf(bench.api), await metricsOf(worker)]) {
      expect(text).not.toContain(team.teamId);
      expect(text).not.toContain(slug);
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/);
      expect(text).not.toMatch(/\b(team|run|token|user)="/);
      const series = text
        .split('\n')
        .filter((line) => line.startsWith('stallscope_') && !line.includes('le='));
      expect(series.length).toBeLessThan(200);
    }
    const routes = (await metricsOf(bench.api)).match(/_count\{method="GET",route="[^"]*",status="404"\}/g);
    expect(new Set(routes)).toEqual(
      new Set([
        '_count{method="GET",route="unmatched",status="404"}',
        '_count{method="GET",route="/v1/runs/:id",status="404"}',
      ]),
    );
  });
});
