// node test/bench/trends.bench.mjs [--runs 100000,1000000]: how long questions over many runs take, in Postgres and at the API,
// in a database with that many runs of 50 teams and 20 metrics each, and how that grows. `npm run build` first.
// Every size gets a Postgres of its own. The API and who asks it are processes of their own; the API works with the product's own
// role, under row-level security. Another API in this process only tells which statements an answer is made from.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fillHistory, teamId } from './trends/fill-history.mjs';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const load = (path) => require(join(ROOT, 'dist', path));
const pg = require('pg');
const { startLocalStack, removeLocalStack } = load('infra/local/stack');
const { applyMigrations } = load('src/platform/database/migrations');
const { METRIC_CATALOG } = load('src/analysis');
const { createApi } = load('src/entry/create-api');
const { loadConfig } = load('src/platform/config');
const { createTeamsService } = load('src/modules/teams');
const { Database } = load('src/platform/database');
const { createLogger } = load('src/platform/telemetry');
const { findFreePort } = load('infra/local/free-port');

/** Answers before those that count: until the code is compiled as in a server that has run for a while. */
const WARM_UP = 1_500;
const REPEATS = 500;
const dayMs = 86_400_000;
const UNLIMITED = Object.fromEntries(
  ['TEAM', 'CREDENTIAL', 'ADDRESS'].map((who) => [`REQUESTS_PER_MINUTE_PER_${who}`, '1000000']),
);

const questions = (seriesId) => {
  const range = `from=${new Date(Date.now() - 91 * dayMs).toISOString()}`;
  const trend = `/v1/trends?metric=step-time&seriesId=${seriesId}&branch=main&${range}`;
  return {
    'trend, every run of 90 days': `${trend}&limit=10000`,
    'the same without run ids': `${trend}&limit=10000&runIds=false`,
    'trend, days': `${trend}&by=day`,
    'fleet, 30 days': '/v1/fleet',
    'latest runs, 50': '/v1/runs',
    'regressions, 50': '/v1/regressions',
  };
};

/** Notes the statements that the product sends while `noted` is an array. */
let noted;
const { submit } = pg.Query.prototype;
pg.Query.prototype.submit = function (connection) {
  if (noted) noted.push({ text: this.text, values: this.values ?? [] });
  return submit.call(this, connection);
};

const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const summary = (values) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) });

/** Asks from a process of its own. */
async function askOften(address, token) {
  const asker = join(ROOT, 'test/bench/trends/ask.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [
    asker,
    address,
    token,
    `${WARM_UP}`,
    `${REPEATS}`,
  ]);
  return JSON.parse(stdout);
}

/** Planning, execution and output of the reading statements of one answer, as Postgres itself measures them, ms. */
async function inPostgres(client, statements) {
  await client.query('BEGIN');
  await client.query(`SELECT set_config('app.team_id', $1, true)`, [teamId(0)]);
  let ms = 0;
  for (const { text, values } of statements) {
    if (!/^\s*(SELECT|WITH)\b/i.test(text) || text.includes('set_config')) continue;
    const { rows } = await client.query(
      `EXPLAIN (ANALYZE, SERIALIZE TEXT, TIMING OFF, FORMAT JSON) ${text}`,
      values,
    );
    const [plan] = rows[0]['QUERY PLAN'];
    ms += plan['Planning Time'] + plan['Execution Time'];
  }
  await client.query('ROLLBACK');
  return ms;
}

/** Starts the API as `npm start` does; resolves when it is ready. */
async function startApi(env) {
  const port = String(await findFreePort());
  const own = { ...env, HOST: '127.0.0.1', PORT: port, LOG_LEVEL: 'warn' };
  const api = spawn(process.execPath, [join(ROOT, 'dist/src/main.js')], { env: own, stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    globalThis.fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (api.exitCode !== null) throw new Error(`the API ended with ${api.exitCode}`);
    await sleep(100);
  }
  return { url, stop: async () => api.kill() && (await once(api, 'exit')) };
}

async function measure(url, env, seriesId) {
  const config = loadConfig(env);
  const app = await createApi(config, createLogger({ level: 'error' }));
  await app.listen(0, '127.0.0.1');
  const api = await startApi(env);
  const database = new Database(config.database);
  const { token } = await createTeamsService(database).createApiToken(teamId(0), {
    name: 'bench',
    scopes: ['runs:read'],
  });
  const client = new pg.Client({ connectionString: url, options: '-c role=stallscope_app' });
  await client.connect();
  const found = {};
  try {
    for (const [name, path] of Object.entries(questions(seriesId))) {
      noted = [];
      await globalThis.fetch(`${await app.getUrl()}${path}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      const statements = noted;
      noted = undefined;
      const { bytes, ms } = await askOften(`${api.url}${path}`, token);
      const inside = [];
      for (let i = 0; i < REPEATS; i++) inside.push(await inPostgres(client, statements));
      found[name] = { bytes, postgres: summary(inside), api: summary(ms) };
    }
  } finally {
    await api.stop();
    await client.end();
    await database.close();
    await app.close();
  }
  return found;
}

async function benchSize(runs) {
  const dataDir = mkdtempSync(join(tmpdir(), 'stallscope-bench-'));
  const stack = await startLocalStack({ dataDir, env: process.env, log: () => undefined, durable: false });
  try {
    const url = stack.env.DATABASE_URL;
    await applyMigrations({ connectionString: url, folder: join(ROOT, 'prisma', 'migrations') });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    console.log(`${runs} runs`);
    const metricIds = METRIC_CATALOG.map(({ id }) => id);
    const seriesId = await fillHistory(client, { runs, metricIds, log: console.log });
    const { rows } = await client.query(
      `SELECT pg_size_pretty(pg_database_size(current_database())) AS size`,
    );
    console.log(`  size: ${rows[0].size}`);
    await client.end();
    // What was filled is written out first: a server that has its history does not write gigabytes while it answers.
    execFileSync('sync');
    return await measure(url, { ...process.env, ...stack.env, ...UNLIMITED }, seriesId);
  } finally {
    await stack.stop();
    removeLocalStack(dataDir);
  }
}

const cell = ({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;

const given = process.argv.indexOf('--runs');
const scales = (given === -1 ? '100000,1000000' : process.argv[given + 1]).split(',').map(Number);
const results = [];
for (const runs of scales) results.push(await benchSize(runs));

console.log(`\nms p50 / p99 of ${REPEATS} answers, one after the other\n`);
console.log(`| question | ${scales.map((runs) => `${runs} runs: Postgres | API`).join(' | ')} | answer |`);
console.log(`| --- | ${scales.map(() => '--- | ---').join(' | ')} | --- |`);
for (const name of Object.keys(results[0])) {
  const cells = results.map((found) => `${cell(found[name].postgres)} | ${cell(found[name].api)}`);
  console.log(`| ${name} | ${cells.join(' | ')} | ${(results.at(-1)[name].bytes / 1024).toFixed(0)} KiB |`);
}
