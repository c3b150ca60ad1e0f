import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Database as Sqlite } from 'node-sqlite3-wasm';
import { analyzeRun } from '../../src/analysis';
import { memoryScratch } from '../../src/analysis/formats/memory-scratch';
import { Database } from '../../src/analysis/formats/nsys-sqlite/sqlite/database';
import { Pages } from '../../src/analysis/formats/nsys-sqlite/sqlite/pages';
import { type Row } from '../../src/analysis/formats/nsys-sqlite/sqlite/row';
import { InputRefused } from '../../src/analysis/timeline/input-refused';
import { CORPUS, withCorpus } from './corpus-folder';

const LIMITS = { maxEvents: 1e6, maxEventBytes: 1 << 22, maxStringBytes: 1 << 26 };
const folder = join(CORPUS, 'public/nsys-sqlite');
const BEFORE = 'nsysai-mfu-before/mfu_2gpu_before.sqlite';
const AFTER = 'nsysai-mfu-after/mfu_2gpu_after.sqlite';
const H100 = 'nsysai-h100-2gpu/h100_2gpu_1s.sqlite';
const HEALTHY = 'nsysai-healthy/healthy_1pct.sqlite';
const MPI = 'pipit-saxpy-mpi/saxpy-mpi-cuda_nsys_perlmutter0.sqlite';
const OTHER = 'pipit-test-tiny/test.sqlite';

function analyze(
  name: string,
  bytes: Uint8Array = readFileSync(join(folder, name)),
): ReturnType<typeof analyzeRun> {
  async function* open(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 100_003) yield bytes.subarray(at, at + 100_003);
  }
  return analyzeRun([{ path: basename(name), open }], { limits: LIMITS });
}

/** Of a longer row only the first bytes are read. */
const COMPARED_BYTES = 60_000;

/** Integers, and the bytes of texts, as they are stored; the rest as null. */
function valueOf(row: Row, slot: number): bigint | string | null {
  const text = row.text(slot);
  return text ? Buffer.from(text.subarray(0, COMPARED_BYTES)).toString('latin1') : row.bigint(slot);
}

/** The same as SQLite reads them, by a query for columns of this name. */
function storedValue(value: unknown): bigint | string | null {
  if (value instanceof Uint8Array) return Buffer.from(value.subarray(0, COMPARED_BYTES)).toString('latin1');
  return typeof value === 'number' ? BigInt(value) : (value as bigint | null);
}

function queryFor(table: string, columns: readonly string[]): string {
  const values = columns.map(
    (name) =>
      `CASE typeof("${name}") WHEN 'integer' THEN "${name}" WHEN 'text' THEN CAST("${name}" AS BLOB) END AS "${name}"`,
  );
  return `SELECT ${values.join(', ')} FROM "${table}" ORDER BY rowid`;
}

withCorpus(() => {
  test.each([H100, MPI, HEALTHY, OTHER])(
    '%s: every value of every table is what SQLite itself reads',
    (name) => {
      const bytes = readFileSync(join(folder, name));
      const scratch = memoryScratch();
      scratch.append(bytes);
      const database = new Database(new Pages(scratch, bytes.length));
      // SQLite wants to lock the file that it reads.
      const copies = mkdtempSync(join(tmpdir(), 'nsys-corpus-'));
      copyFileSync(join(folder, name), join(copies, 'copy.sqlite'));
      const sqlite = new Sqlite(join(copies, 'copy.sqlite'));
      const tables = sqlite.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
      for (const table of tables.map((entry) => entry.name as string)) {
        const columns = sqlite.all(`PRAGMA table_info("${table}")`).map((column) => column.name as string);
        const read: (bigint | string | null)[][] = [];
        const tooLong = database.scan(table, columns, (row) => {
          read.push(columns.map((_, slot) => valueOf(row, slot)));
          return true;
        });
        const expected = sqlite.all(queryFor(table, columns));
        expect(database.columnsOf(table).names).toEqual(columns);
        expect(tooLong).toBe(0);
        expect(read).toEqual(expected.map((row) => columns.map((column) => storedValue(row[column]))));
      }
      sqlite.close();
      rmSync(copies, { recursive: true });
    },
  );

  test.each([
    [BEFORE, 2, null],
    [AFTER, 2, null],
    [H100, 2, null],
    [HEALTHY, 1, 'NVIDIA H100 80GB HBM3'],
    [MPI, 1, 'NVIDIA A100-SXM4-40GB'],
  ])('%s: a report whose steps sum to their wall time', async (name, ranks, device) => {
    const report = await analyze(name);
    expect(report.artifacts[0].format).toBe('nsys-sqlite');
    expect(report.ranks.map((rank) => rank.device)).toEqual(Array(ranks).fill(device));
    const steps = report.ranks.flatMap((rank) => rank.steps);
    expect(steps.length).toBeGreaterThan(3);
    for (const step of steps) {
      const idle = Object.values(step.idle).reduce((a, b) => a + b, 0);
      expect(idle).toBe(step.idleNs);
      expect(step.computeNs + step.exposedCommunicationNs + step.exposedMemcpyNs + step.idleNs).toBe(
        step.wallNs,
      );
    }
    const dataLoss = report.problems.filter(
      ({ severity }) => severity === 'data-loss' || severity === 'fatal',
    );
    expect(dataLoss).toEqual([]);
  });

  test('kernel time is the sum that SQL gives', async () => {
    const { topKernels } = await analyze(HEALTHY);
    const gemm = topKernels.find(({ name }) => name.includes('gemm_nn_128x128'));
    // SQL finds 200 of 1 ms each: one in the first step, which does not count, and one after the last.
    expect(gemm).toMatchObject({ count: 198, totalNs: 198_000_000 });
  });

  test('an old export has its MPI rank, and calls that are in it twice count once', async () => {
    const report = await analyze(MPI);
    expect(report.ranks.map(({ rank }) => rank)).toEqual([0]);
    expect(report.problems.find(({ kind }) => kind === 'duplicate-event')?.count).toBe(38);
  });

  test('another database is refused', async () => {
    await expect(analyze(OTHER)).rejects.toThrow(/not an export of Nsight Systems/);
  });

  test.each([HEALTHY, MPI])('%s: whatever is changed, it is read or refused', async (name) => {
    const whole = readFileSync(join(folder, name));
    let seed = 12_345;
    const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    for (let run = 0; run < 60; run++) {
      const bytes = whole.subarray(0, run % 4 === 0 ? random(whole.length) : whole.length).slice();
      for (let i = 0; i < 20 && bytes.length > 0; i++) bytes[random(bytes.length)] = random(256);
      const error: unknown = await analyze(name, bytes).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error !== null) expect(error).toBeInstanceOf(InputRefused);
    }
  });
});
