import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Metrics } from '../../src/platform/telemetry';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';

const url = 'https://127.0.0.1:8443/hook?key=geheim';
let api: InProcessApi;
let team: TestTeam;
let admin: { Authorization: string };
let owner: Client;

beforeAll(async () => {
  api = await startInProcessApi({ WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' });
  owner = new Client({ connectionString: api.environment.ownerUrl });
  await owner.connect();
});
beforeEach(async () => {
  team = await api.createTeam();
  admin = await api.tokenHeader(team.teamId, ['admin']);
});
afterAll(async () => {
  await owner.end();
  await api.stop();
});

interface Webhook {
  id: string;
  secret: string;
}
const send = (method: 'get' | 'post' | 'patch' | 'delete', path = '', body?: object) => {
  const call = api.http()[method](`/v1/webhooks${path}`).set(admin);
  return body === undefined ? call : call.send(body);
};
const create = async (body: object = {}) =>
  (await send('post', '', { url, ...body }).expect(201)).body as Webhook;

describe('webhooks', () => {
  it('live from creation to deletion, and show their secret once', async () => {
    const created = await create();
    expect(created).toMatchObject({
      ...{ url, description: '', payloadFormat: 'stallscope', enabled: true },
      events: [
        ...['run.done', 'run.failed', 'regression.opened', 'regression.resolved', 'regression.reopened'],
      ],
      ...{ disabledReason: null, consecutiveFailures: 0, previousSecretUntil: null },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
    });
    const { secret, ...rest } = created;
    expect((await send('get', `/${created.id}`).expect(200)).body).toEqual(rest);
    expect((await send('get').expect(200)).body).toEqual({ items: [rest], nextCursor: null });

    const change = { description: 'CI', events: ['run.failed', 'run.failed'], payloadFormat: 'slack' };
    const changed = (await send('patch', `/${created.id}`, change).expect(200)).body;
    expect(changed).toEqual({ ...rest, ...change, events: ['run.failed'] });

    const rotated = (await send('post', `/${created.id}/rotate-secret`).expect(200)).body;
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    const graceMs = Date.parse(rotated.previousSecretUntil) - Date.now();
    expect(graceMs / 3_600_000).toBeCloseTo(24, 1);

    await send('delete', `/${created.id}`).expect(204);
    expectProblem(await send('get', `/${created.id}`), 'webhook-not-found');
    expectProblem(await send('delete', `/${created.id}`), 'webhook-not-found');

    const { rows } = await owner.query<{ action: string; details: object }>(
      "SELECT action, details FROM audit_entries WHERE team_id = $1 AND target_kind = 'webhook' ORDER BY id",
      [team.teamId],
    );
    expect(rows.map(({ action }) => action)).toEqual(
      ['created', 'updated', 'secret-rotated', 'deleted'].map((act) => `webhook.${act}`),
    );
    expect(rows[1].details).toMatchObject({ changed: Object.keys(change), host: '127.0.0.1:8443' });
    expect(JSON.stringify(rows)).not.toMatch(/geheim|whsec/);
    expect(api.logText()).not.toMatch(/geheim|whsec_[A-Za-z0-9]/);
    const stored = await owner.query('SELECT * FROM webhook_endpoints');
    expect(JSON.stringify(stored.rows)).not.toContain('whsec');
  });

  it.each([
    ...[
      'http://127.0.0.1/',
      'https://10.0.0.1/',
      'https://localhost:8443/',
      'https://169.254.169.254/latest',
    ],
    ...[
      'https://[::1]/',
      'https://0x7f000002/',
      'https://user:pass@127.0.0.1/',
      'https://127.0.0.1:25/',
      'nothing',
    ],
  ])('refuse the address %s, at creation and at a change', async (refused) => {
    const problem = expectProblem(await send('post', '', { url: refused }), 'webhook-url-refused');
    expect(problem.detail).toMatch(/^This address is refused\. It/);
    const { id } = await create();
    expectProblem(await send('patch', `/${id}`, { url: refused }), 'webhook-url-refused');
    expect((await send('get', `/${id}`)).body.url).toBe(url);
  });

  it.each([
    [{}],
    [{ url: 1 }],
    [{ url: `https://127.0.0.1/${'a'.repeat(2_048)}` }],
    [{ url, events: [] }],
    [{ url, events: ['run.exploded'] }],
    [{ url, events: ['webhook.test'] }],
    [{ url, payloadFormat: 'xml' }],
    [{ url, description: 'a\u0000b' }],
    [{ url, enabled: 'yes' }],
    [{ url, secret: 'mine' }],
  ])('refuse the body %j', async (body) => {
    expectProblem(await send('post', '', body), 'validation-failed');
  });

  it('refuse a change of nothing, ids that are none, and cursors that are none', async () => {
    const { id } = await create();
    expectProblem(await send('patch', `/${id}`, {}), 'validation-failed');
    expectProblem(await send('get', '/x'), 'validation-failed');
    expectProblem(await send('get', '?cursor=x'), 'validation-failed');
    expectProblem(await send('get', `/${id}/deliveries?state=lost`), 'validation-failed');
  });

  it('are at most twenty, also when they are created at once', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => send('post', '', { url })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expectProblem(
      answers.find(({ status }) => status !== 201)!,
      'webhook-limit-reached',
    );
    const first = (await send('get', '?limit=15').expect(200)).body;
    const rest = (await send('get', `?limit=15&cursor=${first.nextCursor}`).expect(200)).body;
    expect(new Set([...first.items, ...rest.items].map(({ id }: Webhook) => id)).size).toBe(20);
    expect(rest.nextCursor).toBeNull();
  });

  it('need the scope admin, on every route', async () => {
    const { id } = await create();
    const reader = await api.tokenHeader(team.teamId, ['runs:read', 'runs:write', 'gates:evaluate']);
    const delivery = `/${id}/deliveries/${randomUUID()}`;
    for (const [method, path] of [
      ...[
        ['get', ''],
        ['post', ''],
        ['get', `/${id}`],
        ['patch', `/${id}`],
        ['delete', `/${id}`],
      ],
      ...[
        ['post', `/${id}/rotate-secret`],
        ['post', `/${id}/test`],
        ['get', `/${id}/deliveries`],
      ],
      ...[
        ['get', delivery],
        ['post', `${delivery}/redeliver`],
      ],
    ] as ['get' | 'post' | 'patch' | 'delete', string][]) {
      expectProblem(await api.http()[method](`/v1/webhooks${path}`).set(reader), 'scope-missing');
    }
  });
});

describe('deliveries', () => {
  it('are made by a test, listed by state, shown with their body, and made again', async () => {
    const { id } = await create();
    const tested = (await send('post', `/${id}/test`).expect(202)).body;
    expect(tested).toMatchObject({
      eventType: 'webhook.test',
      state: 'pending',
      attempts: 0,
      redeliveryOf: null,
    });
    const shown = (await send('get', `/${id}/deliveries/${tested.id}`).expect(200)).body;
    const { body, ...rest } = shown;
    expect(rest).toEqual(tested);
    expect(JSON.parse(body)).toEqual({
      ...{ id: tested.eventId, type: 'webhook.test', createdAt: expect.any(String) },
      team: { id: team.teamId, slug: team.slug },
      data: { run: null, details: {} },
    });
    const again = (await send('post', `/${id}/deliveries/${tested.id}/redeliver`).expect(202)).body;
    expect(again).toMatchObject({ eventId: tested.eventId, redeliveryOf: tested.id });

    const page = (await send('get', `/${id}/deliveries?limit=1`).expect(200)).body;
    expect(page.items).toEqual([again]);
    const next = (await send('get', `/${id}/deliveries?limit=1&cursor=${page.nextCursor}`).expect(200)).body;
    expect(next).toEqual({ items: [tested], nextCursor: null });
    expect((await send('get', `/${id}/deliveries?state=delivered`).expect(200)).body.items).toEqual([]);

    await send('patch', `/${id}`, { enabled: false }).expect(200);
    const { items } = (await send('get', `/${id}/deliveries?state=failed`).expect(200)).body;
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({ nextAttemptAt: null, lastError: expect.stringMatching(/was disabled/) });
    expectProblem(await send('post', `/${id}/test`), 'webhook-disabled');
    expectProblem(await send('post', `/${id}/deliveries/${tested.id}/redeliver`), 'webhook-disabled');
  });

  it('and webhooks of another team are not there', async () => {
    const { id } = await create();
    const { id: deliveryId } = (await send('post', `/${id}/test`).expect(202)).body;
    const other = await api.createTeam();
    admin = await api.tokenHeader(other.teamId, ['admin']);
    const { id: own } = await create();
    for (const answer of [
      await send('get', `/${id}`),
      await send('patch', `/${id}`, { enabled: false }),
      await send('delete', `/${id}`),
      await send('post', `/${id}/rotate-secret`),
      await send('post', `/${id}/test`),
      await send('get', `/${id}/deliveries`),
    ]) {
      expectProblem(answer, 'webhook-not-found');
    }
    for (const webhook of [id, own]) {
      const path = `/${webhook}/deliveries/${deliveryId}`;
      expectProblem(await send('get', path), 'webhook-delivery-not-found');
      expectProblem(await send('post', `${path}/redeliver`), 'webhook-delivery-not-found');
    }
    const { rows } = await owner.query(
      'SELECT enabled, secret_version FROM webhook_endpoints WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ enabled: true, secret_version: 1 }]);
  });
});

it('the metrics say how late webhooks are', async () => {
  await owner.query(
    `INSERT INTO team_events (id, team_id, type, created_at) VALUES ($1, $2, 'run.done', now() - interval '90 seconds')`,
    [randomUUID(), team.teamId],
  );
  const { id } = await create();
  const { id: deliveryId } = (await send('post', `/${id}/test`).expect(202)).body;
  await owner.query(
    `UPDATE webhook_deliveries SET next_attempt_at = now() - interval '50 seconds' WHERE id = $1`,
    [deliveryId],
  );
  const registry = api.app.get(Metrics).registry;
  const text = await registry.getSingleMetricAsString('stallscope_webhook_oldest_waiting_seconds');
  const age = (stage: string) => Number(new RegExp(`stage="${stage}"} ([\\d.]+)`).exec(text)?.[1]);
  expect(age('event')).toBeGreaterThanOrEqual(90);
  expect(age('delivery')).toBeGreaterThanOrEqual(50);
});
