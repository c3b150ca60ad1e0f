import { PipelineBench } from '../harness/pipeline-bench';

const TEAMS = 40;
const RUNS_PER_TEAM = 500;
const SILENT = `now() - interval '1 minute'`;

describe('a long line of runs', () => {
  let bench: PipelineBench;

  beforeAll(async () => {
    bench = await PipelineBench.open();
    await bench.query(
      `INSERT INTO teams (id, slug, name, last_served_at)
       SELECT gen_random_uuid(), 'team-' || n, 'n', now() - make_interval(secs => n) FROM generate_series(1, $1) n`,
      TEAMS,
    );
    await bench.query(
      `INSERT INTO runs (id, team_id, model, cluster, state, generation, state_changed_at, queued_at)
       SELECT gen_random_uuid(), t.id, 'm' || n, 'c', 'queued', 1, now() - make_interval(secs => n + 100),
         now() - make_interval(secs => n + 100)
       FROM teams t, generate_series(1, $1) n`,
      RUNS_PER_TEAM,
    );
    await bench.query('ANALYZE runs');
  });
  afterAll(() => bench.close());

  const buffersOf = async (call: string) => {
    const [{ 'QUERY PLAN': plan }] = await bench.query<{
      'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
    }>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM ${call}`);
    return plan[0].Plan['Shared Hit Blocks'] + plan[0].Plan['Shared Read Blocks'];
  };
  const pick = async (concurrency = 2) =>
    (
      await bench.query<{ slug: string; model: string }>(
        `SELECT t.slug, r.model FROM pick_run(${SILENT}, $1) p JOIN teams t ON t.id = p.team_id JOIN runs r ON r.id = p.id`,
        concurrency,
      )
    ).at(0);
  const change = (slug: string, model: string, assignments: string) =>
    bench.query(
      `UPDATE runs r SET ${assignments} FROM teams t WHERE t.id = r.team_id AND t.slug = $1 AND r.model = $2`,
      slug,
      model,
    );

  it.each([`pick_run(${SILENT}, 4)`, `find_lost_runs(${SILENT}, 4, 500)`])(
    'is not read from end to end by %s',
    async (call) => {
      await bench.query(`SELECT * FROM ${call}`);
      // A few pages of each team; the whole line is one for every run.
      expect(await buffersOf(call)).toBeLessThan(TEAMS * 40);
    },
  );

  it('is taken from the head, of the team that has fewest analyses and was served longest ago', async () => {
    expect(await pick()).toEqual({ slug: 'team-40', model: 'm500' });
    await change('team-40', 'm500', `not_before = now() + interval '1 hour'`);
    expect(await pick()).toEqual({ slug: 'team-40', model: 'm499' });
    await change('team-40', 'm499', `state = 'analyzing', state_changed_at = now()`);
    expect(await pick()).toEqual({ slug: 'team-39', model: 'm500' });

    await bench.query(`UPDATE teams SET deleted_at = now() WHERE slug <> 'team-40'`);
    expect(await pick()).toEqual({ slug: 'team-40', model: 'm498' });
    expect(await pick(1)).toBeUndefined();
    await bench.query(`UPDATE teams SET max_concurrent_analyses = 2 WHERE slug = 'team-40'`);
    expect(await pick(1)).toEqual({ slug: 'team-40', model: 'm498' });

    // A worker that fell silent has lost its run; one that gives signs of life has it however long.
    await change('team-40', 'm499', `state_changed_at = now() - interval '1 hour', alive_at = now()`);
    expect(await pick()).toEqual({ slug: 'team-40', model: 'm498' });
    await change('team-40', 'm499', `alive_at = now() - interval '2 minutes'`);
    expect(await pick()).toEqual({ slug: 'team-40', model: 'm499' });
  });

  it('is measured by state and team', async () => {
    const rows = await bench.query(
      'SELECT state, runs::int, teams::int FROM measure_backlog() ORDER BY state',
    );
    expect(rows).toEqual([
      { state: 'analyzing', runs: 1, teams: 1 },
      { state: 'queued', runs: TEAMS * RUNS_PER_TEAM - 1, teams: TEAMS },
    ]);
  });
});
