import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { OldRowsRepository } from '../../src/modules/retention/old-rows.repository';
import { ForgetHistory } from '../../src/modules/retention';
import { bucketContents } from '../harness/bucket-contents';
import { PipelineBench, putPart, sampleRun, type TeamClient } from '../harness/pipeline-bench';
import { retentionChores, unending } from '../harness/retention-chores';

const [file] = sampleRun('data_starved').filter(({ name }) => name.includes('trace'));

describe('retention', () => {
  let bench: PipelineBench;
  let chores: ReturnType<typeof retentionChores>;
  let team: TeamClient;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await PipelineBench.open({ RETENTION_DAYS: '30' });
    chores = retentionChores(bench);
  });
  beforeEach(async () => {
    team = await bench.team();
  });
  afterAll(() => bench.close());

  const stored = async () => {
    const { keys, uploads } = await bucketContents(bench.environment.env);
    return [...keys, ...uploads].filter((key) => key.includes(team.teamId)).sort();
  };
  const runIds = async () =>
    (
      await bench.query<{ id: string }>('SELECT id FROM runs WHERE team_id = $1 ORDER BY id', team.teamId)
    ).map(({ id }) => id);
  async function upload(state: string, days: number): Promise<string> {
    const id = await team.upload([file]);
    const failure = state === 'failed' ? 'x' : null;
    await bench.query(
      `UPDATE runs SET state = $2::run_state, failure_code = $3, failure_reason = $3,
         created_at = now() - make_interval(days => $4) WHERE id = $1`,
      id,
      state,
      failure,
      days,
    );
    return id;
  }

  it('deletes finished runs that are too old, with their files, and leaves work in progress alone', async () => {
    const kept = [
      await upload('done', 29),
      await upload('queued', 31),
      await upload('analyzing', 31),
      await upload('awaitingUpload', 31),
    ];
    await upload('done', 31);
    await upload('failed', 31);
    expect(await chores.expireRuns.pass(unending)).toBe(2);
    expect(await runIds()).toEqual([...kept].sort());
    await chores.deleteObjects.pass(unending);
    expect(await stored()).toHaveLength(4);
    expect(await chores.expireRuns.pass(unending)).toBe(0);
  });

  it('is what the team was given, where it was', async () => {
    await bench.query('UPDATE teams SET retention_days = 5 WHERE id = $1', team.teamId);
    await upload('done', 6);
    const kept = await upload('done', 4);
    expect(await chores.expireRuns.pass(unending)).toBe(1);
    expect(await runIds()).toEqual([kept]);
    await bench.query('UPDATE teams SET retention_days = 400 WHERE id = $1', team.teamId);
    const old = await upload('done', 390);
    expect(await chores.expireRuns.pass(unending)).toBe(0);
    expect(await runIds()).toEqual([kept, old].sort());
  });

  it('deletes a run once, however many processes pass', async () => {
    for (let i = 0; i < 4; i++) await upload('done', 31);
    const other = retentionChores(bench);
    const passes = await Promise.all([chores.expireRuns.pass(unending), other.expireRuns.pass(unending)]);
    expect(passes[0] + passes[1]).toBe(4);
    expect(await runIds()).toEqual([]);
  });

  it('forgets old events and answers', async () => {
    const age = `now() - make_interval(days => d)`;
    await bench.query(
      `INSERT INTO team_events (id, team_id, type, created_at) SELECT gen_random_uuid(), $1, 'run.done', ${age} FROM unnest('{29,31,90}'::int[]) d`,
      team.teamId,
    );
    await bench.query(
      `INSERT INTO idempotency_records (team_id, route, key, request_hash, created_at) SELECT $1, 'r', d::text, 'h', ${age} FROM unnest('{1,3}'::int[]) d`,
      team.teamId,
    );
    expect(await new ForgetHistory(new OldRowsRepository(bench.database)).pass(unending)).toBe(3);
    for (const table of ['team_events', 'idempotency_records'])
      expect(await bench.query(`SELECT 1 FROM ${table} WHERE team_id = $1`, team.teamId)).toHaveLength(1);
  });

  describe('of objects that no artifact stands on', () => {
    const orphan = (name: string) => `teams/${team.teamId}/artifacts/ingested/${name}`;
    const put = (key: string) =>
      bench.store.write(
        key,
        (async function* () {
          yield Buffer.from('x');
        })(),
        { maxBytes: 10 },
      );

    // What the tests before left to be deleted.
    beforeEach(() => chores.deleteObjects.pass(unending));

    it('is a day; then they go, and nothing else', async () => {
      const runId = await team.createRun();
      const { body } = await team.register(runId, file);
      for (const part of body.parts) await putPart(part, file.bytes, body.partSizeBytes);
      await team.upload([{ ...file, name: 'other' }]);
      await put(orphan('lost'));
      await put('teams/no-team/artifacts/x');
      const before = await stored();
      expect(before).toHaveLength(3);
      expect(await chores.sweepOrphans.pass(unending)).toBe(0);
      expect(await stored()).toEqual(before);
      expect(await chores.sweepOrphans.pass(unending, -60_000)).toBe(1);
      // Handed over once, and gone when the store has said so.
      expect(await chores.sweepOrphans.pass(unending, -60_000)).toBe(0);
      await chores.deleteObjects.pass(unending);
      expect(await stored()).toEqual(before.filter((key) => key !== orphan('lost')));
      expect((await team.complete(runId)).status).toBe(200);
    });

    it('are left alone in a bucket of another installation', async () => {
      await put(orphan('theirs'));
      const { store } = bench;
      const write = async (id: string) =>
        store.write(
          'installation',
          (async function* () {
            yield Buffer.from(id);
          })(),
          { maxBytes: 64 },
        );
      const [{ id }] = await bench.query<{ id: string }>('SELECT id FROM installation');
      await write(randomUUID());
      expect(await chores.sweepOrphans.pass(unending, -60_000)).toBe(0);
      await write(id);
      expect(await chores.sweepOrphans.pass(unending, -60_000)).toBe(1);
    });

    it('are found over many pages, and after a team is gone', async () => {
      const keys = Array.from({ length: 1_050 }, (_, i) => orphan(String(i)));
      while (keys.length > 0) await Promise.all(keys.splice(0, 50).map(put));
      const used = await team.upload([file]);
      expect(await chores.sweepOrphans.pass(unending, -60_000)).toBe(1_050);
      for (let pass = 0; pass < 3; pass++) await chores.deleteObjects.pass(unending);
      expect(await runIds()).toEqual([used]);
      expect((await bucketContents(bench.environment.env)).keys).toEqual(
        expect.arrayContaining(await stored()),
      );
      await bench.query('DELETE FROM teams WHERE id = $1', team.teamId);
      expect(await chores.sweepOrphans.pass(unending, -60_000)).toBe(1);
      await chores.deleteObjects.pass(unending);
      expect(await stored()).toEqual([]);
    });
  });
});
