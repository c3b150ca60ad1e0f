import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord, type ReadRecordOptions } from '../../../../test/builders/read-record';
import { sniffFormat } from '../sniff';
import { memoryStatsFormat } from '.';

const recording = readFileSync(
  join(__dirname, '../../../../test/recordings/memory/memory_stats.rank0.json'),
  'utf8',
);

async function read(text: string, options?: ReadRecordOptions) {
  const { content, problems } = await readRecord(memoryStatsFormat, text, options);
  if (content.kind !== 'memory-stats') throw new Error(content.kind);
  return { ...content.stats, problems };
}

test('a recording gives its figures', async () => {
  const { rank, statistics, problems } = await read(recording, { path: 'memory_stats.rank0.json' });
  expect(problems).toEqual({});
  expect(rank).toBe(0);
  expect(statistics.bytes.allocated?.all).toEqual({
    current: 2695809536,
    peak: 6477880832,
    allocated: 1270411431936,
    freed: 1267715622400,
  });
  expect(statistics.bytes.reserved?.smallPool?.peak).toBe(8388608);
  expect(statistics.bytes.inactiveSplit?.all.peak).toBe(1113248768);
  expect(statistics.counts.segments?.all.allocated).toBe(6952);
  expect(statistics.retryCount).toBe(JSON.parse(recording).num_alloc_retries ?? null);
});

test('the nested form says the same', async () => {
  const nested: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(JSON.parse(recording) as Record<string, number>)) {
    const path = key.split('.');
    const last = path.pop() ?? '';
    const parent = path.reduce<Record<string, unknown>>((at, name) => (at[name] ??= {}) as typeof at, nested);
    parent[last] = value;
  }
  const text = JSON.stringify(nested);
  expect(sniffFormat(Buffer.from(text))?.id).toBe('memory-stats');
  expect((await read(text)).statistics).toEqual((await read(recording)).statistics);
});

test('what is no number of bytes is null and counted; what is missing is null', async () => {
  const { statistics, problems } = await read(
    '{"allocated_bytes.all.peak": 5, "allocated_bytes.all.current": -1, "reserved_bytes.all.peak": "7", "num_ooms": 1.5}',
  );
  expect(statistics.bytes).toEqual({
    allocated: {
      all: { current: null, peak: 5, allocated: null, freed: null },
      largePool: null,
      smallPool: null,
    },
  });
  expect(statistics.oomCount).toBeNull();
  expect(problems['malformed-event']).toBeGreaterThanOrEqual(3);
});

test.each([
  ['{"allocated_bytes.all.peak": 5', /not valid JSON/],
  ['[1, 2]', /no figure of the allocator/],
  ['{"__proto__": {"allocated_bytes": {"all": {"peak": 1}}}}', /no figure of the allocator/],
])('%s is refused', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test('it is told from metadata of a run that holds such figures, and from traces', () => {
  const sniff = (value: unknown) => sniffFormat(Buffer.from(JSON.stringify(value)))?.id;
  const stats = { 'allocated_bytes.all.peak': 1, 'reserved_bytes.all.peak': 2 };
  expect(sniff(stats)).toBe('memory-stats');
  expect(sniff({ world_size: 2, batch_size: 4, memory: stats })).toBe('run-metadata');
  expect(sniff({ ...stats, traceEvents: [] })).toBe('kineto');
  expect(sniff({ batch_size: 4, allocated_bytes: 3 })).toBeUndefined();
});
