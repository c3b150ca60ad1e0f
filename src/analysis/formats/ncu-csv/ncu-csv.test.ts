import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takersOf } from '../../../../test/builders/read-format';
import { readRecord, type ReadRecordOptions } from '../../../../test/builders/read-record';
import { InputRefused } from '../../timeline/input-refused';
import { ncuCsvFormat } from '.';
import { splitCsvLine } from './csv-line';

const recording = (name: string) =>
  readFileSync(join(__dirname, '../../../../test/recordings/nsight-compute', name), 'utf8');

async function read(text: string | Uint8Array, options?: ReadRecordOptions) {
  const { content, problems } = await readRecord(ncuCsvFormat, text, options);
  if (content.kind !== 'kernel-measurements') throw new Error(content.kind);
  return { ...content.measurements, problems };
}

describe('three exports of the same twelve kernels', () => {
  const forms = () =>
    Promise.all(['raw.csv', 'details.csv', 'metrics.csv'].map((name) => read(recording(name))));
  /** Two recordings of one kernel never take exactly as long. */
  const near = (actual: number, expected: number, tolerance: number) =>
    expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * expected);

  test('agree in every figure that two of them have', async () => {
    const [raw, details, metrics] = await forms();
    expect([raw, details, metrics].map((m) => m.problems)).toEqual([{}, {}, {}]);
    expect([raw, details, metrics].map((m) => m.form)).toEqual(['wide', 'narrow', 'narrow']);
    for (const form of [raw, details, metrics]) expect(form.launches).toHaveLength(12);
    raw.launches.forEach((launch, i) => {
      const [shown, counted] = [details.launches[i], metrics.launches[i]];
      for (const other of [shown, counted]) {
        expect(other).toMatchObject({
          name: launch.name,
          gridSize: launch.gridSize,
          blockSize: launch.blockSize,
        });
        near(other.computeRatio, launch.computeRatio, 0.12);
      }
      // `details` shows three digits of the same recording, `metrics` is another one.
      near(shown.durationNs, launch.durationNs, 0.01);
      expect(Math.abs(shown.memoryRatio - launch.memoryRatio)).toBeLessThan(0.0001);
      near(counted.durationNs, launch.durationNs, 0.12);
      near(counted.memoryBytes, launch.memoryBytes, 0.06);
      // Half precision is counted in `raw` only.
      expect(counted.vectorFlop).toBeLessThanOrEqual(launch.vectorFlop + 1);
      near(counted.vectorFlop, launch.vectorFlop, 0.15);
    });
  });

  test('say what the files say', async () => {
    const [raw, details, metrics] = await forms();
    expect(raw.gpuName).toBe('NVIDIA H200');
    expect(raw.launches[0]).toMatchObject({
      durationNs: 97_728,
      matrix: [{ operands: 'bf16', sparse: false, flop: 2 * 4096 * 2048 * 4096 }],
      vectorFlop: 0,
    });
    expect(raw.launches[0].memoryBytes).toBeCloseTo(0.870871e12 * 97_728e-9, -3);
    expect(metrics.launches[0].memoryBytes).toBe(37_414_912 + 47_792_384);
    expect(metrics.launches[6].vectorFlop).toBe(2 * 68_736_253_952);
    expect(metrics.launches[0].matrix).toBeNull();
    expect(metrics.launches[0].occupancyRatio).toBeCloseTo(0.1473, 6);
    expect(details.launches[6]).toMatchObject({ durationNs: 2_680_000, memoryBytes: NaN, vectorFlop: NaN });
  });

  test('read the same in pieces of 7 bytes', async () => {
    const text = recording('metrics.csv');
    expect((await read(text, { chunkBytes: 7 })).launches).toEqual((await read(text)).launches);
  });
});

const COLUMNS = '"ID","Process ID","Kernel Name","Block Size","Grid Size"';
const narrow = (
  rows: string[],
  columns = `${COLUMNS},"Section Name","Metric Name","Metric Unit","Metric Value"`,
) => [columns, ...rows].join('\n');
const cell = (name: string, unit: string, value: string, id = 0) =>
  `"${id}","7","gemm, ""n""","(1, 1, 1)","(2, 3, 4)","S","${name}","${unit}","${value}"`;

