import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from 'node-sqlite3-wasm';

/** Schemas of Nsight Systems 2022.2, 2023.2, 2024.5, 2025.3, 2026.1 and 2026.2. */
export const NSYS_SCHEMAS = ['2.9.1', '3.1.7', '3.13.2', '3.20.2', '3.24.14', '3.25.0'] as const;
export type NsysSchema = (typeof NSYS_SCHEMAS)[number];

const SINCE: Partial<Record<string, NsysSchema>> = {
  greenContextId: '3.13.2',
  copyCount: '3.20.2',
  binaryData: '3.20.2',
  graphId: '3.24.14',
  clusterX: '3.24.14',
  tensorSizeMinusOneElements: '3.25.0',
};
const WORK = 'start end deviceId contextId greenContextId streamId correlationId globalPid';
/** Columns by table, in the order of the real ones; those that a schema lacks are left out. */
const TABLES: Record<string, string> = {
  CUPTI_ACTIVITY_KIND_KERNEL: `${WORK} demangledName shortName mangledName launchType gridX gridY gridZ blockX blockY blockZ graphNodeId graphId clusterX tensorSizeMinusOneElements`,
  CUPTI_ACTIVITY_KIND_MEMCPY: `${WORK} bytes copyKind deprecatedSrcId srcKind dstKind graphNodeId copyCount`,
  CUPTI_ACTIVITY_KIND_MEMSET: `${WORK} value bytes graphNodeId memKind`,
  CUPTI_ACTIVITY_KIND_GRAPH_TRACE: `start end deviceId contextId greenContextId streamId correlationId globalPid graphId graphExecId`,
  CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: `${WORK} deprecatedSyncType syncType eventId`,
  CUPTI_ACTIVITY_KIND_RUNTIME: 'start end eventClass globalTid correlationId nameId returnValue callchainId',
  PROFILER_OVERHEAD: 'start end globalTid nameId returnValue',
  NVTX_EVENTS:
    'start end eventType rangeId category color text globalTid endGlobalTid textId domainId jsonText binaryData',
  GPU_METRICS: 'timestamp typeId metricId value',
  TARGET_INFO_GPU_METRICS: 'typeId sourceId typeName metricId metricName',
  ThreadNames: 'nameId priority globalTid',
  TARGET_INFO_GPU: 'vmId id name totalMemory smCount threadsPerWarp maxWarpsPerSm computeMajor computeMinor',
  TARGET_INFO_SYSTEM_ENV: 'globalVid devStateName name nameEnum value',
  TARGET_INFO_SESSION_START_TIME: 'utcEpochNs utcTime localTime systemClockNs',
};

export type NsysValue = number | bigint | string | Uint8Array | null;
export type NsysRow = Record<string, NsysValue>;

/** The `globalPid` of a process, and the `globalTid` of its thread, as Nsight Systems makes them. */
export function globalId(processId: number, threadId = 0, machine = 0): bigint {
  return (BigInt(machine) << 56n) | (1n << 48n) | (BigInt(processId) << 24n) | BigInt(threadId);
}

/** Writes exports of Nsight Systems with SQLite itself: tables as their schema has them, created when they get a row. */
export class NsysExport {
  private readonly folder = mkdtempSync(join(tmpdir(), 'nsys-export-'));
  private readonly file = join(this.folder, 'export.sqlite');
  private readonly database = new Database(this.file);
  private readonly strings = new Map<string, number>();
  private readonly created = new Set<string>();

  constructor(
    private readonly schema: NsysSchema = '3.25.0',
    pageBytes = 4096,
  ) {
    this.sql(`PRAGMA page_size = ${pageBytes}`).sql('BEGIN');
    const metadata = ['2.9.1', '3.1.7'].includes(schema) ? 'EXPORT_META_DATA' : 'META_DATA_EXPORT';
    this.sql(`CREATE TABLE ${metadata} (name TEXT NOT NULL, value TEXT)`);
    this.sql(
      'CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, -- ID reference value.\n value TEXT NOT NULL)',
    );
    if (schema === '2.9.1') for (const table of Object.keys(TABLES)) this.create(table);
  }

