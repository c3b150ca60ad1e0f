import { HostEventKind, NO_ID, type RankTimeline } from '../timeline/rank-timeline';
import { memoize } from './device-activity';
import { type StepWindows } from './step-windows';

/** Calls that put at least one kernel on the device; copies and memsets of nothing may put none. */
const LAUNCH = /^(cuda|hip)(Ext)?(Module)?LaunchKernel|^(cuda|hip)LaunchCooperativeKernel|^cuLaunchKernel/;

/**
 * Launches within the steps whose kernel is not in the file: the profiler dropped it (full buffers, a window that closed
 * too early), so the device did more than the trace shows. Graph captures launch nothing and are left out.
 */
export function countLostKernels({ host, device, strings }: RankTimeline, { windows }: StepWindows): number {
  const first = windows.at(0);
  const last = windows.at(-1);
  if (!first || !last || device.count === 0) return 0;
  const isLaunch = memoize((nameId) => LAUNCH.test(strings.get(nameId)));
  const isCapture = memoize((nameId) => /StreamBeginCapture|StreamEndCapture/.test(strings.get(nameId)));
  const seen = new Set<number>(device.correlationId);
  let lost = 0;
  for (let i = 0; i < host.count; i++) {
    if (host.kind[i] !== HostEventKind.runtime) continue;
    if (isCapture(host.nameId[i])) return 0;
    const correlationId = host.correlationId[i];
    if (correlationId === NO_ID || seen.has(correlationId) || !isLaunch(host.nameId[i])) continue;
    if (host.startNs[i] >= first.startNs && host.startNs[i] < last.endNs) lost++;
  }
  return lost;
}
