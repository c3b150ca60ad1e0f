/** The tool that sampled the devices, by the shape of its output. */
export const MONITOR_TOOLS = [
  'nvidia-smi-dmon',
  'nvidia-smi-query',
  'dcgmi-dmon',
  'amd-smi',
  'rocm-smi',
  'gpustat',
  'nsys-gpu-metrics',
] as const;
export type MonitorTool = (typeof MONITOR_TOOLS)[number];

/**
 * What a sample may hold, with the largest value that is believed. Shares are of 1. `smUtilisation` is the share of time with any
 * kernel, `smActive`, `tensorActive` and `dramActive` are counters of what the units did (DCGM, Nsight Systems).
 * `throttleReasons` is NVML's bit mask; `powerViolation` and `thermalViolation` are shares of time below the clock asked for.
 */
export const GPU_READINGS = {
  smUtilisation: 1.01,
  memoryUtilisation: 1,
  smActive: 1.01,
  tensorActive: 1.01,
  dramActive: 1.01,
  powerW: 100_000,
  powerLimitW: 100_000,
  smClockMhz: 100_000,
  maxSmClockMhz: 100_000,
  memoryClockMhz: 100_000,
  temperatureC: 500,
  memoryTemperatureC: 500,
  memoryUsedBytes: 1e15,
  memoryTotalBytes: 1e15,
  powerViolation: 1,
  thermalViolation: 1,
  throttleReasons: Number.MAX_SAFE_INTEGER,
} as const;
export type GpuReading = keyof typeof GPU_READINGS;

/** Samples of one device, in the order of the file. All columns are `sampleCount` long. */
export interface MonitoredDevice {
  /** As the tool names it: index, UUID or bus address; `?` when the file names none. */
  id: string;
  /** The index, where `id` is one. */
  index: number | null;
  /** Product name, where told. */
  name: string | null;
  sampleCount: number;
  /** Wall clock of the machine, ms since 1970 as if it were UTC (since midnight when there is no date); NaN when not told. */
  timeMs: Float64Array;
  /** NaN where a sample lacks the reading; a reading that no sample has is absent. */
  readings: Partial<Record<GpuReading, Float64Array>>;
}

/** What a monitor beside the training saw of the devices of one machine. */
export interface GpuMonitor {
  tool: MonitorTool;
  devices: MonitoredDevice[];
}
