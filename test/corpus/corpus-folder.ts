import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Recordings and public files that lie beside a checkout of the repository for some, and are not part of it. */
export const CORPUS = join(__dirname, '../../../shared/corpus');

/** Defines tests that need the corpus; without it, one test that says so. */
export function withCorpus(define: () => void): void {
  if (existsSync(CORPUS)) define();
  else
    test('../shared/corpus is not present: nothing was checked here', () =>
      expect(existsSync(CORPUS)).toBe(false));
}
