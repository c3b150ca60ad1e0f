import fc from 'fast-check';
import { globalId, NsysExport } from '../../../../test/builders/nsys-export';
import { TEST_LIMITS } from '../../../../test/builders/kineto-trace';
import { readText } from '../../../../test/builders/read-format';
import { type ReadLimits } from '../artifact-format';
import { describeUnknown } from '../sniff';
import { InputRefused } from '../../timeline/input-refused';
import { type ProblemLog, ProblemLog as Problems } from '../../timeline/problem';
import { type RankTimeline } from '../../timeline/rank-timeline';
import { memoryScratch } from '../memory-scratch';
import { readGpuMetrics } from './gpu-metrics';
import { NameLookup } from './name-lookup';
import { ProcessTable } from './process-events';
import { readNsys } from './read-nsys';
import { RowTally } from './row-tally';
import { Database } from './sqlite/database';
import { Pages } from './sqlite/pages';

const KERNEL = 'CUPTI_ACTIVITY_KIND_KERNEL';

async function read(
  bytes: Uint8Array,
  limits: Partial<ReadLimits> = {},
): Promise<{ timelines: RankTimeline[]; problems: ProblemLog }> {
  const problems = new Problems();
  const context = { path: 'report.sqlite', problems, limits: { ...TEST_LIMITS, ...limits } };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return { timelines: (await readNsys(chunks(), context)).timelines, problems };
}

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const error: unknown = await read(bytes).catch((reason: unknown) => reason);
  if (!(error instanceof InputRefused)) throw new Error(`not refused: ${String(error)}`);
  expect(error.message).not.toContain('\n');
  return error.message;
}

function oneKernel(): NsysExport {
  return new NsysExport().kernel('k', { start: 100, end: 200 });
}

test('a report that is not exported yet is refused with the command to run', () => {
  const head = new TextEncoder().encode(
    'NVIDIA Tegra Profiler Report 2026@2@1@210-262137639846v0.\n\u000bLocal',
  );
  expect(describeUnknown(head)).toMatch(/nsys export --type sqlite/);
});

test('other databases, and exports without work on a GPU, are refused with the reason', async () => {
  const other = new NsysExport()
    .sql('DROP TABLE META_DATA_EXPORT')
    .sql('CREATE TABLE customers (id INTEGER)');
  expect(await refusalOf(other.bytes())).toMatch(/not an export of Nsight Systems/);
  expect(await refusalOf(new NsysExport().range('step 1', 0, 9).bytes())).toMatch(
    /without work on a GPU.*nsys profile/,
  );
  expect(await refusalOf(new NsysExport('2.9.1').bytes())).toMatch(/without work on a GPU/);
});

test.each([
  ['a view', `CREATE VIEW ${KERNEL} AS SELECT 1 AS start, 2 AS end, 0 AS deviceId`, /is a view, not a table/],
  [
    'a computed column',
    `CREATE TABLE ${KERNEL} (start INTEGER, "end" INTEGER AS (start + 1), deviceId INTEGER)`,
    /"end" is computed/,
  ],
  [
    'a stored computed column',
    `CREATE TABLE ${KERNEL} (start INTEGER, e INT GENERATED ALWAYS AS (start) STORED)`,
    /"e" is computed/,
  ],
  [
    'no row ids',
    `CREATE TABLE ${KERNEL} (start INTEGER PRIMARY KEY, "end" INTEGER) WITHOUT ROWID`,
    /no row ids/,
  ],
  [
    'virtual',
    `INSERT INTO sqlite_schema VALUES ('table', '${KERNEL}', '${KERNEL}', 2, 'CREATE VIRTUAL TABLE ${KERNEL} USING csv(start)')`,
    /not an ordinary one/,
  ],
  [
    'nowhere',
    `INSERT INTO sqlite_schema VALUES ('table', '${KERNEL}', '${KERNEL}', 0, 'CREATE TABLE ${KERNEL} (start INTEGER)')`,
    /not a table/,
  ],
])('a table that is %s is refused', async (_, statement, reason) => {
  expect(await refusalOf(new NsysExport().sql('PRAGMA writable_schema = ON').sql(statement).bytes())).toMatch(
    reason,
  );
});

