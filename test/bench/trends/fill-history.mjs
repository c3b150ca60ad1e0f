// A history of runs for benchmarks, the same every time: 50 teams of skewed sizes over 180 days; the first has a series of
// 10 000 runs over the last 90 days. Everything that trends read is filled; reports are empty.
const TEAMS = 50;
const BIG_SERIES_RUNS = 10_000;
const RUNS_PER_SERIES = 5_000;
const METRICS = 20;

export const teamId = (k) => `01890a5d-0000-7000-8000-${String(k).padStart(12, '0')}`;
/** Sizes fall as 1/k: the first team has a fifth of all runs. */
function sizes(runs) {
  const weights = Array.from({ length: TEAMS }, (_, k) => 1 / (k + 1));
  const sum = weights.reduce((a, b) => a + b);
  return weights.map((weight) => Math.max(1, Math.round((runs * weight) / sum)));
}

/** A number from 0 to 1 that the text decides. */
const chance = (text) => `((hashtextextended(${text}, 42) & 65535) / 65536.0::double precision)`;
/** A UUID of the version that the product makes: in the order of time. */
const uuidAt = (at, text) =>
  `(lpad(to_hex((date_part('epoch', ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${text}), 1, 3) || '8' || substr(md5(${text}), 4, 15))::uuid`;

