import { randomUUID } from 'node:crypto';
import { type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { moveRun } from '../../src/modules/ingestion/run-state.repository';
import { type RunTransition } from '../../src/modules/ingestion/run-state';
import { RunEventFeed } from '../../src/modules/runs/events/run-event-feed';
import { recordEvent } from '../../src/platform/events';
import { EventReader } from '../harness/event-reader';
import { expectProblem } from '../harness/expect-problem';
import { type InProcessApi, startInProcessApi, type TestTeam } from '../harness/in-process-api';
import { until } from '../harness/until';

const PER_TEAM = 3;
let api: InProcessApi;
let team: TestTeam;
let reader: { Authorization: string };
const opened: EventReader[] = [];

beforeAll(async () => {
  api = await startInProcessApi({ EVENT_STREAMS_PER_TEAM: String(PER_TEAM), EVENT_STREAMS_PER_PROCESS: '4' });
  team = await api.createTeam();
  reader = await api.tokenHeader(team.teamId, ['runs:read', 'runs:write']);
});
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close();
  await until(() => openStreams().then((count) => count === 0), 'no stream is open');
});
afterAll(() => api.stop());

async function openStreams(): Promise<number> {
  const { Metrics } = await import('../../src/platform/telemetry');
  const text = await api.app.get(Metrics).registry.metrics();
  return Number(/^stallscope_event_streams (\d+)$/m.exec(text)?.[1]);
}

