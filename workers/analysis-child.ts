import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { type AnalysisOutcome } from '../src/modules/ingestion';
import { outOfMemory } from './analyze-order';
import { type AnalysisAnswer, type AnalysisOrder } from './analysis-messages';
import { residentBytes } from './resident-memory';

export interface ChildLimits {
  timeoutS: number;
  /** Memory of the whole process. */
  memoryMib: number;
}

export interface ChildContext {
  limits: ChildLimits;
  /** The whole environment of the child. */
  env: Record<string, string>;
  /** Told what the child wrote to its standard error, line by line. */
  onStderr: (line: string) => void;
}

const MEMORY_CHECK_MS = 250;
/** The end of what the child wrote to standard error, to recognise how it died. */
const STDERR_TAIL_CHARS = 4_096;
const CHILD = join(__dirname, 'analyze-run.process.js');

type Verdict = { answer?: AnalysisAnswer; killedFor?: 'time' | 'memory' | 'stop' };

/**
 * Runs one analysis in a child process, within its bounds of time and memory. Never throws; the child is gone when this
 * resolves.
 */
export async function analyzeInChild(
  order: AnalysisOrder,
  { limits, env, onStderr }: ChildContext,
  signal: AbortSignal,
): Promise<AnalysisOutcome> {
  if (signal.aborted) return { kind: 'stopped' };
  const child = fork(CHILD, [], {
    execArgv: ['--no-warnings', `--max-old-space-size=${limits.memoryMib}`],
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const verdict: Verdict = {};
  const kill = (reason: Verdict['killedFor']) => {
    if (verdict.answer) return;
    verdict.killedFor ??= reason;
    child.kill('SIGKILL');
  };
  const timers = [
    setTimeout(() => kill('time'), limits.timeoutS * 1000),
    setInterval(() => {
      void residentBytes(child.pid ?? 0).then((bytes) => {
        if (bytes !== undefined && bytes > limits.memoryMib * 2 ** 20) kill('memory');
      });
    }, MEMORY_CHECK_MS),
  ];
  const stop = () => kill('stop');
  signal.addEventListener('abort', stop, { once: true });
  child.once('message', (answer: AnalysisAnswer) => (verdict.answer = answer));
  const stderr = collectStderr(child, onStderr);
  child.send(order, (error) => {
    if (error) child.kill('SIGKILL');
  });
  const end = await ended(child);
  signal.removeEventListener('abort', stop);
  for (const timer of timers) clearTimeout(timer);
  return toOutcome(verdict, end, stderr(), limits);
}

/** How the child ended; a child that could not be started ends with words instead of a code. */
function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(`it could not be started: ${error.message}`);
    });
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

function collectStderr(child: ChildProcess, onLine: (line: string) => void): () => string {
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-STDERR_TAIL_CHARS);
    for (const line of text.split('\n')) if (line.trim()) onLine(line);
  });
  return () => tail;
}

function toOutcome(
  { answer, killedFor }: Verdict,
  end: string,
  stderr: string,
  limits: ChildLimits,
): AnalysisOutcome {
  if (answer) return answer;
  switch (killedFor) {
    case 'stop':
      return { kind: 'stopped' };
    case 'time': {
      const reason = `The analysis took longer than ${limits.timeoutS} seconds (ANALYSIS_TIMEOUT_S). Record fewer steps or fewer ranks.`;
      return { kind: 'refused', code: 'analysis-timeout', reason };
    }
    case 'memory':
      return { kind: 'refused', code: 'out-of-memory', reason: outOfMemory };
    case undefined:
      break;
  }
  // What V8 writes before it aborts the process.
  if (/heap out of memory|allocation failed/i.test(stderr)) {
    return { kind: 'refused', code: 'out-of-memory', reason: outOfMemory };
  }
  return { kind: 'crashed', reason: `The analysis process ended unexpectedly (${end}).` };
}
