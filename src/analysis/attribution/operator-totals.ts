import { z } from 'zod';
import {
  type OperatorRow,
  type OperatorTable,
  type OperatorTotals,
} from '../formats/profiler-table/operator-totals';

const ns = z.number().nonnegative();

export const operatorTotalSchema = z.object({
  name: z.string(),
  /** `range`: a step or a range of the program, on the device from its first kernel to its last; it holds others. */
  kind: z.enum(['operator', 'kernel', 'range']),
  inputShapes: z.string().nullable(),
  calls: z.number().nonnegative(),
  selfCpuNs: ns,
  /** Null in tables of the host alone, and of versions that print no time of their own. */
  selfDeviceNs: ns.nullable(),
  deviceTotalNs: ns.nullable(),
  flop: z.number().nonnegative().nullable(),
});

/**
 * Totals that a profiler printed instead of a timeline: they tell what takes the time, and neither idle time, overlap nor
 * steps. Kernels are the operators' own time again, so the two never add up.
 */
export const operatorTotalsSchema = z.object({
  source: z.literal('measured'),
  tables: z.array(
    z.object({
      rank: z.number().int().nullable(),
      device: z.string().nullable(),
      /** Of the whole recording; null when the text ends before it. */
      selfCpuTotalNs: ns.nullable(),
      selfDeviceTotalNs: ns.nullable(),
      /** By the device's time, or the host's where that is all; longest first, without those that took none. */
      rows: z.array(operatorTotalSchema),
      rowsLeftOut: z.number().int().nonnegative(),
    }),
  ),
});
export type OperatorTotalsReport = z.infer<typeof operatorTotalsSchema>;

/** Bounds of a report's lists. */
const MAX_TABLES = 8;
const MAX_ROWS = 40;

/** What the tables of a run say, longest rows first. Null when there are none. */
export function reportOperatorTotals(totals: readonly OperatorTotals[]): OperatorTotalsReport | null {
  if (totals.length === 0) return null;
  const tables = totals.flatMap(({ rank, tables }) => tables.map((table) => describe(rank, table)));
  return { source: 'measured', tables: tables.slice(0, MAX_TABLES) };
}

function describe(rank: number | null, table: OperatorTable): OperatorTotalsReport['tables'][number] {
  const { device } = table;
  const onHost = new Set(table.rows.filter((row) => row.cpuTotalNs > 0).map((row) => row.name));
  const weight = (row: OperatorRow): number =>
    device === null ? row.selfCpuNs : (known(row.selfDeviceNs) ?? known(row.deviceTotalNs) ?? 0);
  const rows = table.rows.filter((row) => weight(row) > 0).sort((a, b) => weight(b) - weight(a));
  return {
    rank,
    device,
    selfCpuTotalNs: known(table.selfCpuTotalNs),
    selfDeviceTotalNs: known(table.selfDeviceTotalNs),
    rows: rows.slice(0, MAX_ROWS).map((row) => ({
      name: row.name,
      kind: kindOf(row, onHost),
      inputShapes: row.inputShapes,
      calls: row.calls,
      selfCpuNs: row.selfCpuNs,
      selfDeviceNs: known(row.selfDeviceNs),
      deviceTotalNs: known(row.deviceTotalNs),
      flop: known(row.flop),
    })),
    rowsLeftOut: Math.max(0, rows.length - MAX_ROWS),
  };
}

/** Kernels take no time of the host; neither do the device's copies of ranges, which have a name that the host has too. */
function kindOf(
  { name, cpuTotalNs }: OperatorRow,
  onHost: ReadonlySet<string>,
): 'operator' | 'kernel' | 'range' {
  if (/^ProfilerStep|^Optimizer\.|^## /.test(name)) return 'range';
  if (cpuTotalNs > 0 || Number.isNaN(cpuTotalNs)) return 'operator';
  return onHost.has(name) ? 'range' : 'kernel';
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