test('triggers and indexes change nothing', async () => {
  const file = oneKernel()
    .sql(`CREATE INDEX by_start ON ${KERNEL} (start)`)
    .sql(`CREATE TRIGGER t AFTER INSERT ON ${KERNEL} BEGIN DELETE FROM ${KERNEL}; END`);
  expect((await read(file.bytes())).timelines[0].device.count).toBe(1);
});

test('values of the wrong type, missing ones and impossible times are counted, and cost only their row', async () => {
  const file = oneKernel()
    .kernel('k', { start: 'soon', end: 5 })
    .kernel('k', { start: new Uint8Array(8), end: 5 })
    .kernel('k', { start: null, end: 5 })
    .kernel('k', { start: 110, end: 90 })
    .kernel('k', { start: 120, end: 120n + 236n * 365n * 86_400_000_000_000n })
    .kernel('k', { start: (1n << 63n) - 1n, end: (1n << 63n) - 1n })
    .kernel('k', { start: 130, end: 140, deviceId: 'gpu' })
    .kernel('k', { start: Infinity, end: 5 })
    .range('open', 100, null)
    .range('mark', 100, 100, { eventType: 34 })
    .kernel('k', {
      start: 150,
      end: 160,
      demangledName: 77_777,
      shortName: 88_888,
      streamId: 'x',
    });
  const { timelines, problems } = await read(file.bytes());
  expect([...timelines[0].device.startNs]).toEqual([100, 110, 150]);
  expect([...timelines[0].device.endNs]).toEqual([200, 110, 160]);
  const counts = Object.fromEntries(problems.list().map(({ kind, count }) => [kind, count]));
  expect(counts).toEqual({
    'malformed-event': 4,
    'missing-field': 1,
    'negative-duration': 1,
    'implausible-duration': 1,
    'implausible-time': 1,
    'open-range': 1,
    'unused-row': 1,
    'name-unknown': 1,
    'launch-missing': 3,
  });
});

test('clocks beyond 2^53 ns, and ids of machines beyond it, keep every nanosecond', async () => {
  const start = (1n << 60n) + 1n;
  const process = { globalPid: globalId(7, 0, 200) };
  const file = new NsysExport()
    .call('cudaLaunchKernel_v7000', {
      start,
      end: start + 3n,
      correlationId: 1,
      globalTid: globalId(7, 9, 200),
    })
    .kernel('k', { start: start + 4n, end: start + 11n, correlationId: 1, ...process });
  const { timelines } = await read(file.bytes());
  const { originNs, host, device, threads } = timelines[0];
  expect(
    [host.startNs, host.endNs, device.startNs, device.endNs].map(([ns]) => originNs + BigInt(ns)),
  ).toEqual([0n, 3n, 4n, 11n].map((ns) => start + ns));
  expect([device.launchIndex[0], threads[0]]).toEqual([0, { processId: '7', threadId: '9', name: '' }]);
});

test('rows that spill over several pages are read as far as they are needed', async () => {
  const name = `aten::mm, op_id = 1, sizes = [[${'2, '.repeat(9000)}2]]`;
  const file = oneKernel()
    .range(name, 100, 200, { jsonText: 'x'.repeat(200_000) })
    .range('x'.repeat(70_000), 100, 200)
    .range('after', 100, 300);
  const { timelines, problems } = await read(file.bytes());
  const { host, strings } = timelines[0];
  expect([...host.nameId].map((id) => strings.get(id))).toEqual(['after', 'aten::mm']);
  expect(strings.get(host.inputDimsId[1])).toHaveLength(27_005);
  expect(problems.count('oversized-event')).toBe(1);
});

test('no more events and names are kept than may be', async () => {
  const file = oneKernel();
  for (let i = 0; i < 40; i++) file.range(`${'n'.repeat(3000)}${i}`, 100 + i, 200);
  const { timelines, problems } = await read(file.bytes(), { maxEvents: 20, maxStringBytes: 30_000 });
  expect(timelines[0].device.count + timelines[0].host.count).toBe(20);
  expect(problems.count('event-limit-reached')).toBe(21);
  expect(problems.count('string-limit-reached')).toBeGreaterThan(5);
});

