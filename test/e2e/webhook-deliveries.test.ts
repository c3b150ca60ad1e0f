import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSignedCertificate } from '../builders/self-signed-certificate';
import { sampleRun } from '../harness/pipeline-bench';
import { testStack } from '../harness/test-stack';
import { until } from '../harness/until';
import { type Delivery, type Webhook, WebhookBench } from '../harness/webhook-bench';
import { isSignedWith, openWebhookReceiver } from '../harness/webhook-receiver';

const files = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));

describe('webhooks, with real processes', () => {
  let bench: WebhookBench;

  beforeAll(async () => {
    bench = await WebhookBench.open();
  });
  afterEach(() => bench.product.stopWorkers());
  afterAll(() => bench.close());

  it('a run that ends is told once to each webhook that wants it, signed, and to no other team', async () => {
    await bench.product.startWorker();
    const [team, other] = [await bench.team(), await bench.team()];
    const [first, second] = [
      await bench.hook(team, '/first'),
      await bench.hook(team, '/second', { events: ['run.done'] }),
    ];
    await bench.hook(team, '/failures', { events: ['run.failed'] });
    await bench.hook(other, '/other');
    const slack = await bench.hook(team, '/slack', { payloadFormat: 'slack' });
    const runId = await team.upload(files, { model: 'a <b> & <!channel>', branch: 'main' });
    const run = await team.waitFor(runId, ['done']);
    await Promise.all(['/first', '/second', '/slack'].map((path) => bench.arrived(path, 1)));

    const [call] = bench.receiver.callsTo('/first');
    const [delivery] = await bench.deliveries(team, first);
    expect(call.headers).toMatchObject({
      'content-type': 'application/json',
      'stallscope-event': 'run.done',
      'stallscope-delivery': delivery.id,
      'user-agent': 'Stallscope-Webhooks/1',
    });
    expect(isSignedWith(first.secret, call)).toBe(true);
    expect(isSignedWith(second.secret, call)).toBe(false);
    expect(isSignedWith(second.secret, bench.receiver.callsTo('/second')[0])).toBe(true);
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
    const message = bench.receiver.callsTo('/slack')[0];
    expect(isSignedWith(slack.secret, message)).toBe(true);
    expect(message.body).toContain('a &lt;b&gt; &amp; &lt;!channel&gt;');
    expect(message.body).not.toContain('<!');

    await sleep(2_500);
    for (const path of ['/first', '/second', '/slack']) expect(bench.receiver.callsTo(path)).toHaveLength(1);
    for (const path of ['/failures', '/other']) expect(bench.receiver.callsTo(path)).toHaveLength(0);
    const unsent = await bench.product.query('SELECT id FROM team_events WHERE fanned_out_at IS NULL');
    expect(unsent).toEqual([]);
  });

  it('a failed run is told with its reason', async () => {
    await bench.product.startWorker();
    const team = await bench.team();
    await bench.hook(team, '/reason');
    const runId = await team.upload([{ name: 'a.txt', bytes: Buffer.from('Step 1 took 2.5 s.\n') }]);
    const { failure } = await team.waitFor(runId, ['failed']);
    await bench.arrived('/reason', 1);
    const { type, data } = JSON.parse(bench.receiver.callsTo('/reason')[0].body);
    expect([type, data.run.id, data.run.failure]).toEqual(['run.failed', runId, failure]);
  });

  it('a receiver that is down and comes back gets it, after a pause; one that redirects does not', async () => {
    await bench.product.startWorker();
    const team = await bench.team();
    const webhook = await bench.hook(team, '/down');
    await bench.receiver.down();
    const { id } = await bench.sendTest(team, webhook);
    // An attempt counts from its beginning; only its error says that it is over.
    await until(async () => (await bench.delivery(team, webhook, id)).lastError !== null, 'a failed attempt');
    expect(await bench.delivery(team, webhook, id)).toMatchObject({ state: 'pending' });
    await bench.receiver.up();
    await bench.arrived('/down', 1);
    await until(async () => (await bench.delivery(team, webhook, id)).state === 'delivered', 'delivered');
    expect((await bench.delivery(team, webhook, id)).attempts).toBeGreaterThan(1);

    const moved = await bench.hook(team, '/moved');
    bench.receiver.answer('/moved', { status: 307, headers: { location: bench.receiver.url('/new-place') } });
    const { id: movedId } = await bench.sendTest(team, moved);
    await until(async () => (await bench.delivery(team, moved, movedId)).lastStatus === 307, 'an attempt');
    expect((await bench.delivery(team, moved, movedId)).lastError).toMatch(/redirects are not followed/);
    expect(bench.receiver.callsTo('/new-place')).toEqual([]);
  });

  it('a redelivery is a new delivery of the same event', async () => {
    await bench.product.startWorker();
    const team = await bench.team();
    const webhook = await bench.hook(team, '/again');
    const { id } = await bench.sendTest(team, webhook);
    await bench.arrived('/again', 1);
    const again = await team.call<Delivery>('POST', `/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`);
    expect(again).toMatchObject({ status: 202, body: { redeliveryOf: id } });
    await bench.arrived('/again', 2);
    const [first, second] = bench.receiver.callsTo('/again');
    expect(second.body).toBe(first.body);
    expect(second.headers['stallscope-delivery']).toBe(again.body.id);
  });

  it('after a rotation both secrets sign, and a receiver with a certificate that is trusted is reached', async () => {
    const certificate = selfSignedCertificate('127.0.0.1');
    const secure = await openWebhookReceiver(certificate);
    const trusted = join(testStack().dataDir, 'trusted.pem');
    writeFileSync(trusted, certificate.cert);
    await bench.product.startWorker({ NODE_EXTRA_CA_CERTS: trusted, WEBHOOK_ALLOW_HTTP: 'false' });
    const team = await bench.team();
    const webhook = await bench.hook(team, '/rotated', { url: secure.url('/rotated') });
    const { body } = await team.call<Webhook>('POST', `/v1/webhooks/${webhook.id}/rotate-secret`);
    await bench.sendTest(team, webhook);
    await until(() => secure.callsTo('/rotated').length === 1, 'a call');
    const [call] = secure.callsTo('/rotated');
    expect([webhook.secret, body.secret].map((secret) => isSignedWith(secret, call))).toEqual([true, true]);
    await secure.close();
  });

  it('410 disables at once, five deliveries that fail for good do too, and nothing more is sent', async () => {
    await bench.product.startWorker({ WEBHOOK_ATTEMPTS: '1' });
    const team = await bench.team();
    const gone = await bench.hook(team, '/gone');
    bench.receiver.answer('/gone', { status: 410 });
    await bench.sendTest(team, gone);
    await until(async () => !(await bench.current(team, gone)).enabled, 'disabled');
    expect((await bench.current(team, gone)).disabledReason).toBe('receiver-gone');

    const failing = await bench.hook(team, '/failing');
    bench.receiver.answer('/failing', { status: 500, body: 'no <b>\u0000 disk' });
    for (let i = 1; i <= 5; i++) {
      const { id } = await bench.sendTest(team, failing);
      await until(async () => (await bench.delivery(team, failing, id)).state === 'failed', `failure ${i}`);
      expect((await bench.delivery(team, failing, id)).lastError).toBe('HTTP 500: no <b> disk');
      expect((await bench.current(team, failing)).enabled).toBe(i < 5);
    }
    expect((await bench.current(team, failing)).disabledReason).toBe('failing');
    const refused = await team.call('POST', `/v1/webhooks/${failing.id}/test`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'webhook-disabled' } });
    await team.createRun();
    await sleep(1_500);
    expect(bench.receiver.callsTo('/failing')).toHaveLength(5);

    const enabled = await team.call('PATCH', `/v1/webhooks/${failing.id}`, { enabled: true });
    expect(enabled.body).toMatchObject({ enabled: true, disabledReason: null, consecutiveFailures: 0 });
    const audited = await bench.product.query(
      "SELECT actor_kind, details FROM audit_entries WHERE team_id = $1 AND action = 'webhook.disabled' ORDER BY id",
      team.teamId,
    );
    expect(audited).toEqual([
      { actor_kind: 'system', details: { reason: 'receiver-gone' } },
      { actor_kind: 'system', details: { reason: 'failing' } },
    ]);
    const { body } = await team.call('GET', '/v1/audit-log?action=webhook.disabled');
    expect(body).toMatchObject({ items: [{ actor: { kind: 'system', id: null } }, {}] });
  });
});
