// npm run check:image: carries out the Dockerfile's steps in folders, then runs the product from what the image would
// hold, against servers of its own: migrates, starts the API and a worker, has a run analysed, and stops both. Needs no
// container engine, so it cannot see what belongs to one: base images, users, layers. Takes a minute or two.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const local = (name) => require(join(ROOT, 'dist/infra/local', name));
const { fetch } = globalThis;
const print = (line) => process.stdout.write(`${line}\n`);

/** The instructions of a Dockerfile as [word, rest]; comments are left out, a backslash continues a line. */
function readDockerfile(file) {
  return readFileSync(file, 'utf8')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => /^(\S+)\s+(.*)$/.exec(line).slice(1));
}

/** Carries out COPY and RUN of every stage; gives the folder, environment and command of the last one. */
function buildStages(instructions, work) {
  const stages = new Map();
  let stage;
  for (const [word, rest] of instructions) {
    if (word === 'FROM') {
      const name = / AS (\S+)$/i.exec(rest)?.[1] ?? 'image';
      stage = { root: join(work, name), folder: '/', env: {}, command: [] };
      stages.set(name, stage);
    } else if (word === 'WORKDIR') {
      stage.folder = rest;
      mkdirSync(join(stage.root, rest), { recursive: true });
    } else if (word === 'ENV') {
      for (const pair of rest.split(/\s+/)) stage.env[pair.split('=')[0]] = pair.split('=')[1];
    } else if (word === 'COPY') copy(rest, stage, stages);
    else if (word === 'RUN') {
      print(`RUN ${rest}`);
      execFileSync('sh', ['-c', rest], {
        cwd: join(stage.root, stage.folder),
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    } else if (word === 'CMD') stage.command = JSON.parse(rest);
  }
  return { ...stage, folder: join(stage.root, stage.folder) };
}

function copy(rest, { root, folder }, stages) {
  const words = rest.split(/\s+/);
  const from = words[0].startsWith('--from=') ? stages.get(words.shift().slice('--from='.length)).root : ROOT;
  const target = words.pop();
  for (const source of words) {
    const path = join(from, source);
    if (!existsSync(path)) throw new Error(`COPY ${source}: it is not there.`);
    const to = normalize(join(root, folder, target, target.endsWith('/') ? basename(source) : ''));
    // node_modules of the checkout never reach a build.
    cpSync(path, to, { recursive: true, verbatimSymlinks: true });
  }
}

/** Starts a command of the image with Node as process 1 of a space of its own, where the system lets us. */
function inImage(image, mayUnshare) {
  const [program, ...unshared] = mayUnshare
    ? ['unshare', '--fork', '--pid', '--mount-proc', '--kill-child', process.execPath]
    : [process.execPath];
  return (args, env) => ({
    command: program,
    args: [...unshared, ...args],
    options: { cwd: image.folder, env: { ...image.env, ...env, PATH: process.env.PATH } },
  });
}

async function start(launch, env, entry, readyWhen) {
  const { spawn } = await import('node:child_process');
  const { command, args, options } = launch([entry], env);
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  for (let i = 0; !(await readyWhen(output)); i++) {
    if (child.exitCode !== null || i > 600) throw new Error(`${entry} did not start:\n${output}`);
    await sleep(100);
  }
  const stop = async () => {
    // unshare ignores signals: its child, process 1 of the new space, is told.
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    process.kill(command === 'unshare' ? Number(children) : child.pid, 'SIGTERM');
    return ended;
  };
  return { stop, output: () => output, kill: () => child.kill('SIGKILL') };
}

async function analyseOneRun(server, token) {
  const bytes = readFileSync(join(ROOT, 'test/golden/kineto/loader-starved/rank0.pt.trace.json'));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  const url = `${server}/v1/ingest?model=m&cluster=c&name=rank0.json`;
  const sent = await fetch(url, { method: 'PUT', headers, body: bytes });
  if (!sent.ok) throw new Error(`ingest: ${sent.status} ${await sent.text()}`);
  const { runId } = await sent.json();
  let state;
  for (let i = 0; i < 600; i++) {
    const run = await (await fetch(`${server}/v1/runs/${runId}`, { headers })).json();
    state = run.state;
    if (state === 'done') return;
    if (state === 'failed') throw new Error(`the run failed: ${JSON.stringify(run.failure)}`);
    await sleep(100);
  }
  throw new Error(`the run is ${state}`);
}

async function runProduct(image, stackEnv) {
  const mayUnshare =
    spawnSync('unshare', ['--fork', '--pid', '--mount-proc', '--kill-child', 'true']).status === 0;
  print(mayUnshare ? 'Node runs as process 1.' : 'Node cannot be process 1 here (unshare is refused).');
  const launch = inImage(image, mayUnshare);
  const once = (args, env) => {
    const { command, args: all, options } = inImage(image, false)(args, env);
    return execFileSync(command, all, { ...options, encoding: 'utf8' });
  };
  const port = String(await local('free-port').findFreePort());
  const { JWT_SECRET, ...workerEnv } = { ...stackEnv, HOST: '127.0.0.1' };
  const apiEnv = { ...workerEnv, JWT_SECRET, PORT: port };
  print(once(['dist/src/main.js', 'migrate'], { DATABASE_URL: stackEnv.DATABASE_URL }).trim());
  const password = { BOOTSTRAP_OWNER_PASSWORD: 'correct horse battery staple' };
  const flags = ['--team', 't', '--owner-email', 'o@t.test', '--token-name', 'check'];
  const { token } = JSON.parse(once(['dist/src/main.js', 'bootstrap', ...flags], { ...apiEnv, ...password }));
  const server = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${server}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const api = await start(launch, apiEnv, image.command[1], isReady);
  const worker = await start(launch, workerEnv, 'dist/workers/main.js', (text) =>
    text.includes('taking jobs'),
  );
  try {
    await analyseOneRun(server, token).catch((error) => {
      throw new Error(`${error.message}\n${worker.output().slice(-2000)}`, { cause: error });
    });
    print('A run was ingested and analysed.');
    const ends = [await worker.stop(), await api.stop()];
    if (ends.some((end) => end !== 0))
      throw new Error(`SIGTERM ended the worker with ${ends[0]}, the API with ${ends[1]}`);
    print('SIGTERM ended worker and API with status 0.');
  } finally {
    worker.kill();
    api.kill();
  }
}

const work = mkdtempSync(join(tmpdir(), 'stallscope-image-'));
chmodSync(work, 0o711);
const dataDir = join(work, 'stack');
let stack;
try {
  const image = buildStages(readDockerfile(join(ROOT, 'infra/docker/Dockerfile')), work);
  print(`The image would hold: ${readdirSync(image.folder).join(', ')}.`);
  print(execFileSync('du', ['-sh', image.folder], { encoding: 'utf8' }).split(/\s/)[0]);
  stack = await local('stack').startLocalStack({
    dataDir,
    env: { PATH: process.env.PATH },
    log: () => undefined,
  });
  await runProduct(image, stack.env);
} finally {
  await stack?.stop();
  if (stack) local('stack').removeLocalStack(dataDir);
  rmSync(work, { recursive: true, force: true });
}
