// npm run bench:ingest: many small runs of several teams at once, through real servers and real processes. Prints what
// clients and teams wait for, and fails when a run that was accepted is not done, or was done twice.
// Options: --teams 6 --runs 60 (each; the first team sends all of its own at once, the others a few at a time).
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, chmodSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const local = (name) => require(join(ROOT, 'dist/infra/local', name));
const { findFreePort } = local('free-port');
const { migrate } = local('migrate');
const { superviseProcesses } = local('processes');
const { removeLocalStack, startLocalStack } = local('stack');
const { stopOnSignals } = local('stop-on-signals');
const { Client } = require('pg');
const { fetch } = globalThis;

const WORKERS = 2;
/** All of it ends by then, whatever happens. */
const BOUND_MS = 15 * 60_000;
const OTHERS_AT_ONCE = 4;
const API = join(ROOT, 'dist/src/main.js');
const TRACE = readFileSync(join(ROOT, 'test/golden/kineto/loader-starved/rank0.pt.trace.json'), 'utf8');

const print = (line) => process.stdout.write(`${line}\n`);
const percentile = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? NaN;

/** Bytes of a sound trace that no other run has. */
function traceOf(team, i) {
  return Buffer.from(TRACE.replace('{', `{"traceName": "${team}-${i}",`));
}

async function createTeam(env, slug) {
  const args = ['bootstrap', '--team', slug, '--owner-email', `owner@${slug}.test`, '--token-name', 'bench'];
  const { stdout } = await promisify(execFile)(process.execPath, [API, ...args], {
    env: { ...env, BOOTSTRAP_OWNER_PASSWORD: 'correct horse battery staple' },
  });
  const { teamId, token } = JSON.parse(stdout.trim().split('\n').at(-1));
  return { slug, teamId, token };
}

