import { randomUUID } from 'node:crypto';
import { type PipelineBench } from './pipeline-bench';

export interface ManyRuns {
  teamId: string;
  model: string;
  count: number;
  /** When the first ran; the others follow at equal distances. */
  startMs: number;
  everyMs: number;
  /** Step time of each level, ns, and the number of the run it begins with. */
  levels: readonly { from: number; stepNs: number }[];
}

/** Finished runs of one series with their points and days, in one go; they have no reports. Gives the id of the series. */
export async function addManyRuns(bench: PipelineBench, given: ManyRuns): Promise<string> {
  const { teamId, model, count, startMs, everyMs, levels } = given;
  const seriesId = randomUUID();
  const months = Math.ceil((count * everyMs) / (28 * 86_400_000)) + 1;
  await bench.query(
    `SELECT ensure_point_partition(to_timestamp($1::double precision / 1000) + n * interval '1 month') FROM generate_series(0, $2::integer) n`,
    startMs,
    months,
  );
  await bench.query(
    `INSERT INTO series (id, team_id, model, cluster, workload, comparability, last_run_at)
     VALUES ($1, $2, $3, 'h200', '', 'gpu=h200;dtype=bf16', to_timestamp($4::double precision / 1000))`,
    ...[seriesId, teamId, model, startMs + (count - 1) * everyMs],
  );
  await bench.query(
    `INSERT INTO series_metrics (team_id, series_id, metric_id) VALUES ($1, $2, 'step-time')`,
    ...[teamId, seriesId],
  );
  await bench.query(
    `INSERT INTO runs (team_id, model, cluster, branch, commit, tags, setup, state, generation, trended_generation, series_id,
       started_at, created_at, id)
     SELECT $1, $2, 'h200', 'main', md5((i / 2)::text), '{}', '{"dtype": "bf16"}', 'done', 1, 1, $3, at, at, gen_random_uuid()
     FROM generate_series(0, $4::integer - 1) i
     CROSS JOIN LATERAL (SELECT to_timestamp(($5::double precision + i * $6::double precision) / 1000) AS at) t`,
    ...[teamId, model, seriesId, count, startMs, everyMs],
  );
  await bench.query(
    `INSERT INTO points (series_metric_id, at, run_id, team_id, branch, value)
     SELECT m.id, r.started_at, r.id, r.team_id, r.branch, v.level * (1 + 0.02 * abs(hashtext(r.id::text)) / 2147483648.0)
     FROM (SELECT r.*, row_number() OVER (ORDER BY started_at) - 1 AS i FROM runs r WHERE series_id = $1) r
     JOIN series_metrics m ON m.series_id = r.series_id
     CROSS JOIN LATERAL (
       SELECT l.step_ns AS level FROM unnest($2::integer[], $3::double precision[]) AS l(first, step_ns)
       WHERE l.first <= r.i ORDER BY l.first DESC LIMIT 1) v`,
    ...[seriesId, levels.map(({ from }) => from), levels.map(({ stepNs }) => stepNs)],
  );
  await bench.query(
    `SELECT roll_up_day($1, $2, 'main', d) FROM (
       SELECT DISTINCT (started_at AT TIME ZONE 'UTC')::date AS d FROM runs WHERE series_id = $2) t`,
    ...[teamId, seriesId],
  );
  return seriesId;
}
