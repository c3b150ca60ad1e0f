import { NS_PER_MS, NS_PER_S } from '../../units/time';
import { plausibleNs, type StepEntry } from '../step-series';

/** A line reader says why there is no entry: the line is damaged, or it is whole and has nothing about step times. */
export type LineOutcome = StepEntry | 'malformed' | 'no-times';

/** One JSON object of the post-hook's series. */
export function readJsonLine(line: string): LineOutcome {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return 'malformed';
  }
  if (typeof entry !== 'object' || entry === null || !('step' in entry) || typeof entry.step !== 'number')
    return 'malformed';
  const hostNs = 'host_s' in entry ? durationNs(entry.host_s, NS_PER_S) : NaN;
  const deviceNs = 'device_ms' in entry ? durationNs(entry.device_ms, NS_PER_MS) : NaN;
  if (Number.isNaN(hostNs) && Number.isNaN(deviceNs)) return 'malformed';
  return { step: entry.step, hostNs, deviceNs };
}

function durationNs(value: unknown, scale: number): number {
  return typeof value === 'number' ? plausibleNs(value * scale) : NaN;
}