describe('numbers', () => {
  test.each([
    ['the point', ['1,234,567.5', '98,048', '0.25'], 98_048],
    ['the comma', ['1.234.567,5', '98.048', '0,25'], 98_048],
    ['neither, so the point', ['98.048'], 98.048],
    ['the comma, and blanks between groups', ['1 234 567,5', '98\u202f048'], 98_048],
    ['the comma, by shares alone', ['65,77', '98.048'], 98_048],
  ])('with %s for decimals', async (_, values, durationNs) => {
    const rows = values.map((value) =>
      value.startsWith('98') ? cell('gpu__time_duration.sum', 'ns', value) : cell('Other', '%', value),
    );
    expect((await read(narrow(rows))).launches[0].durationNs).toBeCloseTo(durationNs, 6);
  });

  test.each([
    ['Duration', 'usecond', '1.5', { durationNs: 1_500 }],
    ['Duration', 'msecond', '1.5', { durationNs: 1_500_000 }],
    ['dram__bytes.sum', 'Mbyte', '3.5', { memoryBytes: 3_500_000 }],
    ['DRAM Throughput', '%', '62.5', { memoryRatio: 0.625 }],
  ])('of %s in %s', async (name, unit, value, expected) => {
    expect((await read(narrow([cell(name, unit, value)]))).launches[0]).toMatchObject(expected);
  });

  test('a share is no rate, and bytes in all follow from a rate', async () => {
    const share = await read(narrow([cell('Duration', 'us', '10'), cell('Memory Throughput', '%', '50')]));
    expect(share.launches[0].memoryBytes).toBeNaN();
    const rate = await read(
      narrow([cell('Duration', 'us', '10'), cell('Memory Throughput', 'Gbyte/second', '50')]),
    );
    expect(rate.launches[0].memoryBytes).toBeCloseTo(500_000, 3);
  });

  test.each(['n/a', '', '-', 'all'])('%p is absent', async (value) => {
    const { launches, problems } = await read(
      narrow([cell('Duration', 'ns', value), cell('DRAM Throughput', '%', '5.25')]),
    );
    expect(launches[0].durationNs).toBeNaN();
    expect(problems).toEqual({});
  });

  test.each(['-5', '1e9', '0x10', '1,2.3,4', '99999999999999999999999', 'Infinity'])(
    '%p is counted',
    async (value) => {
      const { launches, problems } = await read(
        narrow([cell('Duration', 'ns', value), cell('DRAM Throughput', '%', '5.25')]),
      );
      expect(launches[0].durationNs).toBeNaN();
      expect(problems).toEqual({ 'malformed-event': 1 });
    },
  );
});

describe('forms of tables', () => {
  test('rules, program output and torn rows between the rows', async () => {
    const rule = `"0","7","gemm, ""n""","(1, 1, 1)","(2, 3, 4)","S","","","","Rule","INF","Text, with
a second line","",""`;
    const text = narrow([rule, 'step 3 loss 0.1', cell('Duration', 'ns', '5'), '"0","7","gem']);
    const { launches, problems } = await read(`==PROF== Connected\nhello, "world"\n${text}`);
    expect(launches).toMatchObject([{ name: 'gemm, "n"', durationNs: 5, gridSize: '(2, 3, 4)', count: 1 }]);
    expect(problems).toEqual({ 'malformed-event': 1 });
  });

  test('units in the header instead of a row, and a summary with averages', async () => {
    const wide = `${COLUMNS},"gpu__time_duration.sum [us]","dram__bytes_read.sum [Kbyte]","dram__bytes_write.sum [byte]"
"0","7","k","(1, 1, 1)","(1, 1, 1)","2.50","3.25","50"`;
    expect((await read(wide)).launches[0]).toMatchObject({ durationNs: 2_500, memoryBytes: 3_300 });
    const summary = narrow(
      ['"7","k","(1, 1, 1)","(1, 1, 1)","12","S","Duration","us","1.25","9.75","2.50"'],
      '"Process ID","Kernel Name","Block Size","Grid Size","Invocations","Section Name","Metric Name","Metric Unit","Minimum","Maximum","Average"',
    );
    expect((await read(summary)).launches).toMatchObject([{ name: 'k', durationNs: 2_500, count: 12 }]);
  });

  test('two recordings in one file stay apart', async () => {
    const one = narrow([cell('Duration', 'ns', '5')]);
    const { launches } = await read(`${one}\n${one.replace('"5"', '"6"')}`);
    expect(launches.map((l) => l.durationNs)).toEqual([5, 6]);
  });

  test('names of metrics that are names of JavaScript do nothing', async () => {
    const rows = ['constructor', '__proto__', 'toString'].map((name) => cell(name, 'toString', '1'));
    await expect(read(narrow(rows))).rejects.toThrow('figures can be used');
  });
});

