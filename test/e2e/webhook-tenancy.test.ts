import { randomUUID } from 'node:crypto';
import { AttemptsRepository, type AttemptResult } from '../../src/modules/notifications/attempts.repository';
import { attemptRules } from '../../src/modules/notifications/attempt-rules';
import { DeliveriesRepository } from '../../src/modules/notifications/deliveries.repository';
import { EndpointsRepository } from '../../src/modules/notifications/endpoints.repository';
import { OutboxRepository } from '../../src/modules/notifications/outbox.repository';
import { createTeamsService } from '../../src/modules/teams';
import { operator } from '../../src/platform/audit';
import { loadConfig } from '../../src/platform/config';
import { Database } from '../../src/platform/database';
import { recordEvent } from '../../src/platform/events';
import { createTestEnvironment, type TestEnvironment } from '../harness/environment';

const endpoint = {
  ...{ url: 'https://hooks.test/', description: '', events: ['run.created'] },
  ...{ payloadFormat: 'stallscope', enabled: true },
};
const failed: AttemptResult = {
  ...{ delivered: false, status: 500, error: 'HTTP 500', durationMs: 1, retryAt: null, gone: false },
};
const problem = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: { code: string }) => error.code,
  );

/** The second lock, row-level security, is off here: the tables' owner is not bound by it. */
describe('the filters of the webhook repositories, alone', () => {
  let environment: TestEnvironment;
  let database: Database;
  let ours: string;
  let theirs: string;
  let theirEndpoint: string;
  let theirDelivery: string;
  let endpoints: EndpointsRepository;
  let deliveries: DeliveriesRepository;
  let attempts: AttemptsRepository;
  let outbox: OutboxRepository;
  let rules: ReturnType<typeof attemptRules>;

  beforeAll(async () => {
    environment = await createTestEnvironment();
    const config = loadConfig(environment.env);
    database = new Database(config.database, { role: new URL(environment.ownerUrl).username });
    rules = attemptRules(config);
    endpoints = new EndpointsRepository(database);
    deliveries = new DeliveriesRepository(database);
    attempts = new AttemptsRepository(database);
    outbox = new OutboxRepository(database);
    const teams = createTeamsService(database);
    const create = async (slug: string) => {
      const owner = { email: `o@${slug}.test`, password: 'a long password' };
      return (await teams.createTeamWithOwner({ slug, owner })).teamId;
    };
    [ours, theirs] = [await create('ours'), await create('theirs')];
    theirEndpoint = (await endpoints.create(theirs, endpoint, 20, operator)).id;
    const event = { id: randomUUID(), type: 'webhook.test', createdAt: new Date() };
    theirDelivery = (await deliveries.create(theirs, theirEndpoint, event)).id;
  });
  afterAll(async () => {
    await database.close();
    await environment.drop();
  });

  it('really are alone', async () => {
    expect(await database.forTeam(ours, ({ webhookEndpoint }) => webhookEndpoint.count())).toBe(1);
  });

  it('hide endpoints, and change none', async () => {
    expect(await endpoints.list(ours, 10)).toEqual([]);
    for (const attempt of [
      endpoints.get(ours, theirEndpoint),
      endpoints.update(ours, theirEndpoint, { enabled: false }, operator),
      endpoints.rotateSecret(ours, theirEndpoint, new Date(), operator),
      endpoints.delete(ours, theirEndpoint, operator),
    ]) {
      expect(await problem(attempt)).toBe('webhook-not-found');
    }
    expect(await endpoints.get(theirs, theirEndpoint)).toMatchObject({ enabled: true, secretVersion: 1 });
  });

  it('hide deliveries, and make none', async () => {
    expect(await problem(deliveries.list(ours, theirEndpoint, { limit: 10 }))).toBe('webhook-not-found');
    for (const attempt of [
      deliveries.get(ours, theirEndpoint, theirDelivery),
      deliveries.redeliver(ours, theirEndpoint, theirDelivery),
    ]) {
      expect(await problem(attempt)).toBe('webhook-delivery-not-found');
    }
    expect(await attempts.claim(ours, theirDelivery, rules)).toBeUndefined();
    expect(await attempts.findNext(ours, theirEndpoint, rules)).toEqual([]);
    const claim = { deliveryId: theirDelivery, attempt: 0 };
    expect(await attempts.settle(ours, claim, failed, rules)).toBeUndefined();
    expect(await deliveries.list(theirs, theirEndpoint, { limit: 10 })).toMatchObject([
      { id: theirDelivery, state: 'pending', attempts: 0 },
    ]);
  });

  it('hand an event to endpoints of its own team, once', async () => {
    const own = await endpoints.create(ours, endpoint, 20, operator);
    await database.forTeam(ours, (scope) => recordEvent(scope, { type: 'run.created' }));
    const [event] = await outbox.findUnsent(10);
    expect(event.teamId).toBe(ours);
    const urls = { report: (id: string) => id, regression: (id: string) => id };
    const fanOut = (teamId: string) => outbox.fanOut(teamId, [event.id], urls);
    expect(await fanOut(theirs)).toBe(0);
    expect(await outbox.findUnsent(10)).toEqual([event]);
    const both = await Promise.all([fanOut(ours), fanOut(ours)]);
    expect(both.reduce((sum, count) => sum + count)).toBe(1);
    expect(await outbox.findUnsent(10)).toEqual([]);
    expect(await deliveries.list(ours, own.id, { limit: 10 })).toMatchObject([{ eventId: event.id }]);
    expect(await deliveries.list(theirs, theirEndpoint, { limit: 10 })).toHaveLength(1);
  });

  it('let one of many take an attempt, two of an endpoint and eight of a team be under way', async () => {
    const team = theirs;
    const due = async (endpointId: string) => {
      const event = { id: randomUUID(), type: 'webhook.test', createdAt: new Date() };
      return (await deliveries.create(team, endpointId, event)).id;
    };
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => attempts.claim(team, theirDelivery, rules)),
    );
    const [claim] = claims.flatMap((one) => one ?? []);
    expect(claims.filter(Boolean)).toHaveLength(1);
    const more = await Promise.all(Array.from({ length: 4 }, () => due(theirEndpoint)));
    const taken = await Promise.all(more.map((id) => attempts.claim(team, id, rules)));
    expect(taken.filter(Boolean)).toHaveLength(1);

    const others = await Promise.all(
      Array.from({ length: 5 }, () => endpoints.create(team, endpoint, 20, operator)),
    );
    const waiting = await Promise.all(others.flatMap(({ id }) => [due(id), due(id)]));
    const claimed = await Promise.all(waiting.map((id) => attempts.claim(team, id, rules)));
    expect(claimed.filter(Boolean)).toHaveLength(6);

    // Written once; an attempt that is not the latest any more changes nothing.
    const settle = () => attempts.settle(team, claim, { ...failed, retryAt: new Date(0) }, rules);
    expect(await settle()).toEqual({ state: 'pending' });
    const second = await attempts.claim(team, theirDelivery, rules);
    expect(second?.attempt).toBe(2);
    expect(await settle()).toBeUndefined();
  });

  it('end a delivery whose last attempt was lost with its worker', async () => {
    const { id } = await endpoints.create(ours, endpoint, 20, operator);
    const event = { id: randomUUID(), type: 'webhook.test', createdAt: new Date() };
    const delivery = await deliveries.create(ours, id, event);
    const hasty = { ...rules, maxAttempts: 1, leaseMs: 0 };
    expect(await attempts.claim(ours, delivery.id, hasty)).toMatchObject({ attempt: 1 });
    expect(await attempts.claim(ours, delivery.id, hasty)).toBeUndefined();
    expect(await deliveries.get(ours, id, delivery.id)).toMatchObject({
      ...{ state: 'failed', attempts: 1 },
      lastError: expect.stringMatching(/was lost/),
    });
    expect(await endpoints.get(ours, id)).toMatchObject({ consecutiveFailures: 1, enabled: true });
  });

  it('pick what is due fairly: a few of each team before more of any', async () => {
    const due = await attempts.findDue(rules, 2);
    expect(new Set(due.map(({ teamId }) => teamId))).toEqual(new Set([ours, theirs]));
  });
});
