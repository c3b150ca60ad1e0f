import { type Database } from './sqlite/database';

/** Tables of an export that are read. Nsight Systems creates a table only when it has rows (before schema 3: all). */
export const Table = {
  kernel: 'CUPTI_ACTIVITY_KIND_KERNEL',
  memcpy: 'CUPTI_ACTIVITY_KIND_MEMCPY',
  memset: 'CUPTI_ACTIVITY_KIND_MEMSET',
  graph: 'CUPTI_ACTIVITY_KIND_GRAPH_TRACE',
  runtime: 'CUPTI_ACTIVITY_KIND_RUNTIME',
  cuptiOverhead: 'CUPTI_ACTIVITY_KIND_OVERHEAD',
  profilerOverhead: 'PROFILER_OVERHEAD',
  nvtx: 'NVTX_EVENTS',
  strings: 'StringIds',
  gpuMetrics: 'GPU_METRICS',
  gpuMetricNames: 'TARGET_INFO_GPU_METRICS',
  threadNames: 'ThreadNames',
  gpus: 'TARGET_INFO_GPU',
  environment: 'TARGET_INFO_SYSTEM_ENV',
  sessionStart: 'TARGET_INFO_SESSION_START_TIME',
} as const;

/** Tables that every export of Nsight Systems has one of; the first was the name of the second before schema 3.13. */
const SIGNATURE = [
  'EXPORT_META_DATA',
  'META_DATA_EXPORT',
  'ENUM_NSYS_EVENT_TYPE',
  'TARGET_INFO_SESSION_START_TIME',
];

/** True when the database was made by Nsight Systems, as far as its tables tell. */
export function isNsysExport(database: Database): boolean {
  return [...SIGNATURE, Table.kernel, Table.nvtx].some((table) => database.has(table));
}

/** The slot of each column in a list of wanted ones. */
export function slotsOf<const T extends readonly string[]>(columns: T): Record<T[number], number> {
  return Object.fromEntries(columns.map((name, slot) => [name, slot])) as Record<T[number], number>;
}
