import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord, type ReadRecordOptions } from '../../../../test/builders/read-record';
import { ALL_FORMATS } from '..';
import { memorySummaryFormat } from '.';

const recording = readFileSync(
  join(__dirname, '../../../../test/recordings/memory/memory_summary.rank0.txt'),
  'utf8',
);
const MIB = 2 ** 20;
const GIB = 2 ** 30;

async function read(text: string | Uint8Array, options?: ReadRecordOptions) {
  const { content, problems } = await readRecord(memorySummaryFormat, text, options);
  if (content.kind !== 'memory-summary') throw new Error(content.kind);
  return { ...content.summary, problems };
}

describe('a recording', () => {
  test('gives every figure in bytes, whatever its unit', async () => {
    const { rank, tables, problems } = await read(recording, { path: 'run/memory_summary.rank0.txt' });
    expect(problems).toEqual({});
    expect(rank).toBe(0);
    expect(tables).toHaveLength(1);
    expect(tables[0]).toMatchObject({
      device: 0,
      oomCount: 0,
      retryCount: 0,
      bytes: {
        allocated: {
          all: { current: 2570 * MIB, peak: 6177 * MIB, allocated: 1183 * GIB, freed: 1180 * GIB },
        },
        reserved: { smallPool: { current: 8 * MIB, peak: 8 * MIB, allocated: 190 * MIB, freed: 182 * MIB } },
        inactiveSplit: { all: { current: 650317 * 1024, peak: 1061 * MIB } },
      },
      counts: {
        segments: { all: { current: 170, peak: 171, allocated: 6952, freed: 6782 } },
        oversizeSegments: { all: { current: 0 }, largePool: null, smallPool: null },
      },
    });
    expect(Object.keys(tables[0].bytes)).toHaveLength(5);
    expect(Object.keys(tables[0].counts)).toHaveLength(6);
  });

  test('reads the same with a prefix on every line, with all lines joined, and in pieces of 5 bytes', async () => {
    const { tables } = await read(recording);
    const prefixed = recording.replace(/^/gm, '[rank3]: 10:01:02 ');
    expect((await read(prefixed)).tables).toEqual(tables);
    expect((await read(recording.replaceAll('\n', ''))).tables).toEqual(tables);
    expect((await read(recording.replaceAll('\n', '\\n'))).tables).toEqual(tables);
    expect((await read(recording, { chunkBytes: 5 })).tables).toEqual(tables);
  });

  test('two tables stay two', async () => {
    const other = recording.replace('device ID 0', 'device ID 1');
    expect((await read(recording + other)).tables.map((t) => t.device)).toEqual([0, 1]);
  });
});

test('the form of old versions: MB that are MiB, without requested memory and oversize blocks', async () => {
  const { tables, problems } = await read(
    [
      'Traceback: out |===========================================================================|',
      '|                  PyTorch CUDA memory summary, device ID 2                 |',
      '|            CUDA OOMs: 1            |        cudaMalloc retries: 4         |',
      '| Allocated memory      |    1062 MB |    4877 MB |   89299 MB |   88237 MB |',
      '|       from large pool |    1048 MB |    4865 MB |   89263 MB |   88215 MB |',
      '| GPU reserved memory   |   12420 MB |   12420 MB |   16924 MB |       0 B  |',
    ].join('\n'),
  );
  expect(problems).toEqual({});
  expect(tables[0]).toMatchObject({ device: 2, oomCount: 1, retryCount: 4 });
  expect(tables[0].bytes.allocated?.largePool?.peak).toBe(4865 * MIB);
  expect(tables[0].bytes.reserved?.all.freed).toBe(0);
  expect(tables[0].bytes.requested).toBeUndefined();
});

describe('damaged text', () => {
  test('rows before a title are counted; figures beyond reason are null', async () => {
    const row = '| Active memory         | 9999999999999999 GB |    1 MB |   1 MB |   1 MB |\n';
    const title = '| PyTorch CUDA memory summary, device ID 0 |\n';
    const { tables, problems } = await read(row + title + row);
    expect(problems).toEqual({ 'malformed-event': 1 });
    expect(tables[0].bytes.active?.all).toEqual({ current: null, peak: MIB, allocated: MIB, freed: MIB });
  });

  test('a title alone is refused, and a thousand tables are bounded', async () => {
    await expect(read('PyTorch CUDA memory summary, device ID 0\n')).rejects.toThrow(
      'no row of a memory table',
    );
    const { tables, problems } = await read(recording.repeat(300));
    expect(tables).toHaveLength(256);
    expect(problems).toEqual({ 'record-limit-reached': 44 });
  });
});

test('no other format takes it', () => {
  const bytes = new TextEncoder().encode(recording);
  expect(ALL_FORMATS.filter((format) => format.sniff(bytes)).map(({ id }) => id)).toEqual(['memory-summary']);
});