  /** Runs any statement: what a tampered file may hold. */
  sql(statement: string, values: NsysValue[] = []): this {
    this.database.run(statement, values);
    return this;
  }

  /** Id of a name in `StringIds`. */
  string(value: string): number {
    let id = this.strings.get(value);
    if (id === undefined) {
      this.strings.set(value, (id = this.strings.size + 1));
      this.sql('INSERT INTO StringIds VALUES (?, ?)', [id, value]);
    }
    return id;
  }

  /** Adds a row; columns that the schema lacks are left out, others that are not given are NULL. */
  row(table: string, row: NsysRow): this {
    this.create(table);
    const names = Object.keys(row).filter((name) => this.has(name));
    const marks = names.map(() => '?').join(', ');
    const columns = names.map((name) => `"${name}"`).join(', ');
    return this.sql(
      `INSERT INTO ${table} (${columns}) VALUES (${marks})`,
      names.map((name) => row[name]),
    );
  }

  kernel(name: string, row: NsysRow): this {
    const names = { demangledName: this.string(`void ${name}<float>(int)`), shortName: this.string(name) };
    const grid = { gridX: 4, gridY: 2, gridZ: 1, blockX: 64, blockY: 2, blockZ: 1 };
    return this.row('CUPTI_ACTIVITY_KIND_KERNEL', { ...GPU_0, ...names, ...grid, ...row });
  }

  copy(row: NsysRow): this {
    return this.row('CUPTI_ACTIVITY_KIND_MEMCPY', {
      ...GPU_0,
      bytes: 4096,
      copyKind: 1,
      srcKind: 0,
      dstKind: 2,
      ...row,
    });
  }

  call(name: string, row: NsysRow): this {
    return this.row('CUPTI_ACTIVITY_KIND_RUNTIME', {
      ...THREAD_0,
      eventClass: 0,
      nameId: this.string(name),
      ...row,
    });
  }

  range(text: string, start: number, end: number | null, row: NsysRow = {}): this {
    return this.row('NVTX_EVENTS', { ...THREAD_0, eventType: 59, text, start, end, ...row });
  }

  /** The finished file. */
  bytes(): Uint8Array {
    this.sql('COMMIT');
    this.database.close();
    const bytes = readFileSync(this.file);
    rmSync(this.folder, { recursive: true });
    return bytes;
  }

  private create(table: string): void {
    if (this.created.has(table)) return;
    this.created.add(table);
    const columns = TABLES[table].split(' ').filter((name) => this.has(name));
    const definitions = columns.map(
      (name) =>
        `    ${name.padEnd(28)}${TEXTS.has(name) || TEXTS.has(`${table}.${name}`) ? 'TEXT' : 'INTEGER'},`,
    );
    const last = definitions.length - 1;
    definitions[last] = definitions[last].replace(/,$/, ' -- The last one, (and "odd") text.');
    this.sql(`CREATE TABLE ${table} (\n    -- What it is.\n${definitions.join('\n')}\n)`);
  }

  private has(column: string): boolean {
    const since = SINCE[column];
    return since === undefined || NSYS_SCHEMAS.indexOf(this.schema) >= NSYS_SCHEMAS.indexOf(since);
  }
}

const TEXTS = new Set([
  'text',
  'metricName',
  'typeName',
  'name',
  'TARGET_INFO_SYSTEM_ENV.value',
  'utcTime',
  'localTime',
  'jsonText',
  'devStateName',
]);
const GPU_0: NsysRow = { deviceId: 0, contextId: 1, streamId: 7, globalPid: globalId(100) };
const THREAD_0: NsysRow = { globalTid: globalId(100, 100) };
