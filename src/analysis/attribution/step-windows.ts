import { type ProblemLog } from '../timeline/problem';
import { HostEventKind, type RankTimeline } from '../timeline/rank-timeline';
import { type DeviceActivity, memoize } from './device-activity';
import { inferSteps } from './infer-steps';

/** One training step of one rank: the time [startNs, endNs), and why it is left out of averages, if it is. */
export interface StepWindow {
  index: number;
  startNs: number;
  endNs: number;
  excluded: string | null;
}

export interface StepWindows {
  from: 'markers' | 'repetition' | 'whole-trace';
  windows: StepWindow[];
}

const STEP_MARKER = /^ProfilerStep#?(\d+)$/;

/**
 * When the host runs ahead, the last window also holds the work that was still queued, so it is longer than a step.
 * Above this ratio of window to marker it does not count, where other steps do.
 */
const MAX_DRAIN_RATIO = 1.05;

/**
 * Finds the steps of a trace. A step lasts from its marker to the next one's; the last ends with its annotation or with
 * the last device operation launched in it, whichever is later. Without markers steps are inferred from repetition; where
 * nothing recurs, the whole trace is one window.
 */
export function findStepWindows(
  timeline: RankTimeline,
  activity: DeviceActivity | null,
  problems: ProblemLog,
): StepWindows {
  const markers = stepMarkers(timeline);
  if (markers.length === 0) return withoutMarkers(timeline, activity, problems);

  const windows: StepWindow[] = markers.map((marker, i) => ({
    index: marker.index,
    startNs: marker.startNs,
    endNs:
      i + 1 < markers.length
        ? markers[i + 1].startNs
        : Math.max(marker.endNs, lastDeviceEndNs(timeline, activity, marker)),
    excluded: null,
  }));
  const last = windows[windows.length - 1];
  const markerNs = markers[markers.length - 1].endNs - last.startNs;
  const drains = last.endNs - last.startNs > MAX_DRAIN_RATIO * markerNs;
  // Of two steps one must stay: the first is a step, if a disturbed one; a drained last one is more than a step.
  if (drains && windows.length >= 2) exclude(last, 'drains-the-device-queue', timeline, problems);
  if (windows.length >= (drains ? 3 : 2)) exclude(windows[0], 'first-recorded-step', timeline, problems);
  return { from: 'markers', windows };
}

function exclude(window: StepWindow, reason: string, { path }: RankTimeline, problems: ProblemLog): void {
  window.excluded = reason;
  problems.add('step-excluded', path, 1, `step ${window.index}: ${reason}`);
}

interface Marker {
  index: number;
  startNs: number;
  endNs: number;
}

/** Step markers by start; a number that occurs again (a copy on another thread) counts once. */
function stepMarkers({ host, strings }: RankTimeline): Marker[] {
  const numberOf = memoize((nameId) => {
    const match = STEP_MARKER.exec(strings.get(nameId));
    return match ? Number(match[1]) : -1;
  });
  const markers = new Map<number, Marker>();
  for (let i = 0; i < host.count; i++) {
    if (host.kind[i] !== HostEventKind.annotation) continue;
    const index = numberOf(host.nameId[i]);
    if (index >= 0 && !markers.has(index))
      markers.set(index, { index, startNs: host.startNs[i], endNs: host.endNs[i] });
  }
  const sorted = [...markers.values()].sort((a, b) => a.startNs - b.startNs);
  // Two markers at one instant cannot bound a step between them.
  return sorted.filter((marker, i) => i + 1 === sorted.length || marker.startNs < sorted[i + 1].startNs);
}

function lastDeviceEndNs(
  { device, host }: RankTimeline,
  activity: DeviceActivity | null,
  step: Marker,
): number {
  let lastNs = 0;
  for (const i of activity?.opIndices ?? []) {
    const launch = device.launchIndex[i];
    if (launch < 0 || host.startNs[launch] < step.startNs || host.startNs[launch] >= step.endNs) continue;
    lastNs = Math.max(lastNs, device.endNs[i]);
  }
  return lastNs;
}

function withoutMarkers(
  timeline: RankTimeline,
  activity: DeviceActivity | null,
  problems: ProblemLog,
): StepWindows {
  const steps = inferSteps(timeline, activity);
  if (steps.length === 0) return wholeTrace(timeline, problems);
  problems.add('steps-inferred', timeline.path, steps.length);
  const windows: StepWindow[] = steps.map((step, index) => ({ ...step, index, excluded: null }));
  if (windows.length >= 2) exclude(windows[0], 'first-recorded-step', timeline, problems);
  return { from: 'repetition', windows };
}

function wholeTrace(timeline: RankTimeline, problems: ProblemLog): StepWindows {
  problems.add('no-step-markers', timeline.path);
  const { host, device } = timeline;
  let startNs = Infinity;
  let endNs = -Infinity;
  for (const events of [host, device]) {
    for (let i = 0; i < events.count; i++) {
      startNs = Math.min(startNs, events.startNs[i]);
      endNs = Math.max(endNs, events.endNs[i]);
    }
  }
  const windows = endNs > startNs ? [{ index: 0, startNs, endNs, excluded: null }] : [];
  return { from: 'whole-trace', windows };
}
