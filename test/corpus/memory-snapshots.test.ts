import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { analyzeRun } from '../../src/analysis';
import { presentReport } from '../../src/presentation';
import { memorySnapshotFormat } from '../../src/analysis/formats/memory-snapshot';
import { sniffFormat } from '../../src/analysis/formats/sniff';
import { readRecord } from '../builders/read-record';
import { CORPUS, withCorpus } from './corpus-folder';

withCorpus(() => {
  test('beside the trace it names the line that empties the cache', async () => {
    const artifacts = ['rank0.pt.trace.json.gz', 'snapshot.rank0.pickle'].map((name) => ({
      path: name,
      open: async function* () {
        const bytes = readFileSync(join(CORPUS, 'h200/alloc_thrash', name));
        yield name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
      },
    }));
    const limits = { maxEvents: 1e6, maxEventBytes: 2 ** 24, maxStringBytes: 2 ** 26 };
    const report = presentReport(await analyzeRun(artifacts, { limits }));
    const finding = report.findings.find(({ rule }) => rule === 'allocator-churn');
    expect(finding?.causes?.map(({ text }) => text)).toEqual([
      expect.stringMatching(/shows 13 calls of empty_cache\(\) .* by before \(.*train\.py:206\)/),
    ]);
    expect(report.memory?.snapshots).toMatchObject([{ rank: 0, device: 0, largestFreeBytes: 524_288_000 }]);
  });

  test('a recorded snapshot says what the statistics of its process say', async () => {
    const folder = join(CORPUS, 'h200/alloc_thrash');
    const stats = JSON.parse(readFileSync(join(folder, 'memory_stats.rank0.json'), 'utf8')) as Record<
      string,
      number
    >;
    const file = readFileSync(join(folder, 'snapshot.rank0.pickle'));
    expect(sniffFormat(file)?.id).toBe('memory-snapshot');
    const { content, problems } = await readRecord(memorySnapshotFormat, file, { chunkBytes: 10_007 });
    if (content.kind !== 'memory-snapshot') throw new Error(content.kind);
    expect(problems).toEqual({});
    const [device] = content.snapshot.devices;
    expect(device).toMatchObject({
      segmentCount: stats['num_device_alloc'] - stats['num_device_free'],
      reservedBytes: stats['reserved_bytes.all.current'],
      allocatedBytes: stats['allocated_bytes.all.current'],
      requestedBytes: stats['requested_bytes.all.current'],
      splitFreeBytes: stats['inactive_split_bytes.all.current'],
      largestFreeBytes: 524_288_000,
    });
    expect(device.trace).toMatchObject({
      eventCount: 20_000,
      peakRequestedBytes: stats['requested_bytes.all.peak'],
      peakReservedBytes: stats['reserved_bytes.all.peak'],
      segmentAllocCount: 488,
      segmentFreeCount: 447,
      emptyCacheCount: 13,
      retryCount: stats['num_alloc_retries'],
      emptyCacheSite: { name: 'before', line: 206 },
    });
  });
});