test('names without end are cut, and texts made to be hard to take apart are not', async () => {
  const file = oneKernel().range('n'.repeat(60_000), 100, 200);
  for (let i = 0; i < 20; i++) file.range(', sizes = ['.repeat(5000), 100 + i, 200);
  const { timelines, problems } = await read(file.bytes());
  const { host, strings } = timelines[0];
  expect(Math.max(...Array.from(host.nameId, (id) => strings.get(id).length))).toBe(8192);
  expect(problems.count('name-cut')).toBe(1);
});

test('a file that ends early is refused, and says how much of it is there', async () => {
  const bytes = oneKernel().bytes();
  expect(await refusalOf(bytes.subarray(0, bytes.length - 4096))).toMatch(
    /ends early: \d+ of \d+ pages.*nsys export/,
  );
  expect(await refusalOf(bytes.subarray(0, 50))).toMatch(/ends within its header/);
});

test('pages in use twice, and trees without an end, are refused', async () => {
  const bytes = oneKernel().bytes();
  const file = new NsysExport();
  for (let i = 0; i < 300; i++) file.kernel('k', { start: i, end: i + 1 });
  const large = file.bytes();
  const root =
    [...Array(large.length / 4096).keys()].find((page) => page > 0 && large[page * 4096] === 5) ?? 0;
  const cell = (large[root * 4096 + 12] << 8) | large[root * 4096 + 13];
  large[root * 4096 + cell + 3] = root + 1;
  expect(await refusalOf(large)).toMatch(/in use twice/);
  bytes.fill(0, 4096);
  expect(await refusalOf(bytes)).toMatch(/page \d+ is none of an ordinary table/);
});

test('rows that are named again, or that lie over each other, are refused', async () => {
  const kernels = (count: number) => {
    const file = new NsysExport();
    for (let i = 0; i < count; i++) file.kernel('k', { start: i, end: i + 1 });
    return file.bytes();
  };
  const leafOf = (bytes: Uint8Array, rows: number) =>
    [...Array(bytes.length / 4096).keys()].find(
      (page) => page > 0 && bytes[page * 4096] === 13 && bytes[page * 4096 + 4] === rows,
    ) ?? 0;
  const again = kernels(20);
  const leaf = leafOf(again, 20) * 4096;
  again.copyWithin(leaf + 10, leaf + 8, leaf + 10);
  expect(await refusalOf(again)).toMatch(/out of order/);
  const over = kernels(20);
  // Every row has the place and the length of the longest that the page can hold.
  for (let i = 0; i < 20; i++) over.set([8, 0], leaf + 8 + 2 * i);
  over.set([0x8f, 0x00, 1], leaf + 8 * 256);
  expect(await refusalOf(over)).toMatch(/over each other/);
});

test('bins of counters are bounded over all devices together, and what finds no place is counted', () => {
  const file = oneKernel();
  for (const typeId of [0, 1]) {
    file.row('TARGET_INFO_GPU_METRICS', { typeId, metricId: 0, metricName: 'SMs Active' });
    for (const ms of [0, 5, 10, 20])
      file.row('GPU_METRICS', { timestamp: ms * 1_000_000, typeId, metricId: 0, value: 50 });
  }
  const bytes = file.bytes();
  const scratch = memoryScratch();
  scratch.append(bytes);
  const database = new Database(new Pages(scratch, bytes.length));
  const tally = new RowTally(TEST_LIMITS.maxEvents);
  const names = new NameLookup(database, TEST_LIMITS.maxStringBytes);
  const reader = { database, names, processes: new ProcessTable(true), tally };
  const monitor = readGpuMetrics(reader, 0n, 4);
  expect(monitor?.devices.map(({ timeMs }) => [...timeMs])).toEqual([[0, 10, 20], [0]]);
  expect(tally.overLimit).toBe(2);
});

test('whatever bytes are changed, the file is read or refused', async () => {
  const whole = oneKernel().range('step 1', 100, 200).call('cudaFree', { start: 1, end: 2 }).bytes();
  const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const bytes = whole.slice();
      for (const [at, value] of changes) bytes[at] = value;
      const error: unknown = await read(bytes).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error !== null) expect(error).toBeInstanceOf(InputRefused);
    }),
    { seed: 6, numRuns: 1500 },
  );
});

test('an export in a run is recognised by its content alone', async () => {
  expect((await readText(oneKernel().bytes(), 'trace.json')).format).toBe('nsys-sqlite');
});
