/** One row: what an operator, a kernel or a range took in the whole recording. NaN where the table has no such column. */
export interface OperatorRow {
  /** Cut by the profiler after 55 characters, with `...`. */
  name: string;
  /** With `group_by_input_shape`; null otherwise. */
  inputShapes: string | null;
  calls: number;
  selfCpuNs: number;
  cpuTotalNs: number;
  selfDeviceNs: number;
  deviceTotalNs: number;
  flop: number;
}

/** One table. It may be cut to its first rows, so the sums below it are not those of its rows. */
export interface OperatorTable {
  /** `CUDA`, `XPU`…, as the columns name it; null when only the host was recorded. */
  device: string | null;
  rows: OperatorRow[];
  /** As printed below the table; NaN when it is not. */
  selfCpuTotalNs: number;
  selfDeviceTotalNs: number;
}

/** What `key_averages().table()` printed: totals, without a timeline. */
export interface OperatorTotals {
  /** From the file name. */
  rank: number | null;
  tables: OperatorTable[];
}
