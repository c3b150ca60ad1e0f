import { RunClaimsRepository } from '../../src/modules/ingestion/run-claims.repository';
import { RunWorkRepository } from '../../src/modules/ingestion/run-work.repository';
import { type InProcessApi, startInProcessApi } from '../harness/in-process-api';

const rules = { silentAfterMs: 60_000, maxConcurrentPerTeam: 2, maxAttempts: 3 };

describe('a sign of life of the worker at a run', () => {
  let api: InProcessApi;
  beforeAll(async () => {
    api = await startInProcessApi();
  });
  afterAll(() => api.stop());

  it('keeps its claim, and changes nothing that people see', async () => {
    const { teamId } = await api.createTeam();
    const client = await api.tokenHeader(teamId, ['runs:read']);
    const claims = new RunClaimsRepository(api.database);
    const work = new RunWorkRepository(api.database);
    const longAgo = new Date(Date.now() - 3_600_000);
    const { id: runId } = await api.database.forTeam(teamId, ({ run }) =>
      run.create({
        data: {
          ...{ teamId, model: 'm', cluster: 'c', tags: [], state: 'analyzing', generation: 1, attempts: 1 },
          ...{ stateChangedAt: longAgo, queuedAt: longAgo },
        },
      }),
    );
    const get = () => api.http().get(`/v1/runs/${runId}`).set(client);
    const { headers, body } = await get().expect(200);
    const lost = async () => (await claims.findLost(rules, 10)).map(({ id }) => id);
    const picked = { teamId, runId, generation: 1 };
    expect(await lost()).toEqual([runId]);
    expect(await claims.lookAgainInMs(picked, rules)).toBeLessThan(0);

    expect(await work.heartbeat(teamId, { runId, generation: 1, attempts: 1 })).toBe(true);
    expect(await lost()).toEqual([]);
    expect(await claims.pick(rules)).toBeUndefined();
    expect(await claims.claim(picked, rules)).toEqual({ kind: 'lost' });
    expect(await claims.lookAgainInMs(picked, rules)).toBeGreaterThan(50_000);
    await get().set('If-None-Match', headers.etag).expect(304);
    expect((await get()).body).toEqual(body);

    // The next worker's claim does not inherit it.
    const released = { counted: false, delayMs: 0 };
    expect(await work.release(teamId, { runId, generation: 1, attempts: 1 }, released)).toBe(true);
    const [row] = await api.database.forTeam(teamId, ({ run }) => run.findMany({ where: { id: runId } }));
    expect(row.aliveAt).toBeNull();
    expect(row.stateChangedAt.getTime()).toBeGreaterThan(longAgo.getTime());
  });
});
