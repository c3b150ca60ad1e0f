import { type IdleCauses, type StepBreakdown } from '../report-schema';
import { totalWithinNs } from '../timeline/intervals';
import { type ProblemLog } from '../timeline/problem';
import { type RankTimeline } from '../timeline/rank-timeline';
import { computeDeviceActivity, type DeviceActivity } from './device-activity';
import { computeHostActivity, type HostActivity } from './host-activity';
import { attributeIdle, type IdleByCause } from './idle-causes';
import { countLostKernels } from './lost-kernels';
import { findStepWindows, type StepWindows } from './step-windows';

/** One rank's trace with its time attributed. */
export interface RankAttribution {
  rank: number;
  timeline: RankTimeline;
  windows: StepWindows;
  /** Null when the trace has no device operations: then nothing about the device can be said. */
  device: { activity: DeviceActivity; host: HostActivity; idle: IdleByCause } | null;
  /** Empty when `device` is null. */
  steps: StepBreakdown[];
}

/** Attributes all time of one rank: step windows, device breakdown, idle causes. Parts sum to the nanosecond. */
export function attributeRank(rank: number, timeline: RankTimeline, problems: ProblemLog): RankAttribution {
  const activity = computeDeviceActivity(timeline);
  const windows = findStepWindows(timeline, activity, problems);
  const first = windows.windows.at(0);
  const last = windows.windows.at(-1);
  if (!activity || !first || !last) return { rank, timeline, windows, device: null, steps: [] };

  problems.add('kernels-missing', timeline.path, countLostKernels(timeline, windows));
  const host = computeHostActivity(timeline, activity);
  const idle = attributeIdle(timeline, activity, host, first.startNs, last.endNs);
  const opCounts = countOpsByStep(timeline, activity, windows);
  const steps = windows.windows.map(({ index, startNs, endNs, excluded }, i): StepBreakdown => {
    const within = (intervals: Parameters<typeof totalWithinNs>[0]): number =>
      totalWithinNs(intervals, startNs, endNs);
    const causes: IdleCauses = {
      inputWaitNs: within(idle.inputWait),
      syncWaitNs: within(idle.syncWait),
      allocatorNs: within(idle.allocator),
      launchGapNs: within(idle.launchGap),
      hostOtherNs: within(idle.hostOther),
      dependencyNs: within(idle.dependency),
      unexplainedNs: within(idle.unexplained),
    };
    return {
      index,
      startNs,
      wallNs: endNs - startNs,
      computeNs: within(activity.compute),
      exposedCommunicationNs: within(activity.exposedCommunication),
      exposedMemcpyNs: within(activity.exposedMemcpy),
      idleNs: Object.values(causes).reduce((sum, ns) => sum + ns, 0),
      idle: causes,
      deviceOpCount: opCounts[i],
      excluded,
    };
  });
  return { rank, timeline, windows, device: { activity, host, idle }, steps };
}

/** Counts each device operation for the step that launched it; operations without a launch count for none. */
function countOpsByStep(
  { device, host }: RankTimeline,
  activity: DeviceActivity,
  { windows }: StepWindows,
): number[] {
  const counts = windows.map(() => 0);
  for (const i of activity.opIndices) {
    const launch = device.launchIndex[i];
    if (launch < 0) continue;
    const step = stepAt(windows, host.startNs[launch]);
    if (step >= 0) counts[step]++;
  }
  return counts;
}

/** Index of the window that holds `timeNs`, or -1. Windows are sorted and do not overlap. */
export function stepAt(windows: StepWindows['windows'], timeNs: number): number {
  let low = 0;
  let high = windows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (timeNs < windows[middle].startNs) high = middle - 1;
    else if (timeNs >= windows[middle].endNs) low = middle + 1;
    else return middle;
  }
  return -1;
}
