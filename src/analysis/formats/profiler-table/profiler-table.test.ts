import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takersOf } from '../../../../test/builders/read-format';
import { readRecord, type ReadRecordOptions } from '../../../../test/builders/read-record';
import { InputRefused } from '../../timeline/input-refused';
import { profilerTableFormat } from '.';

const recording = (name: string) =>
  readFileSync(join(__dirname, '../../../../test/recordings/profiler-table', name), 'utf8');

async function read(text: string | Uint8Array, options?: ReadRecordOptions) {
  const { content, problems } = await readRecord(profilerTableFormat, text, options);
  if (content.kind !== 'operator-totals') throw new Error(content.kind);
  return { ...content.totals, problems };
}

describe('recordings', () => {
  test('of host and device, with flop', async () => {
    const { rank, tables, problems } = await read(recording('cuda.txt'), { path: 'run/ops.rank3.txt' });
    expect(problems).toEqual({});
    expect(rank).toBe(3);
    expect(tables).toMatchObject([
      { device: 'CUDA', selfCpuTotalNs: 34_463_000, selfDeviceTotalNs: 8_303_000 },
    ]);
    const { rows } = tables[0];
    expect(rows).toHaveLength(30);
    expect(rows[1]).toEqual({
      name: 'aten::mm',
      inputShapes: null,
      calls: 32,
      selfCpuNs: 1_334_000,
      cpuTotalNs: 1_726_000,
      selfDeviceNs: 2_196_000,
      deviceTotalNs: 2_196_000,
      flop: 1_649_267.442e6,
    });
    expect(rows[3]).toMatchObject({ cpuTotalNs: 0, calls: 16, flop: NaN });
  });

  test('by shape, with memory and with a title', async () => {
    const [shapes, memory, top] = await Promise.all(
      ['shapes.txt', 'memory.txt', 'top.txt'].map(async (name) => (await read(recording(name))).tables[0]),
    );
    const addmm = shapes.rows.find((row) => row.name === 'aten::addmm');
    expect(addmm).toMatchObject({ inputShapes: '[[4096], [8192, 1024], [1024, 4096], [], []]', calls: 4 });
    expect(memory.rows[0]).toMatchObject({ name: 'aten::mm', selfDeviceNs: 1_640_000, calls: 24 });
    expect(memory.selfDeviceTotalNs).toBe(6_207_000);
    expect(top.rows[0]).toMatchObject({ name: 'aten::add', calls: 6 });
  });

  test('of the host alone', async () => {
    const { tables } = await read(recording('cpu.txt'));
    expect(tables).toMatchObject([{ device: null, selfCpuTotalNs: 129_661_000, selfDeviceTotalNs: NaN }]);
    expect(tables[0].rows[0]).toMatchObject({
      name: 'aten::addmm',
      selfCpuNs: 48_598_000,
      selfDeviceNs: NaN,
      calls: 12,
    });
    expect(tables[0].rows).toHaveLength(20);
  });

  test('read the same behind a prefix, within other output, twice, and in pieces of 5 bytes', async () => {
    const text = recording('cuda.txt');
    const [table] = (await read(text)).tables;
    expect((await read(text.replace(/^/gm, '[rank0]: '))).tables).toEqual([table]);
    expect((await read(`step 1 loss 2.0\n${text}\nstep 2 loss 1.9 | 3 ms\n${text}`)).tables).toEqual([
      table,
      table,
    ]);
    expect((await read(text, { chunkBytes: 5 })).tables).toEqual([table]);
  });
});

/** A table as versions of the profiler lay it out: columns as wide as given, two blanks between them. */
function table(titles: string[], rows: string[][], left = false): string {
  const rule = titles.map((_, i) => '-'.repeat(i === 0 ? 30 : 15)).join('  ');
  const line = (cells: string[]) =>
    cells.map((c, i) => (left ? c.padEnd(i === 0 ? 30 : 15) : c.padStart(i === 0 ? 30 : 15))).join('  ');
  return [rule, line(titles), rule, ...rows.map(line), rule].join('\n');
}

