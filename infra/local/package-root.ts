import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of our package.json; the same one for TypeScript sources and for the compiled files in dist/. */
export function packageRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`No package.json above ${__dirname}.`);
    folder = parent;
  }
  return folder;
}