/** Creates, uploads and completes one run as a client would; twice where a client may not know whether it worked. */
async function send(server, { slug, token }, i, timings) {
  const call = async (path, body, headers = {}) => {
    const startedMs = performance.now();
    const response = await fetch(`${server}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    return { answer: JSON.parse(text), ms: performance.now() - startedMs };
  };
  const bytes = traceOf(slug, i);
  const create = () =>
    call('/v1/runs', { model: 'bench', cluster: 'local' }, { 'idempotency-key': `${slug}-${i}` });
  const { answer: run, ms: createMs } = await create();
  const again = await create();
  if (again.answer.id !== run.id) throw new Error('one idempotency key made two runs');
  const { answer: artifact } = await call(`/v1/runs/${run.id}/artifacts`, {
    name: 'rank0.pt.trace.json',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  for (const { url } of artifact.parts) {
    const put = await fetch(url, { method: 'PUT', body: bytes });
    if (!put.ok) throw new Error(`PUT of a part: ${put.status}`);
  }
  const [{ ms: completeMs }] = await Promise.all([
    call(`/v1/runs/${run.id}/complete`, {}),
    call(`/v1/runs/${run.id}/complete`, {}),
  ]);
  timings.create.push(createMs);
  timings.complete.push(completeMs);
  return run.id;
}

/** Does the pieces of work, so many at a time. */
async function atOnce(count, pieces) {
  const results = [];
  const waiting = [...pieces];
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (let piece = waiting.shift(); piece; piece = waiting.shift()) results.push(await piece());
    }),
  );
  return results;
}

async function waitUntilDone(sql, total) {
  for (const started = performance.now(); ;) {
    const { rows } = await sql.query("SELECT count(*)::int AS n FROM runs WHERE state IN ('done', 'failed')");
    if (rows[0].n >= total) return;
    if (performance.now() - started > BOUND_MS) return;
    await sleep(500);
  }
}

/** What is wrong with the runs that were accepted; nothing when each is done, exactly once. */
async function findFaults(sql, accepted) {
  const { rows } = await sql.query(
    `SELECT r.id, r.state, r.failure_code, r.generation, count(a.id)::int AS analyses
     FROM runs r LEFT JOIN analyses a ON a.run_id = r.id GROUP BY r.id`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const faults = [];
  for (const id of accepted) {
    const row = byId.get(id);
    if (!row) faults.push(`${id} was accepted and is lost`);
    else if (row.state !== 'done') faults.push(`${id} is ${row.state} ${row.failure_code ?? ''}`);
    else if (row.analyses !== 1 || row.generation !== 1) {
      faults.push(`${id} has ${row.analyses} analyses, generation ${row.generation}`);
    }
  }
  if (rows.length !== accepted.length)
    faults.push(`${accepted.length} accepted, ${rows.length} in the database`);
  return faults;
}

async function printWaits(sql, teams) {
  const { rows } = await sql.query(
    `SELECT r.team_id, extract(epoch FROM min(e.created_at) - min(q.created_at))::float AS wait_s FROM runs r
     JOIN team_events q ON q.run_id = r.id AND q.type = 'run.queued'
     JOIN team_events e ON e.run_id = r.id AND e.type = 'run.analyzing' GROUP BY r.id`,
  );
  for (const { slug, teamId } of teams) {
    const waits = rows.filter(({ team_id }) => team_id === teamId).map(({ wait_s }) => wait_s);
    const [p50, p99] = [0.5, 0.99].map((part) => percentile(waits, part).toFixed(1));
    print(`  queue wait of ${slug.padEnd(9)} p50 ${p50} s   p99 ${p99} s   (${waits.length} runs)`);
  }
}

async function measure({ env, server, teams, runs }) {
  const sql = new Client({ connectionString: env.DATABASE_URL });
  await sql.connect();
  try {
    const timings = { create: [], complete: [] };
    const startedMs = performance.now();
    const seconds = () => ((performance.now() - startedMs) / 1000).toFixed(1);
    const sent = await Promise.all(
      teams.map((team, t) => {
        const pieces = Array.from({ length: runs }, (_, i) => () => send(server, team, i, timings));
        return atOnce(t === 0 ? runs : OTHERS_AT_ONCE, pieces);
      }),
    );
    const accepted = sent.flat();
    print(`${accepted.length} runs of ${teams.length} teams accepted after ${seconds()} s.`);
    await waitUntilDone(sql, accepted.length);
    print(`All ended after ${seconds()} s.`);
    for (const [name, values] of Object.entries(timings)) {
      const [p50, p99] = [0.5, 0.99].map((part) => percentile(values, part).toFixed(0));
      print(`  ${name.padEnd(8)} p50 ${p50} ms   p99 ${p99} ms`);
    }
    await printWaits(sql, teams);
    return await findFaults(sql, accepted);
  } finally {
    await sql.end();
  }
}

async function main() {
  const { values } = parseArgs({
    options: { teams: { type: 'string', default: '6' }, runs: { type: 'string', default: '60' } },
  });
  const dataDir = mkdtempSync(join(tmpdir(), 'stallscope-bench-'));
  chmodSync(dataDir, 0o711);
  const processes = superviseProcesses(dataDir, print);
  let stopStack = async () => undefined;
  const stop = async () => {
    await processes.stopAll();
    await stopStack();
    removeLocalStack(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  };
  stopOnSignals(stop, print);
  try {
    const stack = await startLocalStack({
      dataDir,
      env: { PATH: process.env.PATH },
      log: print,
      durable: true,
    });
    stopStack = stack.stop;
    await migrate(stack.env.DATABASE_URL, () => undefined);
    const port = await findFreePort();
    const server = `http://127.0.0.1:${port}`;
    const env = {
      ...{ PATH: process.env.PATH, LOG_LEVEL: 'warn', HOST: '127.0.0.1', PORT: String(port) },
      ...{ REQUESTS_PER_MINUTE_PER_TEAM: '1000000', REQUESTS_PER_MINUTE_PER_CREDENTIAL: '1000000' },
      ...{ WEBHOOK_KEY: 'only for the time of this measurement', ...stack.env },
    };
    const teams = [];
    for (let i = 0; i < Number(values.teams); i++) {
      teams.push(await createTeam(env, i === 0 ? 'flooding' : `team-${i}`));
    }
    const start = (name, entry, readyWhen) =>
      processes.start({ name, entry: join(ROOT, entry), env, readyWhen });
    await start('api', 'dist/src/main.js', { url: `${server}/health/ready` });
    const workerEnv = { ...env, LOG_LEVEL: 'info' };
    for (let i = 1; i <= WORKERS; i++) {
      await processes.start({
        name: `worker-${i}`,
        entry: join(ROOT, 'dist/workers/main.js'),
        env: workerEnv,
        readyWhen: { output: /"msg":"taking jobs/ },
      });
    }
    const faults = await Promise.race([
      measure({ env, server, teams, runs: Number(values.runs) }),
      sleep(2 * BOUND_MS, ['it took too long'], { ref: false }),
    ]);
    for (const fault of faults.slice(0, 20)) print(`FAULT ${fault}`);
    print(faults.length === 0 ? 'Nothing was lost, nothing was done twice.' : `${faults.length} faults.`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

main().then(
  () => process.exit(),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
