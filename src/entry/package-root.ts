import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder that holds prisma/migrations: it is one level further up when the product runs from dist/. */
export function packageRoot(start = __dirname): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'prisma', 'migrations'))) return folder;
    if (folder === dirname(folder)) throw new Error(`No prisma/migrations above ${start}.`);
  }
}