describe('recognition', () => {
  test.each(['raw.csv', 'details.csv', 'metrics.csv', 'training.raw.csv'])(
    '%s is taken by one format',
    (name) => {
      expect(takersOf(recording(name))).toEqual(['ncu-csv']);
    },
  );

  test('what a program printed first does not hide the table', async () => {
    const text = `==PROF== Connected to process 5\n${'x'.repeat(70_000)}\n${recording('metrics.csv')}`;
    expect(takersOf(text)).toEqual(['ncu-csv']);
    const { content } = await readRecord(ncuCsvFormat, text);
    expect(content).toMatchObject({ measurements: { launches: { length: 12 } } });
  });

  test('the report for people is refused with the command that exports the table', async () => {
    const text = `==PROF== Profiling "square_kernel" - 0: 0%....50%....100% - 9 passes
  square_kernel (1823, 1, 1)x(128, 1, 1), Context 1, Stream 7, Device 0, CC 8.9
    Section: GPU Speed Of Light Throughput
    ----------------------- ------------- ------------
    Metric Name               Metric Unit Metric Value
    ----------------------- ------------- ------------
    Duration                      usecond         5.92`;
    for (const report of [text, text.slice(text.indexOf('\n') + 1)]) {
      expect(takersOf(report)).toEqual(['ncu-csv']);
      await expect(readRecord(ncuCsvFormat, report)).rejects.toMatchObject({
        code: 'unreadable',
        message: expect.stringMatching(
          /^[^\n]*ncu --import FILE.ncu-rep --csv --page raw > kernels.csv[^\n]*$/,
        ),
      });
    }
  });
});

describe('hostile tables', () => {
  test('launches are bounded, and what is beyond is counted', async () => {
    const rows = Array.from({ length: 20_010 }, (_, i) => cell('Duration', 'ns', '5', i));
    const { launches, problems } = await read(narrow(rows));
    expect(launches).toHaveLength(20_000);
    expect(problems).toEqual({ 'record-limit-reached': 10 });
  });

  test('a damaged file gives figures in their bounds, or one refusal', async () => {
    const bytes = Buffer.from(recording('metrics.csv').slice(0, 12_000));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) }), {
          minLength: 1,
          maxLength: 20,
        }),
        async (hits) => {
          const damaged = Buffer.from(bytes);
          for (const { at, byte } of hits) damaged[at] = byte;
          try {
            for (const launch of (await read(damaged)).launches) {
              const { durationNs, memoryBytes, vectorFlop, memoryRatio } = launch;
              for (const value of [durationNs, memoryBytes, vectorFlop, memoryRatio])
                expect(Number.isNaN(value) || (value >= 0 && Number.isFinite(value))).toBe(true);
            }
          } catch (error) {
            if (!(error instanceof InputRefused)) throw error;
            expect(error.message).not.toContain('\n');
          }
        },
      ),
      { numRuns: 100, seed: 6 },
    );
  });

  test('cells of CSV come back from their line', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string().filter((s) => !/[\r\n]/.test(s)),
          { minLength: 1 },
        ),
        (cells) => {
          const line = cells.map((c) => `"${c.replaceAll('"', '""')}"`).join(',');
          expect(splitCsvLine(line)).toEqual(cells);
        },
      ),
      { seed: 6 },
    );
  });
});
