// node test/bench/run-list.bench.mjs [runs]: how long lists of runs take in a database with that many runs (100 000 unless
// given) of one team and 20 metrics each, beside another team with a tenth of that, and by which indexes they are found.
// Run `npm run build` first. Uses DATABASE_URL, which must be an empty database, or a Postgres of its own.
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const load = (path) => require(join(ROOT, 'dist', path));
const { Client } = require('pg');
const { startLocalStack, removeLocalStack } = load('infra/local/stack');
const { applyMigrations } = load('src/platform/database/migrations');
const { Database } = load('src/platform/database');
const { RunPageRepository, pageByMetric, pageByTime } = load('src/modules/runs/run-page.repository');
const { runConditions } = load('src/modules/runs/run-conditions.repository');
const { runListQuerySchema } = load('src/modules/runs/run-list-query');
const { METRIC_CATALOG } = load('src/analysis');

const REPEATS = 200;
const TEAM = '01890a5d-0000-7000-8000-00000000000a';
const OTHER = '01890a5d-0000-7000-8000-00000000000b';
const METRICS = METRIC_CATALOG.slice(0, 20).map(({ id }) => id);

/** What is asked for; common values are those of a tenth of the runs or more, rare ones of a few. */
const QUERIES = [
  {},
  { sort: 'createdAt' },
  { model: 'model-3' },
  { model: 'model-rare' },
  { cluster: 'cluster-1' },
  { cluster: 'cluster-rare' },
  { workload: 'workload-rare' },
  { branch: 'main' },
  { branch: 'branch-777' },
  { commit: 'commit-4242' },
  { state: 'done' },
  { state: 'failed' },
  { verdict: 'communication' },
  { verdict: 'step-jitter' },
  { tag: 'nightly' },
  { tag: 'tag-4242' },
  { tag: ['nightly', 'tag-4242'] },
  { createdFrom: '2026-01-10T00:00:00Z', createdTo: '2026-01-10T01:00:00Z' },
  { metric: `${METRICS[3]}:0.3..0.5` },
  { metric: `${METRICS[3]}:0.30001..0.30011` },
  { metric: [`${METRICS[3]}:0.3..0.5`, `${METRICS[4]}:0.1..0.2`] },
  { sort: `metric:${METRICS[3]}` },
  { sort: `-metric:${METRICS[3]}` },
  { sort: `-metric:${METRICS[3]}`, model: 'model-3' },
  { sort: `-metric:${METRICS[3]}`, model: 'model-rare' },
  { sort: `metric:${METRICS[3]}`, tag: 'tag-4242' },
  { sort: `metric:${METRICS[19]}`, verdict: 'communication' },
];

async function fill(client, team, slug, count) {
  await client.query('INSERT INTO teams (id, slug, name) VALUES ($1, $2, $2)', [team, slug]);
  await client.query(
    `INSERT INTO runs (id, team_id, model, cluster, workload, branch, commit, tags, state, generation, verdict,
       latest_analysis_id, failure_code, failure_reason, created_at)
     SELECT gen_random_uuid(), $1, CASE WHEN i % 20000 = 7 THEN 'model-rare' ELSE 'model-' || i % 10 END,
       CASE WHEN i % 20000 = 7 THEN 'cluster-rare' ELSE 'cluster-' || i % 4 END,
       CASE WHEN i % 20000 = 9 THEN 'workload-rare' ELSE 'pretraining' END,
       CASE WHEN i % 3 = 0 THEN 'main' ELSE 'branch-' || i % 3000 END, 'commit-' || i / 3,
       ARRAY['tag-' || i / 5] || CASE WHEN i % 2 = 0 THEN ARRAY['nightly'] ELSE '{}' END,
       (CASE WHEN i % 500 = 3 THEN 'failed' ELSE 'done' END)::run_state, 1,
       CASE WHEN i % 500 = 3 THEN NULL WHEN i % 10000 = 5 THEN 'step-jitter'
         ELSE (ARRAY['communication', 'input-pipeline', 'none'])[1 + i % 3] END,
       CASE WHEN i % 500 = 3 THEN NULL ELSE gen_random_uuid() END,
       CASE WHEN i % 500 = 3 THEN 'analysis-timeout' END, CASE WHEN i % 500 = 3 THEN 'r' END,
       timestamptz '2026-01-01' + i * interval '1 minute'
     FROM generate_series(1, $2::integer) AS i`,
    [team, count],
  );
  await client.query(
    `INSERT INTO analyses (id, team_id, run_id, generation, analysis_version, bottleneck, confidence, summary, report)
     SELECT latest_analysis_id, team_id, id, 1, '1', verdict, 'high', 'A sentence about the run.', '{}'
     FROM runs WHERE team_id = $1 AND latest_analysis_id IS NOT NULL`,
    [team],
  );
  // A tenth has no value, and a fifth of the values is the same.
  await client.query(
    `INSERT INTO metric_values (analysis_id, team_id, metric_id, value, unit, source, reason)
     SELECT a.id, a.team_id, m.id, v.value, 'ratio', CASE WHEN v.value IS NULL THEN 'notMeasurable' ELSE 'measured' END,
       CASE WHEN v.value IS NULL THEN 'r' END
     FROM analyses a CROSS JOIN unnest($2::text[]) AS m(id)
     CROSS JOIN LATERAL (SELECT random() AS r, a.id AS _a, m.id AS _m) d
     CROSS JOIN LATERAL (SELECT CASE WHEN d.r < 0.1 THEN NULL WHEN d.r < 0.3 THEN 0 ELSE d.r END AS value) v
     WHERE a.team_id = $1`,
    [team, METRICS],
  );
}

