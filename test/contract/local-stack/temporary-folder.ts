import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { testStack } from '../../harness/test-stack';

/** An empty folder that other accounts may pass; `remove` it when everything in it has stopped. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(testStack().dataDir, 'case-'));
  chmodSync(path, 0o711);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Waits until the condition holds; fails after `boundMs`. */
export async function eventually(what: string, boundMs: number, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + boundMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`Not within ${boundMs} ms: ${what}.`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
