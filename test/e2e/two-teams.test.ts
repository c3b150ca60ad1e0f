import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { findFreePort } from '../../infra/local/free-port';
import { type NodeProcess } from '../../infra/local/processes';
import { bucketContents } from '../harness/bucket-contents';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { until } from '../harness/until';
import { openWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver';

const [{ bytes }] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));

interface Actor {
  client: TeamClient;
  /** In every free text that the team sends. */
  mark: string;
  runs: string[];
}

/** What two teams at the same processes leave behind outside of their own answers. */
describe('two teams of one installation', () => {
  let bench: PipelineBench;
  let receiver: WebhookReceiver;
  let worker: NodeProcess;
  let metricsPorts: number[];
  let actors: Actor[];
  let queued: string;

  beforeAll(async () => {
    metricsPorts = [await findFreePort(), await findFreePort()];
    const [METRICS_PORT, WORKER_METRICS_PORT] = metricsPorts.map(String);
    bench = await PipelineBench.open({
      ...{ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1', WEBHOOK_POLL_S: '1' },
      ...{ LOG_LEVEL: 'trace', METRICS_PORT, WORKER_METRICS_PORT },
    });
    receiver = await openWebhookReceiver();
    actors = [await act('ours'), await act('theirs')];
    queued = await readQueue();
    worker = await bench.startWorker();
    for (const { client, runs } of actors)
      for (const run of runs) await client.waitFor(run, ['done', 'failed']);
    await until(
      () => actors.every(({ mark }) => receiver.callsTo(`/${mark}`).length === 2),
      'all was told',
      40_000,
    );
  });
  afterAll(async () => {
    await bench.close();
    await receiver.close();
  });

  /** A team that uploads a run that is done, one that fails, and asks for what is not there. */
  async function act(name: string): Promise<Actor> {
    const mark = `${name}${randomBytes(5).toString('hex')}`;
    const client = await bench.team(['runs:read', 'runs:write', 'admin']);
    const hook = { url: receiver.url(`/${mark}`), description: mark };
    expect((await client.call('POST', '/v1/webhooks', hook)).status).toBe(201);
    await client.call('POST', '/v1/tokens', { name: mark, scopes: ['runs:read'] });
    const said = { model: mark, cluster: mark, workload: mark, branch: mark, commit: mark, tags: [mark] };
    const metadata = { ...said, metadata: { note: mark }, environment: { NOTE: mark } };
    const good = await client.upload([{ name: `${mark}.json.gz`, bytes }], metadata);
    const junk = Buffer.from(`{"traceEvents": [{"name": "${mark}", "ph": 5}, ${mark}`);
    const bad = await client.upload([{ name: `${mark}.json`, bytes: junk }], metadata);
    await client.call('GET', `/v1/runs?model=${mark}&limit=${mark}`);
    await client.call('GET', `/v1/runs/${mark}`);
    await client.call('POST', '/v1/runs', { model: mark });
    return { client, mark, runs: [good, bad] };
  }

  /** Everything that the queue holds, as text. */
  async function readQueue(): Promise<string> {
    const { REDIS_URL = '', QUEUE_PREFIX } = bench.environment.env;
    const redis = new Redis(REDIS_URL);
    const keys = await redis.keys(`${QUEUE_PREFIX}*`);
    const hashes = await Promise.all(
      keys.map(async (key) => ((await redis.type(key)) === 'hash' ? redis.hgetall(key) : {})),
    );
    redis.disconnect();
    return JSON.stringify([keys, hashes]);
  }

  const marks = () => actors.map(({ mark }) => mark);

  it('have jobs that name the run and the team, and hold nothing of what was said', () => {
    for (const { client, runs, mark } of actors) {
      for (const run of runs) expect(queued).toContain(run);
      expect(queued).toContain(client.teamId);
      expect(queued).not.toContain(mark);
    }
  });

  it('have their objects apart, under keys that say nothing', async () => {
    const stored = (await bucketContents(bench.environment.env)).keys;
    // That one says whose bucket it is.
    const keys = stored.filter((key) => key !== 'installation');
    expect(keys.length).toBeGreaterThan(1);
    const owners = keys.map(
      (key) => actors.filter(({ client }) => key.startsWith(`teams/${client.teamId}/`)).length,
    );
    expect(owners).toEqual(keys.map(() => 1));
    expect(keys.filter((key) => marks().some((mark) => key.includes(mark)))).toEqual([]);
  });

  it('are never in one line of a log, and what one said is in lines of its own only', () => {
    const lines = [bench.api, worker].flatMap((process) => process.output().split('\n'));
    for (const { client } of actors) {
      expect(lines.filter((line) => line.includes(client.teamId)).length).toBeGreaterThan(5);
    }
    const both = lines.filter((line) => actors.every(({ client }) => line.includes(client.teamId)));
    expect(both).toEqual([]);
    for (const { mark, client } of actors) {
      const strangers = lines.filter((line) => line.includes(mark) && !line.includes(client.teamId));
      expect(strangers).toEqual([]);
    }
  });

  it('are in no metric', async () => {
    const addresses = metricsPorts.map((port) => `http://127.0.0.1:${port}/metrics`);
    const texts = await Promise.all(addresses.map(async (address) => (await fetch(address)).text()));
    for (const text of texts) {
      expect(text).toContain('stallscope_');
      for (const { mark, client, runs } of actors) {
        expect([mark, client.teamId, ...runs].filter((word) => text.includes(word))).toEqual([]);
      }
    }
  });

  it('are told what became of their own runs', () => {
    const [ours, theirs] = actors;
    for (const [actor, other] of [
      [ours, theirs],
      [theirs, ours],
    ]) {
      const told = receiver
        .callsTo(`/${actor.mark}`)
        .map(({ headers, body }) => JSON.stringify([headers, body]));
      expect(told.every((text) => text.includes(actor.mark))).toBe(true);
      const words = [other.mark, other.client.teamId, ...other.runs];
      expect(told.filter((text) => words.some((word) => text.includes(word)))).toEqual([]);
    }
  });
});