/** The statement that finds the page, as the repository builds it. */
function statementOf(query) {
  const where = runConditions(TEAM, query, undefined);
  return query.sort.by === 'metric'
    ? pageByMetric(TEAM, where, query.sort, undefined, query.limit + 1)
    : pageByTime(where, query.sort.descending, undefined, query.limit + 1);
}

/** Indexes and whole-table scans of a plan. */
async function explain(client, statement) {
  await client.query('BEGIN');
  await client.query(`SET LOCAL ROLE stallscope_app`);
  await client.query(`SELECT set_config('app.team_id', $1, true)`, [TEAM]);
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${statement.text}`, statement.values);
  await client.query('ROLLBACK');
  const found = new Set();
  const visit = (node) => {
    if (node['Index Name']) found.add(node['Index Name']);
    if (node['Node Type'] === 'Seq Scan') found.add(`SEQ SCAN ${node['Relation Name']}`);
    for (const child of node.Plans ?? []) visit(child);
  };
  visit(rows[0]['QUERY PLAN'][0].Plan);
  return [...found];
}

const describe = (query) => Object.entries(query).flat().join(' ') || '(all)';
const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

async function measure(pages, query) {
  const ms = [];
  for (let i = 0; i < REPEATS; i++) {
    const started = performance.now();
    await pages.list(TEAM, { ...query, after: undefined }, undefined);
    ms.push(performance.now() - started);
  }
  ms.sort((a, b) => a - b);
  return { p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) };
}

async function main() {
  const count = Number(process.argv[2] ?? 100_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'stallscope-bench-'));
  const stack = await startLocalStack({ dataDir, env: process.env, log: () => undefined, durable: false });
  try {
    const url = stack.env.DATABASE_URL;
    await applyMigrations({ connectionString: url, folder: join(ROOT, 'prisma', 'migrations') });
    const client = new Client({ connectionString: url });
    await client.connect();
    await fill(client, TEAM, 'bench', count);
    await fill(client, OTHER, 'other', Math.ceil(count / 10));
    await client.query('VACUUM ANALYZE');
    const database = new Database({ url, poolSize: 4 });
    const pages = new RunPageRepository(database);
    console.log(
      `${count} runs, ${METRICS.length} metrics each; ms of ${REPEATS} first pages of 50, one after the other`,
    );
    for (const given of QUERIES) {
      const query = runListQuerySchema.parse(given);
      const { p50, p99 } = await measure(pages, query);
      const indexes = await explain(client, statementOf(query));
      const name = describe(given);
      console.log(
        `${p50.toFixed(1).padStart(7)} ${p99.toFixed(1).padStart(7)}  ${name.padEnd(60)} ${indexes.join(', ')}`,
      );
    }
    await database.close();
    await client.end();
  } finally {
    await stack.stop();
    removeLocalStack(dataDir);
  }
}

await main();