describe('older and other tables', () => {
  test('of 2019: aligned to the left, without the own time of the device', async () => {
    const text = table(
      [
        'Name',
        'Self CPU total %',
        'Self CPU total',
        'CPU total %',
        'CPU total',
        'CPU time avg',
        'CUDA total %',
        'CUDA total',
        'CUDA time avg',
        'Number of Calls',
      ],
      [
        [
          'addmm',
          '50.00%',
          '1.500ms',
          '60.00%',
          '2.000ms',
          '500.000us',
          '70.00%',
          '3.000ms',
          '750.000us',
          '4',
        ],
      ],
      true,
    );
    const { tables } = await read(`${text}\nSelf CPU time total: 3.000ms\nCUDA time total: 4.000ms`);
    expect(tables[0]).toMatchObject({ device: 'CUDA', selfCpuTotalNs: 3_000_000 });
    expect(tables[0].rows[0]).toMatchObject({
      selfCpuNs: 1_500_000,
      cpuTotalNs: 2_000_000,
      selfDeviceNs: NaN,
      deviceTotalNs: 3_000_000,
      calls: 4,
    });
  });

  test.each(['XPU', 'PrivateUse1', 'MTIA', 'HPU'])('of %s', async (device) => {
    const text = table(
      [
        'Name',
        'Self CPU %',
        'Self CPU',
        'CPU total %',
        'CPU total',
        `Self ${device}`,
        `Self ${device} %`,
        `${device} total`,
        '# of Calls',
      ],
      [['aten::mm', 'NaN%', '1.000s', 'NaN%', '2.000s', '30.000us', '1.00%', '40ns', '7']],
    );
    const { tables } = await read(`${text}\nSelf CPU time total: 3.000s\nSelf ${device} time total: 1.5s`);
    expect(tables[0]).toMatchObject({ device, selfDeviceTotalNs: 1.5e9 });
    expect(tables[0].rows[0]).toMatchObject({
      selfCpuNs: 1e9,
      selfDeviceNs: 30_000,
      deviceTotalNs: 40,
      calls: 7,
    });
  });

  test('rows that hold no times are counted, lines of stacks are not', async () => {
    const good = ['aten::mm', '1%', '1.000us', '1%', '1.000us', '1'];
    const text = table(
      ['Name', 'Self CPU %', 'Self CPU', 'CPU total %', 'CPU total', '# of Calls'],
      [
        good,
        ['', '', '', '', 'train.py(3)', ''],
        ['aten::add', '1%', 'soon', '1%', '1.000us', '1'],
        ['torn'],
      ],
    );
    const { tables, problems } = await read(text);
    expect(tables[0].rows).toHaveLength(1);
    expect(problems).toEqual({ 'malformed-event': 2 });
  });
});

test.each(['cuda.txt', 'shapes.txt', 'memory.txt', 'cpu.txt', 'top.txt'])(
  '%s is taken by one format',
  (name) => {
    expect(takersOf(recording(name))).toEqual(['profiler-table']);
  },
);

test('a header alone is refused; rows and tables are bounded', async () => {
  const [rule, header] = recording('cpu.txt').split('\n');
  await expect(read(`${rule}\n${header}\n${rule}`)).rejects.toThrow('holds no row of a table');
  const { tables, problems } = await read(recording('cpu.txt').repeat(70));
  expect(tables).toHaveLength(64);
  expect(problems).toEqual({ 'record-limit-reached': 6 });
});

test('a damaged table gives times in their bounds, or one refusal', async () => {
  const bytes = Buffer.from(recording('cuda.txt'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) }), {
        minLength: 1,
        maxLength: 40,
      }),
      async (hits) => {
        const damaged = Buffer.from(bytes);
        for (const { at, byte } of hits) damaged[at] = byte;
        try {
          for (const { selfCpuNs, selfDeviceNs, calls } of (await read(damaged)).tables.flatMap(
            (t) => t.rows,
          )) {
            expect(selfCpuNs).toBeGreaterThanOrEqual(0);
            expect(calls).toBeGreaterThanOrEqual(0);
            expect(Number.isNaN(selfDeviceNs) || (selfDeviceNs >= 0 && selfDeviceNs < 1e15)).toBe(true);
          }
        } catch (error) {
          if (!(error instanceof InputRefused)) throw error;
          expect(error.message).not.toContain('\n');
        }
      },
    ),
    { numRuns: 200, seed: 6 },
  );
});
