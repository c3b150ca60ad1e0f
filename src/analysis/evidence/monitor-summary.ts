import { type GpuMonitor, type MonitoredDevice } from '../timeline/gpu-monitor';
import { findSawTooth } from './saw-tooth';

/** How a reading was distributed over the samples that had it. */
export interface ReadingDistribution {
  mean: number;
  p10: number;
  p50: number;
  p90: number;
  max: number;
}

/** What held a busy device below its clock: the first of these that a sample shows. */
export type ThrottleCause = 'thermal' | 'power' | 'unknown';

/** One device over the whole time of the monitor. Null: the monitor did not record it. Shares are of 1. */
export interface DeviceSummary {
  id: string;
  name: string | null;
  sampleCount: number;
  /** Median time between samples, s. */
  intervalS: number | null;
  smUtilisation: ReadingDistribution | null;
  memoryUtilisation: ReadingDistribution | null;
  /** Share of the multiprocessors, of their tensor cores' time, and of the memory bandwidth that was in use. */
  smActive: ReadingDistribution | null;
  tensorActive: ReadingDistribution | null;
  dramActive: ReadingDistribution | null;
  powerW: ReadingDistribution | null;
  powerLimitW: number | null;
  /** Share of the samples with power within 3 % of the limit. */
  atPowerLimitShare: number | null;
  smClockMhz: ReadingDistribution | null;
  /** Share of the busy samples whose clock was more than 5 % below the highest. */
  throttledShare: number | null;
  /** The cause that most of them show; null when nothing was throttled. */
  throttleCause: ThrottleCause | null;
  maxTemperatureC: number | null;
  maxMemoryUsedBytes: number | null;
  /** Utilisation that goes up and down evenly, as when the device waits for data again and again. */
  sawTooth: { periodSamples: number; periodS: number | null; strength: number } | null;
}

const AT_LIMIT = 0.97;
const BELOW_CLOCK = 0.95;
/** A device that has nothing to do lowers its clock by itself. */
const BUSY = 0.5;
/** Utilisation that varies by less than this has no teeth. */
const LEAST_TOOTH = 0.1;
/** Bits of NVML: software and hardware slowdown by heat; software cap, and brake, by power. */
const THERMAL_BITS = 0x20 | 0x40;
const POWER_BITS = 0x4 | 0x80;

/** Sums up every device of a monitor. `powerLimitW` is used where the monitor did not record a limit. */
export function summarizeMonitor(
  { devices }: GpuMonitor,
  { powerLimitW = null }: { powerLimitW?: number | null } = {},
): DeviceSummary[] {
  return devices.map((device) => {
    const { smUtilisation, powerW, smClockMhz } = device.readings;
    const limitW = distributionOf(device.readings.powerLimitW)?.p50 ?? powerLimitW;
    const intervalS = medianIntervalS(device.timeMs);
    const tooth = smUtilisation ? findSawTooth(smUtilisation, LEAST_TOOTH) : null;
    return {
      id: device.id,
      name: device.name,
      sampleCount: device.sampleCount,
      intervalS,
      smUtilisation: distributionOf(smUtilisation),
      memoryUtilisation: distributionOf(device.readings.memoryUtilisation),
      smActive: distributionOf(device.readings.smActive),
      tensorActive: distributionOf(device.readings.tensorActive),
      dramActive: distributionOf(device.readings.dramActive),
      powerW: distributionOf(powerW),
      powerLimitW: limitW,
      atPowerLimitShare: powerW && limitW !== null ? shareOf(powerW, (w) => w >= AT_LIMIT * limitW) : null,
      smClockMhz: distributionOf(smClockMhz),
      ...throttlingOf(device, limitW),
      maxTemperatureC: distributionOf(device.readings.temperatureC)?.max ?? null,
      maxMemoryUsedBytes: distributionOf(device.readings.memoryUsedBytes)?.max ?? null,
      sawTooth: tooth && {
        ...tooth,
        periodS: intervalS === null ? null : tooth.periodSamples * intervalS,
      },
    };
  });
}

function throttlingOf(
  { readings, sampleCount }: MonitoredDevice,
  limitW: number | null,
): Pick<DeviceSummary, 'throttledShare' | 'throttleCause'> {
  const { smClockMhz, smUtilisation } = readings;
  const highest = distributionOf(readings.maxSmClockMhz)?.max ?? distributionOf(smClockMhz)?.max;
  if (!smClockMhz || highest === undefined) return { throttledShare: null, throttleCause: null };
  let busy = 0;
  const causes: Record<ThrottleCause, number> = { thermal: 0, power: 0, unknown: 0 };
  for (let i = 0; i < sampleCount; i++) {
    const isBusy = (smUtilisation?.[i] ?? 1) >= BUSY;
    if (!isBusy || Number.isNaN(smClockMhz[i])) continue;
    busy++;
    if (smClockMhz[i] < BELOW_CLOCK * highest) causes[causeAt(readings, i, limitW)]++;
  }
  const throttled = causes.thermal + causes.power + causes.unknown;
  const order: ThrottleCause[] = ['thermal', 'power', 'unknown'];
  const [mostSeen] = order.sort((a, b) => causes[b] - causes[a]);
  return {
    throttledShare: busy > 0 ? throttled / busy : null,
    throttleCause: throttled > 0 ? mostSeen : null,
  };
}

function causeAt(readings: MonitoredDevice['readings'], i: number, limitW: number | null): ThrottleCause {
  const reasons = readings.throttleReasons?.[i] ?? 0;
  if ((reasons & THERMAL_BITS) > 0 || (readings.thermalViolation?.[i] ?? 0) > 0) return 'thermal';
  const atLimit = limitW !== null && (readings.powerW?.[i] ?? 0) >= AT_LIMIT * limitW;
  if ((reasons & POWER_BITS) > 0 || (readings.powerViolation?.[i] ?? 0) > 0 || atLimit) return 'power';
  return 'unknown';
}

function distributionOf(column: Float64Array | undefined): ReadingDistribution | null {
  const sorted = column?.filter((value) => !Number.isNaN(value)).sort();
  if (!sorted || sorted.length === 0) return null;
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))];
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { mean, p10: at(0.1), p50: at(0.5), p90: at(0.9), max: at(1) };
}

function shareOf(column: Float64Array, holds: (value: number) => boolean): number | null {
  const known = column.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : known.filter(holds).length / known.length;
}

/** Null without times. Times of day that begin anew at midnight are left out. */
function medianIntervalS(timeMs: Float64Array): number | null {
  const intervals = timeMs.map((ms, i) => (i === 0 ? NaN : ms - timeMs[i - 1])).filter((ms) => ms > 0);
  const median = distributionOf(intervals)?.p50;
  return median === undefined ? null : median / 1000;
}
