import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version in package.json; `unknown` when the product runs without it. */
export function productVersion(start = __dirname): string {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: string };
    return version ?? 'unknown';
  }
  return 'unknown';
}