/** Fills an empty database of the product as its owner; `log` is told what takes long. Gives the id of the big series. */
export async function fillHistory(client, { runs, metricIds, log }) {
  const step = async (name, statement, values) => {
    const startedMs = performance.now();
    await client.query(statement, values);
    log(`  ${name}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  };
  const metrics = metricIds.slice(0, METRICS);
  await client.query(`SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET jit = off`);
  await client.query(
    `INSERT INTO teams (id, slug, name) SELECT id, 'team-' || n, 'team' FROM unnest($1::uuid[]) WITH ORDINALITY t(id, n)`,
    [Array.from({ length: TEAMS }, (_, k) => teamId(k))],
  );
  await client.query(
    `SELECT ensure_point_partition(now() - n * interval '1 month') FROM generate_series(0, 7) n`,
  );
  await fillSeries(step, sizes(runs), metrics);
  await fillRuns(step);
  await fillPoints(client, step);
  await step('vacuum', 'VACUUM ANALYZE');
  const { rows } = await client.query(`SELECT series_id AS id FROM plan WHERE is_big LIMIT 1`);
  await client.query('DROP TABLE plan');
  return rows[0].id;
}

/** Which run is when and in which series, in a table of its own. */
async function fillSeries(step, teamSizes, metrics) {
  await step(
    'plan',
    `CREATE TABLE plan AS
     SELECT ${uuidAt('at', "k || ':' || i")} AS id, s.*, ${uuidAt("timestamptz '2026-01-01'", "'s' || k || ':' || series")} AS series_id
     FROM (
       SELECT k, team_id, i, is_big, at, CASE WHEN is_big THEN 0 ELSE 1 + i % ceil(n / ${RUNS_PER_SERIES}.0)::integer END AS series
       FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY t(team_id, n, k)
       CROSS JOIN LATERAL generate_series(1, n) i
       CROSS JOIN LATERAL (SELECT k = 1 AND i <= least(${BIG_SERIES_RUNS}, n / 2) AS is_big) b
       CROSS JOIN LATERAL (SELECT now() - CASE WHEN is_big THEN interval '90 days' * i / least(${BIG_SERIES_RUNS}, n / 2)
         ELSE interval '180 days' * i / n END AS at) a) s`,
    [teamSizes.map((_, k) => teamId(k)), teamSizes],
  );
  await step(
    'series',
    `INSERT INTO series (id, team_id, model, cluster, workload, comparability, last_run_at)
     SELECT series_id, team_id, 'model-' || series / 2, 'cluster-' || series % 3, 'pretraining', 'gpu=h200;worldsize=' || series, max(at)
     FROM plan GROUP BY series_id, team_id, series`,
  );
  await step(
    'metrics of series',
    `INSERT INTO series_metrics (team_id, series_id, metric_id) SELECT team_id, id, m FROM series CROSS JOIN unnest($1::text[]) m`,
    [metrics],
  );
  await step(
    'regressions',
    `INSERT INTO regressions (id, team_id, series_id, branch, state, metric_id, metrics, before, after, change_ratio, first_bad_at,
       good_again_at, opened_at, explained_at, resolved_at, resolution)
     SELECT ${uuidAt('d.at', "s.id || ':' || n")}, s.team_id, s.id, 'main', (CASE WHEN n = 0 THEN 'open' ELSE 'resolved' END)::regression_state,
       'step-time', '[]', 1e8, 1.1e8, 0.1, d.at, CASE WHEN n > 0 THEN d.at + interval '1 day' END, d.at, d.at,
       CASE WHEN n > 0 THEN d.at END, CASE WHEN n > 0 THEN 'recovered' END
     FROM series s CROSS JOIN generate_series(0, 20) n CROSS JOIN LATERAL (SELECT now() - n * interval '8 days' AS at) d`,
  );
}

/** Runs in the order of time, as they come. */
async function fillRuns(step) {
  await step(
    'runs',
    `INSERT INTO runs (id, team_id, model, cluster, workload, branch, commit, world_size, duration_s, tags, state, generation,
       trended_generation, verdict, latest_analysis_id, created_at, started_at, series_id)
     SELECT p.id, p.team_id, s.model, s.cluster, s.workload, CASE WHEN is_big OR i % 5 > 0 THEN 'main' ELSE 'topic' END,
       md5((i / 2)::text), 8 << (series % 4), CASE WHEN i % 10 > 0 THEN 3600 + i % 7200 END,
       CASE WHEN i % 10 = 0 THEN ARRAY['nightly'] ELSE '{}' END, 'done', 1, 1,
       (ARRAY['communication', 'input-pipeline', 'none'])[1 + i % 3], p.id, p.at, p.at, p.series_id
     FROM plan p JOIN series s ON s.id = p.series_id ORDER BY p.at`,
  );
  await step(
    'analyses',
    `INSERT INTO analyses (id, team_id, run_id, generation, analysis_version, bottleneck, confidence, summary, report, created_at)
     SELECT id, team_id, id, 1, '1', verdict, 'high', 'A sentence about the run.', '{}', created_at FROM runs`,
  );
  await step(
    'headline metrics',
    `INSERT INTO metric_values (analysis_id, team_id, metric_id, value, unit, source)
     SELECT id, team_id, m, ${chance('id || m')}, 'ratio', 'measured' FROM runs CROSS JOIN unnest(ARRAY['step-time', 'mfu', 'gpu-busy-ratio']) m`,
  );
  await step(
    'usage',
    `INSERT INTO run_usage (run_id, team_id, at, model, cluster, workload, gpus, duration_s, bottleneck, compute,
       exposed_communication, exposed_memcpy, input_wait, sync_wait, allocator, launch_gap, host_other, dependency, unexplained, gains)
     SELECT id, team_id, started_at, model, cluster, workload, world_size, duration_s, verdict, 0.5, 0.2, 0.02, 0.1, 0.02, 0.01, 0.1,
       0.02, 0.02, 0.01, CASE WHEN verdict = 'none' THEN '{}' ELSE jsonb_build_object(verdict, 0.1) END
     FROM runs`,
  );
}

/** Points, then their days; indexes and the foreign key are made anew afterwards, which is several times faster. */
async function fillPoints(client, step) {
  const { rows } = await client.query(`
    SELECT format('ALTER TABLE points DROP CONSTRAINT %I', conname) AS drop,
      format('ALTER TABLE points ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)) AS make
    FROM pg_constraint WHERE conrelid = 'points'::regclass AND contype IN ('p', 'f')
    UNION ALL
    SELECT format('DROP INDEX %I', c.relname), replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ')
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = 'points'::regclass AND NOT i.indisprimary`);
  for (const { drop } of rows) await client.query(drop);
  await step(
    'points',
    `INSERT INTO points (series_metric_id, at, run_id, team_id, branch, value)
     SELECT m.id, r.started_at, r.id, r.team_id, r.branch,
       1e8 * (1 + 0.01 * ${chance('r.id::text || m.id')} + CASE WHEN ${chance("'slow' || r.id")} < 0.02 THEN 0.3 ELSE 0 END)
     FROM runs r JOIN series_metrics m ON m.series_id = r.series_id`,
  );
  for (const { make } of rows) await step(make.split(' ').slice(0, 6).join(' '), make);
  await client.query('ANALYZE points');
  const { rows: partitions } = await client.query(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'points'::regclass`,
  );
  for (const { name } of partitions) {
    await step(
      `days of ${name}`,
      `INSERT INTO point_days (series_metric_id, day, team_id, branch, runs, min, p50, p95, max, values)
       SELECT series_metric_id, (at AT TIME ZONE 'UTC')::date, team_id, branch, count(*), min(value),
         percentile_cont(0.5) WITHIN GROUP (ORDER BY value), percentile_cont(0.95) WITHIN GROUP (ORDER BY value), max(value),
         array_agg(value ORDER BY value)
       FROM ${name} GROUP BY 1, 2, 3, 4`,
    );
    await step(
      `packed days of ${name}`,
      `INSERT INTO packed_days (series_metric_id, day, team_id, branch, runs, at_ms, value, run_ids)
       SELECT series_metric_id, (at AT TIME ZONE 'UTC')::date, team_id, branch, count(*),
         string_agg(round(date_part('epoch', at) * 1000)::bigint::text, ',' ORDER BY at, run_id),
         string_agg(value::text, ',' ORDER BY at, run_id), string_agg('"' || run_id || '"', ',' ORDER BY at, run_id)
       FROM ${name} GROUP BY 1, 2, 3, 4 HAVING count(*) >= 4`,
    );
  }
}
