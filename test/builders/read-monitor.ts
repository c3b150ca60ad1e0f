import { type GpuMonitor } from '../../src/analysis/timeline/gpu-monitor';
import { type ProblemLog } from '../../src/analysis/timeline/problem';
import { readText } from './read-format';

/** The monitor in a text. */
export async function readMonitor(
  text: string | Uint8Array,
  path?: string,
): Promise<{ format: string; monitor: GpuMonitor; problems: ProblemLog }> {
  const { content, ...rest } = await readText(text, path);
  if (content.kind !== 'gpu-monitor') throw new Error(`read as ${content.kind}`);
  return { ...rest, monitor: content.monitor };
}

/** Columns as lists, for comparison. */
export function plain(monitor: GpuMonitor): Record<string, Record<string, number[]>> {
  return Object.fromEntries(
    monitor.devices.map((device) => [
      device.id,
      Object.fromEntries(
        Object.entries(device.readings).map(([reading, column]) => [
          reading,
          [...column].map((value) => Number(value.toPrecision(12))),
        ]),
      ),
    ]),
  );
}
