import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/** A Node.js process of a test, with what it has printed. */
export interface Script {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Runs a compiled file with Node.js. `env` is the whole environment. */
export function runScript(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Script {
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Ids of running processes whose command line holds the text. */
export function processesWith(text: string): number[] {
  const lines = spawnSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' }).stdout.split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null && !match[2]?.startsWith('Z') && match[3]?.includes(text))
    .map((match) => Number(match?.[1]));
}
