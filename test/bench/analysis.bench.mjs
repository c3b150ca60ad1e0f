// npm run bench: how fast a trace is read and analysed, as ratios in one run, and the memory that takes.
// The input is a sample recording repeated in time until it has about the wanted size (default 100 MB of JSON).
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createGunzip, createGzip, gunzipSync } from 'node:zlib';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { analyzeRun } = require(join(ROOT, 'dist/src/analysis'));
const { openArtifactBytes } = require(join(ROOT, 'dist/src/platform/decompression'));

const LIMITS = { maxEvents: 60_000_000, maxEventBytes: 1 << 24, maxStringBytes: 1 << 29 };
const DECOMPRESSION = { maxBytes: 2 ** 36, maxRatio: 500, minBytesBeforeRatio: 2 ** 26 };
const RUNS = 5;

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

async function time(work) {
  const ms = [];
  for (let i = 0; i <= RUNS; i++) {
    const started = performance.now();
    await work();
    if (i > 0) ms.push(performance.now() - started);
  }
  return median(ms);
}

/** The sample's events again and again, each time later. */
function* repeated(sample, sizeBytes) {
  const { traceEvents, ...head } = JSON.parse(gunzipSync(readFileSync(sample)).toString());
  const spanUs =
    Math.max(...traceEvents.map((e) => (e.ts ?? 0) + (e.dur ?? 0))) -
    Math.min(...traceEvents.map((e) => e.ts ?? Infinity)) +
    1000;
  yield `${JSON.stringify(head).slice(0, -1)},"traceEvents":[\n`;
  let written = 0;
  for (let round = 0; written < sizeBytes; round++) {
    const text = traceEvents
      .map((e) => ({
        ...e,
        ts: Math.round((e.ts + round * spanUs) * 1000) / 1000,
        name: e.name.replace(/^ProfilerStep#(\d+)$/, (_, n) => `ProfilerStep#${Number(n) + 4 * round}`),
        ...(e.args?.correlation
          ? { args: { ...e.args, correlation: e.args.correlation + round * 200_000 } }
          : {}),
      }))
      .map((e) => JSON.stringify(e))
      .join(',\n');
    written += text.length;
    yield round === 0 ? text : `,\n${text}`;
  }
  yield '\n]}\n';
}

const drain = async (stream) => {
  for await (const chunk of stream) void chunk;
};
const analyze = (file) =>
  analyzeRun(
    [
      {
        path: 'rank0.json',
        open: () => openArtifactBytes(createReadStream(file, { highWaterMark: 1 << 18 }), DECOMPRESSION),
      },
    ],
    { limits: LIMITS },
  );

async function main() {
  const megabytes = Number(process.argv[2] ?? 100);
  const folder = mkdtempSync(join(tmpdir(), 'stallscope-bench-'));
  try {
    const file = join(folder, 'trace.json.gz');
    const sample = join(ROOT, 'samples/launch_bound/rank0.pt.trace.json.gz');
    await pipeline(
      Readable.from(repeated(sample, megabytes * 1e6)),
      createGzip({ level: 6 }),
      createWriteStream(file),
    );
    let jsonBytes = 0;
    for await (const chunk of createReadStream(file).pipe(createGunzip())) jsonBytes += chunk.length;
    const text = jsonBytes < 400e6 ? gunzipSync(readFileSync(file)).toString() : null;

    const gunzipMs = await time(() =>
      drain(createReadStream(file, { highWaterMark: 1 << 18 }).pipe(createGunzip({ chunkSize: 1 << 18 }))),
    );
    const parseMs = text ? await time(() => void JSON.parse(text)) : null;
    const analyzeMs = await time(() => analyze(file));
    const perSecond = (ms) => `${(jsonBytes / 1000 / ms).toFixed(0)} MB/s`;
    console.log(
      `${(jsonBytes / 1e6).toFixed(0)} MB of JSON, ${(statSync(file).size / 1e6).toFixed(1)} MB gzipped; medians of ${RUNS}, one process`,
    );
    console.log(`gunzip alone             ${gunzipMs.toFixed(0).padStart(7)} ms  ${perSecond(gunzipMs)}`);
    console.log(
      `analysis, gunzip inside  ${analyzeMs.toFixed(0).padStart(7)} ms  ${perSecond(analyzeMs)}  ${(analyzeMs / gunzipMs).toFixed(1)} x gunzip`,
    );
    if (parseMs)
      console.log(
        `JSON.parse, in memory    ${parseMs.toFixed(0).padStart(7)} ms  ${perSecond(parseMs)}  analysis takes ${(analyzeMs / parseMs).toFixed(2)} x as long`,
      );
    const child = spawnSync(process.execPath, [join(ROOT, 'bin/stallscope.js'), 'analyze', file, '--json'], {
      maxBuffer: 1 << 29,
    });
    if (child.status !== 0) throw new Error(child.stderr.toString());
    const memory = spawnSync(
      '/usr/bin/time',
      ['-f', '%M', process.execPath, join(ROOT, 'bin/stallscope.js'), 'analyze', file, '--json'],
      { maxBuffer: 1 << 29 },
    );
    const peak = memory.error
      ? 'not measured (no /usr/bin/time)'
      : `${(Number(memory.stderr.toString().trim().split('\n').at(-1)) / 1024).toFixed(0)} MiB`;
    console.log(`peak memory of the command line: ${peak}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
