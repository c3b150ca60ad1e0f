import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { PipelineBench, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { until } from '../harness/until';
import { isSignedWith, openWebhookReceiver, type WebhookReceiver } from '../harness/webhook-receiver';

const files = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));
const fast = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  WEBHOOK_POLL_S: '1',
  WEBHOOK_RETRY_BASE_S: '1',
  WEBHOOK_ATTEMPTS: '3',
};

interface Webhook {
  id: string;
  secret: string;
  enabled: boolean;
  disabledReason: string | null;
}
interface Delivery {
  id: string;
  eventId: string;
  eventType: string;
  state: string;
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
}

describe('webhooks, with real processes', () => {
  let bench: PipelineBench;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    bench = await PipelineBench.open(fast);
    receiver = await openWebhookReceiver();
  });
  afterEach(() => bench.stopWorkers());
  afterAll(async () => {
    await bench.close();
    await receiver.close();
  });

  const newTeam = () => bench.team(['runs:read', 'runs:write', 'admin']);
  const hook = async (team: TeamClient, path: string, more: object = {}): Promise<Webhook> => {
    const { body, status, text } = await team.call<Webhook>('POST', '/v1/webhooks', {
      url: receiver.url(path),
      ...more,
    });
    if (status !== 201) throw new Error(text);
    return body;
  };
  const deliveriesOf = async (team: TeamClient, { id }: Webhook, query = '') =>
    (await team.call<{ items: Delivery[] }>('GET', `/v1/webhooks/${id}/deliveries${query}`)).body.items;
  const test = async (team: TeamClient, { id }: Webhook) =>
    (await team.call<Delivery>('POST', `/v1/webhooks/${id}/test`)).body;
  const stateOf = async (team: TeamClient, webhook: Webhook, deliveryId: string) =>
    (await team.call<Delivery>('GET', `/v1/webhooks/${webhook.id}/deliveries/${deliveryId}`)).body;
  const arrived = (path: string, count: number) =>
    until(() => receiver.callsTo(path).length >= count, `${count} calls to ${path}`, 30_000);

  it('a run that ends is told once to each webhook that wants it, signed, and to no other team', async () => {
    await bench.startWorker();
    const [team, other] = [await newTeam(), await newTeam()];
    const [first, second] = [
      await hook(team, '/first'),
      await hook(team, '/second', { events: ['run.done'] }),
    ];
    await hook(team, '/failures', { events: ['run.failed'] });
    await hook(other, '/other');
    const slack = await hook(team, '/slack', { payloadFormat: 'slack' });
    const runId = await team.upload(files, { model: 'a <b> & <!channel>', branch: 'main' });
    const run = await team.waitFor(runId, ['done']);
    await Promise.all(['/first', '/second', '/slack'].map((path) => arrived(path, 1)));

    const [call] = receiver.callsTo('/first');
    const [delivery] = await deliveriesOf(team, first);
    expect(call.headers).toMatchObject({
      'content-type': 'application/json',
      'stallscope-event': 'run.done',
      'stallscope-delivery': delivery.id,
      'user-agent': 'Stallscope-Webhooks/1',
    });
    expect(isSignedWith(first.secret, call)).toBe(true);
    expect(isSignedWith(second.secret, call)).toBe(false);
    expect(isSignedWith(second.secret, receiver.callsTo('/second')[0])).toBe(true);
    expect(JSON.parse(call.body)).toMatchObject({
      id: delivery.eventId,
      type: 'run.done',
      team: { id: team.teamId },
      data: {
        run: {
          ...{ id: runId, model: 'a <b> & <!channel>', cluster: 'c', branch: 'main', state: 'done' },
          ...{ generation: 1, verdict: 'input-pipeline', summary: run.verdict?.summary, failure: null },
          reportUrl: `/v1/runs/${runId}/report`,
        },
      },
    });
    const message = receiver.callsTo('/slack')[0];
    expect(isSignedWith(slack.secret, message)).toBe(true);
    expect(message.body).toContain('a &lt;b&gt; &amp; &lt;!channel&gt;');
    expect(message.body).not.toContain('<!');

    await sleep(2_500);
    for (const path of ['/first', '/second', '/slack']) expect(receiver.callsTo(path)).toHaveLength(1);
    for (const path of ['/failures', '/other']) expect(receiver.callsTo(path)).toHaveLength(0);
    const unsent = await bench.query('SELECT id FROM team_events WHERE fanned_out_at IS NULL');
    expect(unsent).toEqual([]);
  });

  it('a failed run is told with its reason', async () => {
    await bench.startWorker();
    const team = await newTeam();
    await hook(team, '/reason');
    const runId = await team.upload([{ name: 'a.txt', bytes: Buffer.from('Step 1 took 2.5 s.\n') }]);
    const { failure } = await team.waitFor(runId, ['failed']);
    await arrived('/reason', 1);
    const { type, data } = JSON.parse(receiver.callsTo('/reason')[0].body);
    expect([type, data.run.id, data.run.failure]).toEqual(['run.failed', runId, failure]);
  });

  it('kill -9 of the worker in mid-delivery, and the loss of all that the queue knew: still delivered', async () => {
    const worker = await bench.startWorker();
    const team = await newTeam();
    const webhook = await hook(team, '/killed');
    receiver.answer('/killed', { status: 200, delayMs: 60_000 });
    const { id } = await test(team, webhook);
    await arrived('/killed', 1);
    await worker.kill();
    receiver.answer('/killed', { status: 200 });
    // The request of the dead worker counts until its lease ends; waiting for that would take half a minute.
    const lease = await bench.query<{ until: Date }>(
      'SELECT claimed_until AS until FROM webhook_deliveries WHERE id = $1',
      id,
    );
    expect(lease[0].until.getTime()).toBeGreaterThan(Date.now());
    await bench.query(
      'UPDATE webhook_deliveries SET claimed_until = now(), next_attempt_at = now() WHERE id = $1',
      id,
    );
    expect(await forgetQueue()).toBeGreaterThan(0);
    await bench.startWorker();
    await until(async () => (await stateOf(team, webhook, id)).state === 'delivered', 'delivered');
    expect(await stateOf(team, webhook, id)).toMatchObject({ attempts: 2, lastStatus: 200, lastError: null });
  });

  it('events and deliveries that no worker was there for: delivered when one is, with an empty queue', async () => {
    const team = await newTeam();
    const webhook = await hook(team, '/later', { events: ['run.created'] });
    await team.createRun();
    const { id } = await test(team, webhook);
    await forgetQueue();
    await bench.startWorker();
    await arrived('/later', 2);
    await until(async () => (await stateOf(team, webhook, id)).state === 'delivered', 'delivered');
    expect(
      (await deliveriesOf(team, webhook, '?state=delivered')).map(({ eventType }) => eventType).sort(),
    ).toEqual(['run.created', 'webhook.test']);
  });

  it('a receiver that is down and comes back gets it, after a pause; one that redirects does not', async () => {
    await bench.startWorker();
    const team = await newTeam();
    const webhook = await hook(team, '/down');
    await receiver.down();
    const { id } = await test(team, webhook);
    await until(async () => (await stateOf(team, webhook, id)).attempts > 0, 'an attempt');
    expect(await stateOf(team, webhook, id)).toMatchObject({ state: 'pending' });
    await receiver.up();
    await arrived('/down', 1);
    await until(async () => (await stateOf(team, webhook, id)).state === 'delivered', 'delivered');
    expect((await stateOf(team, webhook, id)).attempts).toBeGreaterThan(1);

    const moved = await hook(team, '/moved');
    receiver.answer('/moved', { status: 307, headers: { location: receiver.url('/new-place') } });
    const { id: movedId } = await test(team, moved);
    await until(async () => (await stateOf(team, moved, movedId)).lastStatus === 307, 'an attempt');
    expect((await stateOf(team, moved, movedId)).lastError).toMatch(/redirects are not followed/);
    expect(receiver.callsTo('/new-place')).toEqual([]);
  });

  it('a redelivery is a new delivery of the same event', async () => {
    await bench.startWorker();
    const team = await newTeam();
    const webhook = await hook(team, '/again');
    const { id } = await test(team, webhook);
    await arrived('/again', 1);
    const again = await team.call<Delivery>('POST', `/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`);
    expect(again).toMatchObject({ status: 202, body: { redeliveryOf: id } });
    await arrived('/again', 2);
    const [first, second] = receiver.callsTo('/again');
    expect(second.body).toBe(first.body);
    expect(second.headers['stallscope-delivery']).toBe(again.body.id);
  });

  it('410 disables at once, five deliveries that fail for good do too, and nothing more is sent', async () => {
    await bench.startWorker({ WEBHOOK_ATTEMPTS: '1' });
    const team = await newTeam();
    const gone = await hook(team, '/gone');
    receiver.answer('/gone', { status: 410 });
    await test(team, gone);
    const current = async ({ id }: Webhook) => (await team.call<Webhook>('GET', `/v1/webhooks/${id}`)).body;
    await until(async () => !(await current(gone)).enabled, 'disabled');
    expect((await current(gone)).disabledReason).toBe('receiver-gone');

    const failing = await hook(team, '/failing');
    receiver.answer('/failing', { status: 500, body: 'no <b>\u0000 disk' });
    for (let i = 1; i <= 5; i++) {
      const { id } = await test(team, failing);
      await until(async () => (await stateOf(team, failing, id)).state === 'failed', `failure ${i}`);
      expect((await stateOf(team, failing, id)).lastError).toBe('HTTP 500: no <b> disk');
      expect((await current(failing)).enabled).toBe(i < 5);
    }
    expect((await current(failing)).disabledReason).toBe('failing');
    const refused = await team.call('POST', `/v1/webhooks/${failing.id}/test`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'webhook-disabled' } });
    await team.createRun();
    await sleep(1_500);
    expect(receiver.callsTo('/failing')).toHaveLength(5);

    const enabled = await team.call('PATCH', `/v1/webhooks/${failing.id}`, { enabled: true });
    expect(enabled.body).toMatchObject({ enabled: true, disabledReason: null, consecutiveFailures: 0 });
    const audited = await bench.query<{ details: object }>(
      "SELECT details FROM audit_entries WHERE team_id = $1 AND action = 'webhook.disabled' ORDER BY id",
      team.teamId,
    );
    expect(audited.map(({ details }) => details)).toEqual([
      { reason: 'receiver-gone' },
      { reason: 'failing' },
    ]);
  });

  it('a team with slow receivers and a long line holds up nobody, and is called two at a time', async () => {
    const [slow, quick] = [await newTeam(), await newTeam()];
    const webhooks = await Promise.all(
      Array.from({ length: 6 }, (_, i) => hook(slow, `/slow-${i}`, { events: ['run.created'] })),
    );
    for (let i = 0; i < 6; i++) receiver.answer(`/slow-${i}`, { status: 200, delayMs: 3_000 });
    for (let i = 0; i < 8; i++) await slow.createRun();
    // Few slots: with the slow ones first in line, the quick one would have to wait for all of them.
    await bench.startWorker({ WEBHOOK_CONCURRENCY: '10' });
    await arrived('/slow-0', 1);
    const webhook = await hook(quick, '/quick', { events: ['run.created'] });
    await quick.createRun();
    await arrived('/quick', 1);
    const states = await Promise.all(webhooks.map((one) => deliveriesOf(slow, one)));
    const waiting = states.flat().filter(({ state }) => state === 'pending');
    expect(waiting.length).toBeGreaterThan(20);
    for (let i = 0; i < 6; i++) expect(receiver.mostAtOnce(`/slow-${i}`)).toBeLessThanOrEqual(2);
    await until(
      async () => (await deliveriesOf(quick, webhook)).every(({ state }) => state === 'delivered'),
      'delivered',
    );
  });

  it('two workers never make the same attempt', async () => {
    await Promise.all([bench.startWorker(), bench.startWorker()]);
    const team = await newTeam();
    const webhook = await hook(team, '/crowd', { events: ['run.created'] });
    await Promise.all(Array.from({ length: 25 }, () => team.createRun()));
    await arrived('/crowd', 25);
    await until(
      async () => (await deliveriesOf(team, webhook)).every(({ state }) => state === 'delivered'),
      'delivered',
    );
    const ids = receiver.callsTo('/crowd').map(({ headers }) => headers['stallscope-delivery']);
    expect(ids).toHaveLength(25);
    expect(new Set(ids).size).toBe(25);
  });

  /** Deletes everything in the queue; gives the number of things that were deleted. */
  async function forgetQueue(): Promise<number> {
    const { REDIS_URL, QUEUE_PREFIX } = bench.environment.env;
    if (!REDIS_URL) return (await bench.query(`DELETE FROM "${QUEUE_PREFIX}_queue".job RETURNING id`)).length;
    const redis = new Redis(REDIS_URL);
    try {
      const keys = await redis.keys(`${QUEUE_PREFIX}:*`);
      return keys.length > 0 ? await redis.del(...keys) : 0;
    } finally {
      redis.disconnect();
    }
  }
});
