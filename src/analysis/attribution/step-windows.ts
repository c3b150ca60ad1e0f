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

/** Step numbers fit a database integer; a longer one is not a step number. */
const STEP_MARKER = /^ProfilerStep#?(\d{1,9})$/;

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
  const markers = stepMarkers(timeline, problems);
  if (markers.length === 0) return withoutMarkers(timeline, activity, problems);

  const all: StepWindow[] = markers.map((marker, i) => ({
    index: marker.index,
    startNs: marker.startNs,
    endNs:
      i + 1 < markers.length
        ? markers[i + 1].startNs
        : Math.max(marker.endNs, lastDeviceEndNs(timeline, activity, marker)),
    excluded: null,
  }));
  // A last marker of no length, with nothing launched in it, is the end of the one before.
  const windows = all.filter((w) => w.endNs > w.startNs);
  if (windows.length === 0) return withoutMarkers(timeline, activity, problems);
  const last = windows[windows.length - 1];
  const marker = markers.find((m) => m.startNs === last.startNs) ?? last;
  const drains = last.endNs > last.startNs + MAX_DRAIN_RATIO * (marker.endNs - marker.startNs);
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

/**
 * Step markers by start. A marker that overlaps one of the same number is a copy of it, on another thread. A number that
 * comes again later is another step (a second recording cycle): then all are numbered in order.
 */
function stepMarkers({ host, strings, path }: RankTimeline, problems: ProblemLog): Marker[] {
  const numberOf = memoize((nameId) => {
    const match = STEP_MARKER.exec(strings.get(nameId));
    return match ? Number(match[1]) : -1;
  });
  const markers: Marker[] = [];
  const lastEndNs = new Map<number, number>();
  let repeated = 0;
  // Host events are sorted by start.
  for (let i = 0; i < host.count; i++) {
    if (host.kind[i] !== HostEventKind.annotation) continue;
    const index = numberOf(host.nameId[i]);
    if (index < 0) continue;
    const earlierEndNs = lastEndNs.get(index);
    lastEndNs.set(index, Math.max(host.endNs[i], earlierEndNs ?? 0));
    if (earlierEndNs !== undefined && host.startNs[i] < earlierEndNs) continue;
    if (earlierEndNs !== undefined) repeated++;
    markers.push({ index, startNs: host.startNs[i], endNs: host.endNs[i] });
  }
  // Two markers at one instant cannot bound a step between them.
  const bounding = markers.filter(
    (marker, i) => i + 1 === markers.length || marker.startNs < markers[i + 1].startNs,
  );
  if (repeated === 0) return bounding;
  problems.add('step-numbers-repeat', path, repeated);
  return bounding.map((marker, index) => ({ ...marker, index }));
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
