/** Operations of matrix units on operands of one format: a multiplication and an addition are two. */
export interface MatrixOperations {
  /** As the metric names it: `bf16`, `fp8`, `int1`… */
  operands: string;
  /** With two of four operands zero by convention: twice the dense peak is then possible. */
  sparse: boolean;
  flop: number;
}

/** What Nsight Compute counted in one launch of a kernel. NaN where the export lacks it. */
export interface MeasuredLaunch {
  /** As demangled by Nsight Compute. */
  name: string;
  /** As written, such as `(384, 1, 1)`; empty when absent. */
  blockSize: string;
  gridSize: string;
  /** Launches that the figures are means of: more than one in summaries. */
  count: number;
  /** At the clocks and with the cold caches of the profiler. */
  durationNs: number;
  /** Read from and written to the device's memory. */
  memoryBytes: number;
  /** Null when the export has no count of them; empty when none were executed. */
  matrix: MatrixOperations[] | null;
  /** Single, double and half precision outside the matrix units: an instruction that multiplies and adds is two. */
  vectorFlop: number;
  /** Parts of the peaks that were reached, as the profiler says: memory, and the busiest part of the multiprocessors. */
  memoryRatio: number;
  computeRatio: number;
  /** Active warps over those that fit, while the multiprocessor was active. */
  occupancyRatio: number;
}

/** All kernels of one export of Nsight Compute. */
export interface KernelMeasurements {
  /** `wide`: a column per metric (`--page raw`). `narrow`: a row per metric. */
  form: 'wide' | 'narrow';
  /** Only the wide form names it. */
  gpuName: string | null;
  launches: MeasuredLaunch[];
}
