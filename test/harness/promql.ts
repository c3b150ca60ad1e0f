import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface ReadExpression {
  /** Whether it is PromQL without mistakes. */
  sound: boolean;
  /** Names of metrics and of recorded rules. */
  metrics: string[];
}

/** Parses expressions as Prometheus would; the answers are in the same order. */
export function readPromql(expressions: readonly string[]): ReadExpression[] {
  const script = join(__dirname, 'read-promql.mjs');
  const answer = execFileSync(process.execPath, [script], { input: JSON.stringify(expressions) });
  return JSON.parse(answer.toString()) as ReadExpression[];
}
