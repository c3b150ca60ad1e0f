// Checks cases one after the other in a process of its own and says so: `{"seed"}` before a case, `{"seed", "wrong"}` after.
// Usage: node test/fuzz/run-batch.mjs FIRST_SEED COUNT FOLDER…
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loadTypeScript, ROOT } from './load-typescript.mjs';

const require = createRequire(import.meta.url);
const product = {
  ...require(join(ROOT, 'dist/src/analysis')),
  ...require(join(ROOT, 'dist/src/presentation')),
};
const { collectSeedFiles, fuzzCase } = await loadTypeScript('fuzz-cases.ts');
const { checkCase } = await loadTypeScript('check-case.ts');

const [first, count, ...folders] = process.argv.slice(2);
const files = collectSeedFiles(folders);
const say = (message) => writeSync(1, `${JSON.stringify(message)}\n`);
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  say({ seed });
  const wrong = await checkCase(fuzzCase(seed, files), product);
  say({ seed, wrong, memoryBytes: process.memoryUsage().rss });
}
