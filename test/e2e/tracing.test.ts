import { findFreePort } from '../../infra/local/free-port';
import { type OtlpReceiver, startOtlpReceiver } from '../harness/otlp-receiver';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';

const files = sampleRun('data_starved');

describe('traces', () => {
  let bench: PipelineBench;
  let receiver: OtlpReceiver;
  let team: TeamClient;

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    bench = await PipelineBench.open({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    team = await bench.team();
  });
  afterAll(async () => {
    await bench.close();
    await receiver.close();
  });

  it('lead from the request through the queue to the analysis, and to the lines of the log', async () => {
    const worker = await bench.startWorker();
    const runId = await team.upload(files);
    await team.waitFor(runId, ['done']);
    await team.call('GET', `/v1/runs/${runId}/report?generation=1&note=query-of-a-client`);
    await worker.stop();
    await bench.api.stop();

    const spans = receiver.spans();
    const request = spans.find(({ name }) => name === 'POST /v1/runs/:id/complete');
    expect(request?.service).toBe('stallscope-api');
    expect(request?.attributes).toMatchObject({
      'stallscope.team_id': team.teamId,
      'http.response.status_code': 200,
    });
    const ofTrace = spans.filter(({ traceId }) => traceId === request?.traceId);
    const analysis = ofTrace.find(({ name }) => name === 'analyze run');
    expect(analysis).toMatchObject({
      service: 'stallscope-worker',
      attributes: { 'stallscope.run_id': runId, 'stallscope.team_id': team.teamId },
    });
    const wait = ofTrace.find(({ name }) => name === 'analyze run wait');
    expect(wait?.parentSpanId).toBe(analysis?.parentSpanId);
    expect(wait!.endNs).toBeLessThanOrEqual(analysis!.startNs + 1_000_000n);
    const child = ofTrace.find(({ name }) => name === 'analysis process');
    expect(child?.parentSpanId).toBe(analysis?.spanId);
    // SQL of both processes belongs to the trace too.
    const sql = ofTrace.filter(({ attributes }) => 'db.query.text' in attributes);
    expect(new Set(sql.map(({ service }) => service))).toEqual(
      new Set(['stallscope-api', 'stallscope-worker']),
    );

    const done = worker
      .output()
      .split('\n')
      .find((line) => line.includes('"msg":"analysis done"'));
    expect(JSON.parse(done ?? '{}')).toMatchObject({ trace_id: request?.traceId, runId });

    // Nothing that opens a door is in a span, and no client names spans.
    expect(receiver.text()).not.toContain(team.token);
    expect(receiver.text()).not.toContain('query-of-a-client');
    expect(receiver.text()).not.toMatch(/X-Amz-Signature|uploadId=/);
    for (const { name } of spans) expect(name).not.toContain(runId);
    expect(spans.some(({ attributes }) => String(attributes['url.path']).startsWith('/health'))).toBe(false);
  });
});

describe('a collector that is away', () => {
  it('breaks nothing and holds up no stop', async () => {
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    const bench = await PipelineBench.open({ OTEL_EXPORTER_OTLP_ENDPOINT: nobody });
    try {
      const team = await bench.team();
      const worker = await bench.startWorker();
      await team.waitFor(await team.upload(files), ['done']);
      const startedMs = Date.now();
      await Promise.all([worker.stop(), bench.api.stop()]);
      // Drain times are 10 s and 15 s; a stop that waited for the collector's own time-outs would be near them.
      expect(Date.now() - startedMs).toBeLessThan(8_000);
      expect(await worker.ended).toBe('exit code 0');
      expect(await bench.api.ended).toBe('exit code 0');
    } finally {
      await bench.close();
    }
  });
});
