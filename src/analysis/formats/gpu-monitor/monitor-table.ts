import { type GpuReading, type MonitorTool } from '../../timeline/gpu-monitor';

/** One line of a monitor: one device at one moment. */
export interface MonitorRow {
  id: string;
  name: string | null;
  /** NaN when not told. */
  timeMs: number;
  readings: Partial<Record<GpuReading, number>>;
}

/** Reads the lines below a header. */
export interface MonitorTable {
  tool: MonitorTool;
  /** True when one sample may be spread over several tables that follow each other. */
  spreadsSamples?: boolean;
  /** `skip` is for lines that are whole and hold no sample. */
  readRow(line: string): MonitorRow | 'malformed' | 'skip';
}

/** The table that a header opens, or null when the line is none of this tool's headers. */
export type OpenTable = (line: string) => MonitorTable | null;

/** How a column becomes a reading. */
export interface ReadingColumn {
  reading: GpuReading;
  /** From the unit of the column to that of the reading. */
  scale: number;
}

/** `percent` to a share, and so on. */
export const SCALE = { percent: 0.01, mebibytes: 2 ** 20, one: 1 } as const;

/** Columns by the names in a header; a Map, since a header may say `constructor`. */
export function columnsNamed(
  columns: Readonly<Record<string, ReadingColumn>>,
): ReadonlyMap<string, ReadingColumn> {
  return new Map(Object.entries(columns));
}
