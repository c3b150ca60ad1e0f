import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/entry/package-root';

const folder = join(packageRoot(), 'clients/python');

/** Whether this machine has a Python that the post-hook runs with; the product itself needs none. */
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

/** A test that needs Python; where there is none, it passes empty and says so, for the product needs none. */
export const withPython = (name: string, test: () => Promise<void>, timeoutMs?: number) =>
  hasPython ? it(name, test, timeoutMs) : it(`${name} (not tested: no python3 here)`, () => undefined);

export interface PythonEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A Python process of the post-hook. */
export interface PythonProcess {
  child: ChildProcess;
  ended: Promise<PythonEnd>;
}

/** What a recording in the spool says of itself. */
export interface Waiting {
  key: string;
  body: Record<string, unknown>;
}

/** Runs `python3` in the folder of the post-hook, with these STALLSCOPE_* and other variables. */
export function startPython(args: readonly string[], env: Record<string, string>): PythonProcess {
  const { PATH, HOME } = process.env;
  const child = spawn('python3', args, {
    cwd: folder,
    env: { PATH, HOME, PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<PythonEnd>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended };
}

/** One rank of a training run with the recorded trace of a sample; see clients/python/tests/fake_rank.py. */
export const startRank = (sample: string, env: Record<string, string>) =>
  startPython(['tests/fake_rank.py', sample, '9'], { STALLSCOPE_STEPS_AFTER: '3', ...env });

/** Sends what is in the spool. */
export const flush = (env: Record<string, string>) => startPython(['-m', 'stallscope', 'flush'], env).ended;

/** Recordings that wait in a spool. */
export const waiting = (spool: string): Waiting[] =>
  readdirSync(spool)
    .filter((name) => name !== 'runs')
    .map((name) => JSON.parse(readFileSync(join(spool, name, 'run.json'), 'utf8')) as Waiting);
