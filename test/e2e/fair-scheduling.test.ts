import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { RunClaimsRepository } from '../../src/modules/ingestion/run-claims.repository';
import { hostEvent, kernelEvent, runtimeEvent, traceOf } from '../builders/kineto-trace';
import { PipelineBench, type TeamClient } from '../harness/pipeline-bench';
import { until } from '../harness/until';

const tiny = gzipSync(
  traceOf([
    hostEvent('aten::mm', 100, 20),
    runtimeEvent('cudaLaunchKernel', 105, 5, 1),
    kernelEvent('gemm', 115, 30, 1),
  ]),
);

/** Sends runs of one small trace, some at a time; gives their ids. */
async function ingest(team: TeamClient, count: number): Promise<string[]> {
  const ids: string[] = [];
  const senders = Array.from({ length: 8 }, async () => {
    while (ids.length < count) {
      const place = ids.push('') - 1;
      const { status, body, text } = await team.call<{ runId: string }>(
        'PUT',
        '/v1/ingest?model=m&cluster=c',
        tiny,
      );
      if (status !== 202) throw new Error(text);
      ids[place] = body.runId;
    }
  });
  await Promise.all(senders);
  return ids;
}

describe('teams that share workers', () => {
  let bench: PipelineBench;
  let big: TeamClient;
  let small: TeamClient;
  let third: TeamClient;

  beforeAll(async () => {
    bench = await PipelineBench.open({ QUOTA_CONCURRENT_ANALYSES: '4' });
    [big, small, third] = [await bench.team(), await bench.team(), await bench.team()];
  });
  afterAll(() => bench.close());

  /** How many runs of the team were taken between the moment that the run was queued and the moment that it was taken. */
  const overtakenBy = async (runId: string, team: TeamClient) => {
    const [{ count }] = await bench.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM team_events e
       WHERE e.team_id = $2 AND e.type = 'run.analyzing'
         AND e.seq > (SELECT min(seq) FROM team_events WHERE run_id = $1 AND type = 'run.queued')
         AND e.seq < (SELECT min(seq) FROM team_events WHERE run_id = $1 AND type = 'run.analyzing')`,
      runId,
      team.teamId,
    );
    return count;
  };
  const taken = async (team: TeamClient) =>
    (
      await bench.query(
        `SELECT 1 FROM team_events WHERE team_id = $1 AND type = 'run.analyzing'`,
        team.teamId,
      )
    ).length;

  it('take turns: a run of a small team goes before the backlog of a big one', async () => {
    const backlog = await ingest(big, 300);
    await bench.startWorker({ WORKER_CONCURRENCY: '2' });
    await until(async () => (await taken(big)) >= 4, 'the big team is served');
    const [one] = await ingest(small, 1);
    await small.waitFor(one, ['done', 'failed']);
    // Those whose claim was on its way when the run came, one for each place.
    expect(await overtakenBy(one, big)).toBeLessThanOrEqual(2);

    await ingest(small, 40);
    const [other] = await ingest(third, 1);
    await third.waitFor(other, ['done', 'failed']);
    expect((await overtakenBy(other, big)) + (await overtakenBy(other, small))).toBeLessThanOrEqual(4);

    // Neither backlog stands still for the other.
    const [bigBefore, smallBefore] = [await taken(big), await taken(small)];
    await until(async () => (await taken(small)) >= smallBefore + 5, 'the small team goes on');
    expect((await taken(big)) - bigBefore).toBeGreaterThanOrEqual(2);
    await bench.stopWorkers();
    const [{ left }] = await bench.query<{ left: number }>(
      `SELECT count(*)::int AS left FROM runs WHERE id = ANY($1::uuid[]) AND state = 'queued'`,
      backlog,
    );
    expect(left).toBeGreaterThan(200);
  }, 120_000);
});

describe('a team at its limit', () => {
  it('has a backlog that is not lost, and hides nothing of others that is', async () => {
    const bench = await PipelineBench.open();
    try {
      const teams = [await bench.team(), await bench.team(), await bench.team()];
      const [limited, waiting, crashed] = teams.map(({ teamId }) => teamId);
      const insert = async (teamId: string, state: string, silentS: number, heldBack = false) => {
        const [{ id }] = await bench.query<{ id: string }>(
          `INSERT INTO runs (id, team_id, model, cluster, state, generation, state_changed_at, queued_at, not_before)
           VALUES (gen_random_uuid(), $1, 'm', 'c', $2::run_state, 1, now() - make_interval(secs => $3), now(),
             CASE WHEN $4 THEN now() + interval '1 minute' END)
           RETURNING id`,
          teamId,
          state,
          silentS,
          heldBack,
        );
        return id;
      };
      for (let i = 0; i < 20; i++) await insert(limited, 'queued', 1_000 + i);
      for (let i = 0; i < 2; i++) await insert(limited, 'analyzing', 0);
      const lost = [await insert(waiting, 'queued', 100), await insert(crashed, 'analyzing', 90)];
      await insert(waiting, 'queued', 0);
      await insert(waiting, 'queued', 100, true);
      const find = async (maxConcurrentPerTeam: number) => {
        const rules = { silentAfterMs: 60_000, maxConcurrentPerTeam };
        return new RunClaimsRepository(bench.database).findLost(rules, 10);
      };
      expect((await find(2)).map(({ id }) => id)).toEqual(lost);
      expect((await find(3)).map(({ teamId }) => teamId)).toEqual([limited, waiting, crashed]);
    } finally {
      await bench.close();
    }
  });

  it('never has more analyses going on, and still gets all of them done without being looked for', async () => {
    // No run is found by the reconciler in this test: the end of each analysis calls for the next one.
    const bench = await PipelineBench.open({ STALLED_AFTER_S: '600', RECONCILE_INTERVAL_S: '3600' });
    try {
      const [limited, free] = [await bench.team(), await bench.team()];
      await bench.query('UPDATE teams SET max_concurrent_analyses = 2 WHERE id = $1', limited.teamId);
      const ids = await ingest(limited, 16);
      const workers = [
        await bench.startWorker({ WORKER_CONCURRENCY: '3' }),
        await bench.startWorker({ WORKER_CONCURRENCY: '3' }),
      ];
      const [other] = await ingest(free, 1);
      let most = 0;
      let left = ids.length;
      const deadlineMs = Date.now() + 90_000;
      while (left > 0 && Date.now() < deadlineMs) {
        const [row] = await bench.query<{ busy: number; left: number }>(
          `SELECT count(*) FILTER (WHERE state = 'analyzing')::int AS busy,
             count(*) FILTER (WHERE state IN ('queued', 'analyzing'))::int AS left
           FROM runs WHERE team_id = $1`,
          limited.teamId,
        );
        most = Math.max(most, row.busy);
        left = row.left;
        await sleep(5);
      }
      expect({ left, most }).toEqual({ left: 0, most: 2 });
      await free.waitFor(other, ['done', 'failed']);
      const [{ attempts }] = await bench.query<{ attempts: number }>(
        'SELECT max(attempts)::int AS attempts FROM runs',
      );
      expect(attempts).toBe(1);
      expect(workers.map((worker) => worker.output().includes('"level":"error"'))).toEqual([false, false]);
    } finally {
      await bench.close();
    }
  }, 120_000);
});
