import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Recordings and public files that lie beside a checkout of the repository for some, and are not part of it. */
export const CORPUS = join(__dirname, '../../../shared/corpus');

/** Defines tests that need the corpus; without it they show up as skipped, with the reason. */
export function withCorpus(define: () => void): void {
  if (existsSync(CORPUS)) return define();
  // The one case where skipping is honest: a pass would say that recordings were checked.
  describe.skip('skipped: ../shared/corpus is not here, and no part of the repository', () => {
    test('nothing was checked against recordings', () => undefined);
  });
}
