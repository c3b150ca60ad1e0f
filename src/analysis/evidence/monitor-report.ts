import { type GpuMonitor, type GpuReading, type MonitoredDevice } from '../timeline/gpu-monitor';
import { matchGpu } from '../gpu-specs/match-gpu';
import { type Figure } from '../units/figure';
import { type MonitorReport } from './monitor-schema';
import { summarizeMonitor } from './monitor-summary';
import { type RunEvidence } from './run-evidence';

const MOST_DEVICES = 64;
/** A device whose kernels run for less of the time has no work; a desktop on it has some. */
const LEAST_WORK = 0.05;

/**
 * What the monitors saw of the devices that had work, from their first to their last work: a monitor is started before
 * the job and ends after it. Null without monitors.
 *
 * @param powerLimitW of the device, where no monitor recorded it.
 */
export function monitorReportOf(
  { monitors }: Pick<RunEvidence, 'monitors'>,
  powerLimitW: number | null,
): MonitorReport | null {
  if (monitors.length === 0) return null;
  const all = monitors.flatMap(({ path, monitor: { tool, devices } }) =>
    devices.map((device) => ({ path, tool, device, part: workingPart(device) })),
  );
  const working = all.filter(({ part }) => part !== null);
  return {
    devices: working.slice(0, MOST_DEVICES).map(({ path, tool, device, part }) => {
      const [summary] = summarizeMonitor(onlyOf(tool, part ?? device), {
        powerLimitW: limitOf(device) ?? powerLimitW,
      });
      return { path, tool, samplesLeftOut: device.sampleCount - summary.sampleCount, ...summary };
    }),
    idleDeviceCount: all.length - working.length,
  };
}

/** From the data sheet of the model that the monitor names. */
function limitOf({ name }: MonitoredDevice): number | null {
  const sizes = { totalMemoryBytes: null, smCount: null, computeMajor: null, computeMinor: null };
  return name === null ? null : (matchGpu({ name, ...sizes })?.spec.powerLimitW.value ?? null);
}

const onlyOf = (tool: GpuMonitor['tool'], device: MonitoredDevice): GpuMonitor => ({
  tool,
  devices: [device],
});

/** All of it where the monitor does not record utilisation; null for a device without work. */
function workingPart(device: MonitoredDevice): MonitoredDevice | null {
  const { smUtilisation } = device.readings;
  if (!smUtilisation) return device;
  const first = smUtilisation.findIndex((share) => share >= LEAST_WORK);
  if (first < 0) return null;
  const end = smUtilisation.findLastIndex((share) => share >= LEAST_WORK) + 1;
  const readings: MonitoredDevice['readings'] = {};
  for (const [id, column] of Object.entries(device.readings))
    readings[id as GpuReading] = column.subarray(first, end);
  return { ...device, sampleCount: end - first, timeMs: device.timeMs.subarray(first, end), readings };
}

/** Mean draw of the devices that had work over their limit, in the time in which they had it; null where that is not known. */
export function powerRatioOf(monitors: MonitorReport | null): Figure | null {
  const ratios = (monitors?.devices ?? []).flatMap(({ powerW, powerLimitW }) =>
    powerW && powerLimitW ? [powerW.mean / powerLimitW] : [],
  );
  if (ratios.length === 0) return null;
  const value = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  return { id: 'power', value, unit: 'ratio', source: 'measured' };
}
