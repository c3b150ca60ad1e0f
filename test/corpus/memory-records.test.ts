import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_FORMATS } from '../../src/analysis/formats';
import { memoryStatsFormat } from '../../src/analysis/formats/memory-stats';
import { memorySummaryFormat } from '../../src/analysis/formats/memory-summary';
import {
  type AllocatorGauge,
  type AllocatorStatistics,
  type PooledGauge,
} from '../../src/analysis/timeline/allocator-statistics';
import { readRecord } from '../builders/read-record';
import { CORPUS, withCorpus } from './corpus-folder';

async function statisticsIn(path: string): Promise<AllocatorStatistics> {
  const format = path.endsWith('.json') ? memoryStatsFormat : memorySummaryFormat;
  const { content, problems } = await readRecord(format, readFileSync(path), { path });
  expect(problems).toEqual({});
  if (content.kind === 'memory-stats') return content.stats.statistics;
  if (content.kind === 'memory-summary') return content.summary.tables[0];
  throw new Error(content.kind);
}

/** Every figure by a path of its own: `bytes allocated largePool peak`. */
function figures({ bytes, counts }: AllocatorStatistics): Map<string, number | null> {
  const all = new Map<string, number | null>();
  for (const [group, gauges] of Object.entries({ bytes, counts }))
    for (const [name, pools] of Object.entries<PooledGauge>(gauges))
      for (const [pool, gauge] of Object.entries(pools) as [string, AllocatorGauge | null][])
        for (const [figure, value] of Object.entries(gauge ?? {}) as [string, number | null][])
          all.set(`${group} ${name} ${pool} ${figure}`, value);
  return all;
}

withCorpus(() => {
  const recordings = join(CORPUS, 'h200');
  const pairs = readdirSync(recordings, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) =>
      readdirSync(join(recordings, entry.name)).map((name) => join(recordings, entry.name, name)),
    )
    .filter((path) => /memory_summary\.rank\d\.txt$/.test(path))
    .map((path) => [path, path.replace('memory_summary', 'memory_stats').replace('.txt', '.json')]);

  test('the printed table and the statistics of each process agree', async () => {
    expect(pairs.length).toBeGreaterThan(50);
    for (const [summary, stats] of pairs) {
      const exact = figures(await statisticsIn(stats));
      const printed = figures(await statisticsIn(summary));
      expect(printed.size).toBe(exact.size);
      for (const [name, value] of printed) {
        const full = exact.get(name) ?? NaN;
        // Rounded down to the unit of the whole, which is printed with at least three digits.
        const unit = (exact.get(name.replace(/\w+Pool/, 'all')) ?? NaN) / 767;
        const off = value === null ? full : full - value;
        expect([name, off >= 0 && off <= unit, value === 0 && full > 0]).toEqual([name, true, false]);
      }
    }
  });

  test.each([
    ['h200/cuda_oom/stderr.txt', 'oom-message'],
    ['h200/nvidia-smi-topo.txt', 'gpu-topology'],
    ['h200/alloc_thrash/memory_stats.rank0.json', 'memory-stats'],
    ['h200/alloc_thrash/memory_summary.rank0.txt', 'memory-summary'],
    ['h200/ddp_slow_link/nccl.831.log', 'nccl-log'],
  ])('%s is taken by %s and by no other', (name, id) => {
    const head = readFileSync(join(CORPUS, name)).subarray(0, 65_536);
    expect(ALL_FORMATS.filter((format) => format.sniff(head)).map((format) => format.id)).toEqual([id]);
  });

  test('none of these formats takes a file of another kind', () => {
    const own = /(memory_(stats|summary)\..*|nccl.*\.log|nvidia-smi-topo\.txt|cuda_oom.stderr\.txt)$/;
    const ids = ['oom-message', 'gpu-topology', 'memory-stats', 'memory-summary', 'nccl-log'];
    const taken = readdirSync(CORPUS, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !own.test(path))
      .flatMap((path) => {
        const head = readFileSync(path).subarray(0, 65_536);
        const by = ALL_FORMATS.filter((format) => ids.includes(format.id) && format.sniff(head));
        return by.map((format) => `${path} by ${format.id}`);
      });
    expect(taken).toEqual([]);
  });
});
