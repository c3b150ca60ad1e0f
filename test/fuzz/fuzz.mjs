// npm run fuzz -- --minutes N --seed S [--out FOLDER] [--files FOLDER …]: damages real files and analyses them, in processes of bounded time and
// memory. Reports whatever is no report and no refusal: crashes, defects, hangs, memory. A find is written to FOLDER with its
// files; `--seed S --minutes 0` checks the one case S again, with the same --files.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clearTimeout, setTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import { loadTypeScript, ROOT } from './load-typescript.mjs';

const CASES_PER_PROCESS = 200;
const MAX_CASE_S = 30;
const MAX_HEAP_MB = 1024;
const MAX_MEMORY_BYTES = 2 * 2 ** 30;
const MS_PER_MINUTE = 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: join(ROOT, '.stallscope/fuzz') },
    files: { type: 'string', multiple: true, default: [] },
  },
});
const OWN_FILES = ['test/golden', 'test/recordings', 'samples'].map((folder) => join(ROOT, folder));
const folders = values.files.length > 0 ? values.files : OWN_FILES;
const { collectSeedFiles, fuzzCase } = await loadTypeScript('fuzz-cases.ts');

/** Runs one process from `first` on; gives the seed after the last one checked, and what was wrong with which. */
async function runProcess(first, count) {
  const batch = join(ROOT, 'test/fuzz/run-batch.mjs');
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${MAX_HEAP_MB}`, batch, String(first), String(count), ...folders],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const finds = [];
  let running = null;
  let next = first;
  let errors = '';
  let killed = null;
  child.stderr.on('data', (text) => (errors = (errors + text).slice(-4_000)));
  const kill = (why) => {
    killed = why;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(() => kill('hang'), MAX_CASE_S * 1_000);
  for await (const line of createInterface({ input: child.stdout })) {
    const { seed, wrong, memoryBytes } = JSON.parse(line);
    clearTimeout(timer);
    timer = setTimeout(() => kill(`hang: more than ${MAX_CASE_S} s`), MAX_CASE_S * 1_000);
    running = wrong === undefined ? seed : null;
    next = seed + 1;
    if (wrong) finds.push({ seed, wrong });
    if (memoryBytes > MAX_MEMORY_BYTES) finds.push({ seed, wrong: `memory: ${memoryBytes} bytes` });
  }
  clearTimeout(timer);
  if (running !== null) finds.push({ seed: running, wrong: killed ?? `the process ended: ${errors}` });
  else if (next === first) throw new Error(`no case was checked: ${errors}`);
  return { next, finds };
}

function keep({ seed, wrong }, files) {
  const { artifacts, story } = fuzzCase(seed, files);
  const folder = join(values.out, String(seed));
  mkdirSync(folder, { recursive: true });
  for (const { path, bytes } of artifacts) writeFileSync(join(folder, path), bytes);
  writeFileSync(join(folder, 'find.txt'), `seed ${seed}\n${story}\n${wrong}\n`);
  console.log(`seed ${seed} (${story})\n  ${wrong.split('\n').slice(0, 6).join('\n  ')}\n  ${folder}`);
}

const first = Number(values.seed);
const untilMs = performance.now() + Number(values.minutes) * MS_PER_MINUTE;
const files = collectSeedFiles(folders);
let seed = first;
let findCount = 0;
console.log(`${files.length} files, from seed ${first}`);
do {
  const { next, finds } = await runProcess(seed, Number(values.minutes) === 0 ? 1 : CASES_PER_PROCESS);
  finds.forEach((find) => keep(find, files));
  findCount += finds.length;
  seed = next;
} while (performance.now() < untilMs);
console.log(`${seed - first} cases (seeds ${first} to ${seed - 1}), ${findCount} finds`);
process.exitCode = findCount > 0 ? 1 : 0;