async function open(runId: string, query = '', headers: Record<string, string> = {}, credential = reader) {
  const { port } = api.app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1/runs/${runId}/events${query}`;
  const stream = await EventReader.open(url, { ...credential, ...headers });
  opened.push(stream);
  return stream;
}

async function createRun(): Promise<string> {
  const { body } = await api
    .http()
    .post('/v1/runs')
    .set(reader)
    .send({ model: 'm', cluster: 'c' })
    .expect(201);
  return (body as { id: string }).id;
}

async function move(
  runId: string,
  transition: RunTransition,
  change: { failure?: { code: string; reason: string } } = {},
) {
  await api.database.forTeam(team.teamId, async (scope) => {
    const { generation, attempts } = await scope.run.findFirstOrThrow({ where: { id: runId } });
    const next = transition === 'queue' ? { generation: generation + 1 } : change;
    expect(await moveRun(scope, transition, { runId, generation, attempts }, next)).toBe(true);
  });
}

const LIFE: RunTransition[] = ['queue', 'claim', 'finish'];

describe('GET /v1/runs/{id}/events', () => {
  it('tells what happened, then what happens, and ends when the run is done', async () => {
    const runId = await createRun();
    const stream = await open(runId);
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    await stream.waitFor('run.created');
    expect(stream.received).toMatch(/^retry: 3000\n\n/);
    for (const transition of LIFE) await move(runId, transition);
    await stream.waitForEnd();
    expect(stream.names).toEqual(['run.created', 'run.queued', 'run.analyzing', 'run.done', 'end']);
    expect(stream.endReason).toBe('finished');
    expect(stream.events[1].data).toMatchObject({
      type: 'run.queued',
      runId,
      state: 'queued',
      generation: 1,
    });
    const ids = stream.events.map(({ id }) => id);
    expect(ids.at(-1)).toBeUndefined();
    const numbers = ids.slice(0, -1).map(Number);
    expect([...numbers].sort((a, b) => a - b)).toEqual(numbers);

    const late = await open(runId);
    await late.waitForEnd();
    expect(late.events).toEqual(stream.events);
  });

  it('goes on after Last-Event-ID, and has nothing to say after the last one', async () => {
    const runId = await createRun();
    for (const transition of LIFE) await move(runId, transition);
    const whole = await open(runId);
    await whole.waitForEnd();
    const [, second, , last] = whole.events;
    const rest = await open(runId, '', { 'Last-Event-ID': second.id ?? '' });
    await rest.waitForEnd();
    expect(rest.events).toEqual(whole.events.slice(2));
    expect((await open(runId, '', { 'Last-Event-ID': last.id ?? '' })).status).toBe(204);
    expect((await open(runId, '', { 'Last-Event-ID': '999999999999999' })).status).toBe(204);
    for (const wrong of ['x', '-1', '1e3', '9'.repeat(30)]) {
      const refused = api.http().get(`/v1/runs/${runId}/events`).set(reader).set('Last-Event-ID', wrong);
      expectProblem(await refused, 'validation-failed');
    }
  });

  it('follows a run through further analyses when it is asked to', async () => {
    const runId = await createRun();
    for (const transition of LIFE) await move(runId, transition);
    const stream = await open(runId, '?follow=true');
    await stream.waitFor('run.done');
    await api.database.forTeam(team.teamId, (scope) =>
      recordEvent(scope, { type: 'run.queued', runId, data: { state: 'queued', generation: 2 } }),
    );
    await until(
      () => stream.names.filter((name) => name === 'run.queued').length === 2,
      'the second analysis',
    );
    expect(stream.isOver).toBe(false);
  });

  it('says why a run failed', async () => {
    const runId = await createRun();
    await move(runId, 'queue');
    const stream = await open(runId);
    await move(runId, 'fail', { failure: { code: 'analysis-timeout', reason: 'took too long' } });
    await stream.waitForEnd();
    expect(stream.events.at(-2)?.data).toMatchObject({
      failureCode: 'analysis-timeout',
      failureReason: 'took too long',
    });
  });

  it('is for those who may read the run', async () => {
    const other = await api.createTeam();
    const stranger = await api.tokenHeader(other.teamId, ['runs:read']);
    const runId = await createRun();
    for (const id of [runId, randomUUID()]) {
      expectProblem(await api.http().get(`/v1/runs/${id}/events`).set(stranger), 'run-not-found');
    }
    expectProblem(await api.http().get(`/v1/runs/${runId}/events`), 'unauthenticated');
    const writer = await api.tokenHeader(team.teamId, ['runs:write']);
    expectProblem(await api.http().get(`/v1/runs/${runId}/events`).set(writer), 'scope-missing');
  });

  it('has bounds for a team and for the process, and its places are given back', async () => {
    const runId = await createRun();
    for (let i = 0; i < PER_TEAM; i++) await open(runId);
    const refused = await api.http().get(`/v1/runs/${runId}/events`).set(reader);
    expectProblem(refused, 'too-many-streams');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const other = await api.createTeam();
    const stranger = await api.tokenHeader(other.teamId, ['runs:read', 'runs:write']);
    const { body } = await api.http().post('/v1/runs').set(stranger).send({ model: 'm', cluster: 'c' });
    const theirs = (body as { id: string }).id;
    await open(theirs, '', {}, stranger);
    expectProblem(await api.http().get(`/v1/runs/${theirs}/events`).set(stranger), 'too-many-streams');
    opened[0].close();
    await until(() => openStreams().then((count) => count === PER_TEAM), 'a place is free');
    expect((await open(runId)).status).toBe(200);
    expectProblem(await api.http().get(`/v1/runs/${randomUUID()}/events`).set(reader), 'too-many-streams');
  });

  it('holds no connection to the database while it waits', async () => {
    const runId = await createRun();
    await open(runId);
    const owner = new Client({ connectionString: api.environment.ownerUrl });
    await owner.connect();
    await until(async () => {
      const { rows } = await owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
      );
      return rows[0].n === 0;
    }, 'every connection is idle');
    await owner.end();
  });

  it('outlives a database that is away, and misses nothing', async () => {
    const runId = await createRun();
    const stream = await open(runId);
    await stream.waitFor('run.created');
    const owner = new Client({ connectionString: api.environment.ownerUrl });
    await owner.connect();
    await owner.query('ALTER TABLE team_events RENAME TO team_events_away');
    await until(() => api.logText().includes('Events cannot be read; streams wait.'), 'the log says so');
    await owner.query('ALTER TABLE team_events_away RENAME TO team_events');
    await owner.end();
    for (const transition of LIFE) await move(runId, transition);
    await stream.waitForEnd();
    expect(stream.names).toEqual(['run.created', 'run.queued', 'run.analyzing', 'run.done', 'end']);
    expect(api.logText()).toContain('Events can be read again.');
  });
});

describe('an open stream', () => {
  /** Lets the time pass after which credentials are looked at again. */
  const overdue = () => {
    const feed = api.app.get<unknown>(RunEventFeed) as { streams: Set<{ checkedAtMs: number }> };
    for (const stream of feed.streams) stream.checkedAtMs -= 31_000;
  };

  it('ends when its token is revoked', async () => {
    const runId = await createRun();
    const { id, token } = await api.teams.createApiToken(team.teamId, {
      name: 'short',
      scopes: ['runs:read'],
    });
    const stream = await open(runId, '', {}, { Authorization: `Bearer ${token}` });
    const admin = await api.tokenHeader(team.teamId, ['admin']);
    await api.http().delete(`/v1/tokens/${id}`).set(admin).expect(204);
    overdue();
    await stream.waitForEnd();
    expect(stream.endReason).toBe('credential-ended');
  });

  it('ends when its run is deleted, and stays while nothing is wrong', async () => {
    const [runId, kept] = [await createRun(), await createRun()];
    const [stream, other] = [await open(runId), await open(kept)];
    await api.database.forTeam(team.teamId, ({ run }) => run.delete({ where: { id: runId } }));
    overdue();
    await stream.waitForEnd();
    expect(stream.endReason).toBe('run-gone');
    expect(other.isOver).toBe(false);
  });

  it('ends when the process stops, and tells the client to come back', async () => {
    const stream = await open(await createRun());
    await stream.waitFor('run.created');
    const stopped = api.app.get(RunEventFeed);
    stopped.onModuleDestroy();
    await stream.waitForEnd();
    expect(stream.endReason).toBe('stopping');
    expectProblem(
      await api
        .http()
        .get(`/v1/runs/${await createRun()}/events`)
        .set(reader),
      'not-ready',
    );
  });
});
