import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkTo, type CuttableLink } from '../harness/cuttable-link';
import { operatorsUrl } from '../harness/operators';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { until } from '../harness/until';

const files = sampleRun('data_starved');

/** A request whose body comes when it is told to, over a connection that is kept for more. */
class SlowUpload {
  private received = '';

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (text: string) => (this.received += text));
    socket.on('error', () => undefined);
  }

  static async begin(baseUrl: string, token: string, sizeBytes: number): Promise<SlowUpload> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `PUT /v1/ingest?model=m&cluster=c&name=slow.json.gz HTTP/1.1\r\nHost: ${hostname}\r\n` +
        `Authorization: Bearer ${token}\r\nContent-Length: ${sizeBytes}\r\n\r\n`,
    );
    return new SlowUpload(socket);
  }

  send(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The whole answer; the server closes the connection after it. */
  async answer(): Promise<string> {
    if (!this.socket.closed) await once(this.socket, 'close');
    return this.received;
  }
}

const statusOf = (url: string) =>
  fetch(url, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => 'refused' as const,
  );

describe('the API, told to stop in the middle of an upload', () => {
  it('says that it is not ready, then takes no connections, finishes what it has, and ends well', async () => {
    const bench = await PipelineBench.open({ SHUTDOWN_DELAY_S: '2' });
    try {
      const team = await bench.team();
      const { baseUrl, pid } = bench.api;
      const trace = files.filter(({ name }) => name.includes('trace'))[0].bytes;
      const upload = await SlowUpload.begin(baseUrl, team.token, trace.length);
      upload.send(trace.subarray(0, 1000));
      await sleep(300);

      process.kill(pid, 'SIGTERM');
      await until(async () => (await statusOf(`${baseUrl}/health/ready`)) === 503, 'not ready');
      expect(await statusOf(`${baseUrl}/health/live`)).toBe(200);
      // Requests that come before load balancers have noticed are still answered.
      expect((await team.call('GET', '/v1/me')).status).toBe(200);
      await until(
        async () => (await statusOf(`${baseUrl}/health/live`)) === 'refused',
        'connections refused',
      );

      upload.send(trace.subarray(1000));
      expect(await upload.answer()).toMatch(/^HTTP\/1\.1 20[12] /);
      expect(await bench.api.ended).toBe('exit code 0');
      const [{ count }] = await bench.query<{ count: number }>('SELECT count(*)::int AS count FROM runs');
      expect(count).toBe(1);
    } finally {
      await bench.close();
    }
  });
});

describe('a worker, told to stop in mid-analysis', () => {
  let bench: PipelineBench;
  let team: TeamClient;
  let store: CuttableLink;

  beforeAll(async () => {
    // Nothing but handing back brings the run to another worker in time.
    bench = await PipelineBench.open({ STALLED_AFTER_S: '600', RECONCILE_INTERVAL_S: '600' });
    team = await bench.team();
    store = await linkTo(bench.environment.env.S3_ENDPOINT);
  });
  afterAll(async () => {
    await bench.close();
    await store.close();
  });

  it('hands the run back, and another one takes it at once', async () => {
    store.freeze();
    const stopped = await bench.startWorker({
      S3_ENDPOINT: store.through(bench.environment.env.S3_ENDPOINT),
      WORKER_METRICS_PORT: '0',
    });
    const runId = await team.upload(files);
    await team.waitFor(runId, ['analyzing']);
    const other = await bench.startWorker({ WORKER_METRICS_PORT: '0' });
    expect(await statusOf(`${operatorsUrl(other)}/health/ready`)).toBe(200);
    process.kill(stopped.pid, 'SIGTERM');
    await team.waitFor(runId, ['done']);
    expect(await stopped.ended).toBe('exit code 0');
    expect(other.output()).toContain('"msg":"analysis done"');
    expect(await bench.attemptsOf(runId)).toBe(1);
    expect((await bench.resultsOf(runId)).analyses).toBe(1);
  });
});
