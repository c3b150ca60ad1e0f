import { until } from '../harness/until';
import { WebhookBench } from '../harness/webhook-bench';

describe('webhooks, when servers, workers and receivers fail', () => {
  let bench: WebhookBench;

  beforeAll(async () => {
    bench = await WebhookBench.open();
  });
  afterEach(() => bench.product.stopWorkers());
  afterAll(() => bench.close());

  it('kill -9 of the worker between fan-out and delivery, and the loss of all that the queue knew', async () => {
    const worker = await bench.product.startWorker();
    const team = await bench.team();
    const webhook = await bench.hook(team, '/killed', { events: ['run.created'] });
    bench.receiver.answer('/killed', { status: 200, delayMs: 60_000 });
    for (let i = 0; i < 3; i++) await team.createRun();
    // Two are under way and the third waits for them.
    await bench.arrived('/killed', 2);
    const fannedOut = async () => (await bench.deliveries(team, webhook)).length === 3;
    await until(fannedOut, 'three deliveries to make');
    await worker.kill();
    const attempts = (await bench.deliveries(team, webhook)).map((delivery) => delivery.attempts);
    expect(attempts.sort()).toEqual([0, 1, 1]);
    bench.receiver.answer('/killed', { status: 200 });
    // What the dead worker had begun is its own until the lease ends; waiting for that would take half a minute.
    const ended = await bench.product.query(
      `UPDATE webhook_deliveries SET claimed_until = now(), next_attempt_at = now()
       WHERE endpoint_id = $1 AND claimed_until > now() RETURNING id`,
      webhook.id,
    );
    expect(ended).toHaveLength(2);
    await bench.forgetQueue();
    await bench.product.startWorker();
    const delivered = await bench.allDelivered(team, webhook, 3);
    expect(delivered.map((delivery) => delivery.attempts).sort()).toEqual([1, 2, 2]);
    expect(bench.receiver.callsTo('/killed')).toHaveLength(5);
  });

  it('events and deliveries that no worker was there for: delivered when one is, with an empty queue', async () => {
    const team = await bench.team();
    const webhook = await bench.hook(team, '/later', { events: ['run.created'] });
    await team.createRun();
    await bench.sendTest(team, webhook);
    expect(await bench.forgetQueue()).toBeGreaterThan(0);
    await bench.product.startWorker();
    const delivered = await bench.allDelivered(team, webhook, 2);
    expect(delivered.map(({ eventType }) => eventType).sort()).toEqual(['run.created', 'webhook.test']);
    expect(bench.receiver.callsTo('/later')).toHaveLength(2);
  });

  it('a team with slow receivers and a long line holds up nobody, and is called two at a time', async () => {
    const [slow, quick] = [await bench.team(), await bench.team()];
    const webhooks = await Promise.all(
      Array.from({ length: 6 }, (_, i) => bench.hook(slow, `/slow-${i}`, { events: ['run.created'] })),
    );
    for (let i = 0; i < 6; i++) bench.receiver.answer(`/slow-${i}`, { status: 200, delayMs: 3_000 });
    for (let i = 0; i < 8; i++) await slow.createRun();
    // Few slots: with the slow ones first in line, the quick one would have to wait for all of them.
    await bench.product.startWorker({ WEBHOOK_CONCURRENCY: '10' });
    await bench.arrived('/slow-0', 1);
    const webhook = await bench.hook(quick, '/quick', { events: ['run.created'] });
    await quick.createRun();
    await bench.arrived('/quick', 1);
    const states = await Promise.all(webhooks.map((one) => bench.deliveries(slow, one)));
    const waiting = states.flat().filter(({ state }) => state === 'pending');
    expect(waiting.length).toBeGreaterThan(20);
    for (let i = 0; i < 6; i++) expect(bench.receiver.mostAtOnce(`/slow-${i}`)).toBeLessThanOrEqual(2);
    await bench.allDelivered(quick, webhook, 1);
  });

  it('two workers never make the same attempt', async () => {
    await Promise.all([bench.product.startWorker(), bench.product.startWorker()]);
    const team = await bench.team();
    const webhook = await bench.hook(team, '/crowd', { events: ['run.created'] });
    await Promise.all(Array.from({ length: 25 }, () => team.createRun()));
    await bench.allDelivered(team, webhook, 25);
    const ids = bench.receiver.callsTo('/crowd').map(({ headers }) => headers['stallscope-delivery']);
    expect(ids).toHaveLength(25);
    expect(new Set(ids).size).toBe(25);
  });
});
