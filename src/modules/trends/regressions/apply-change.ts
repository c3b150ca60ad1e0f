import { type DetectedChange } from '../../../analysis';
import { type TeamScope } from '../../../platform/database';
import { type HistoryPoint } from '../history.repository';
import { type MetricSensitivity } from '../sensitivity';
import { addSegment, type Lane } from '../series-state.repository';
import { isUnresolved } from './follow-regression';
import { mergeMoved } from './merge-moved';
import {
  addAct,
  type FollowedRegression,
  moveRegression,
  openRegression,
} from './regression-state.repository';

/** For so many runs, a change that people called no regression is not told again. */
const DISMISSED_FOR_RUNS = 60;

/** A change of a lane, and the runs that show it. */
export interface LaneChange {
  lane: Lane;
  change: DetectedChange;
  sensitivity: MetricSensitivity;
  /** All points of the metric up to the run that made it certain, oldest first. */
  points: readonly HistoryPoint[];
  /** The first run on the new level. */
  first: HistoryPoint;
}

/**
 * Notes the new level of a lane, and opens a regression when it is worse, or adds to the one that is open. False when the change
 * is known. Whether an open regression is over is not decided here: see `followRegression`.
 */
export async function applyChange(
  scope: TeamScope,
  laneChange: LaneChange,
  latest: FollowedRegression | null,
): Promise<boolean> {
  const { lane, change, first } = laneChange;
  const open = latest && isUnresolved(latest) ? latest : null;
  const isDuringOpen = open !== null && first.at >= open.firstBadAt;
  if (isDuringOpen && change.kind === 'better') return false;
  const isNewNormal = change.kind === 'better';
  const segment = {
    at: first.at,
    reason: isNewNormal ? 'improved' : change.kind,
    acceptedBy: isNewNormal ? 'detector' : null,
  };
  if (!(await addSegment(scope, lane, segment))) return false;
  if (isNewNormal) return true;
  if (isDuringOpen) await addToOpen(scope, laneChange, open);
  // What a late run shows of the time before the open one is noted as a level, and is no news.
  else if (!open && !isDismissed(laneChange, latest)) await openNew(scope, laneChange);
  return true;
}

/** Another metric got worse while a regression is open: one cause until the one is over and the other is not. */
async function addToOpen(
  scope: TeamScope,
  { change, first }: LaneChange,
  open: FollowedRegression,
): Promise<void> {
  const metrics = mergeMoved(open.metrics, [change, ...change.moved]);
  await moveRegression(scope, open.id, { ...open, metrics, since: open.followedFrom });
  await addAct(scope, open.id, { act: 'worsened', reason: change.metricId, runId: first.runId });
}

async function openNew(scope: TeamScope, { lane, change, points, first }: LaneChange): Promise<void> {
  const lastGood = points[points.indexOf(first) - 1] as HistoryPoint | undefined;
  const { metricId, before, after, changeRatio } = change;
  const others = change.moved.filter((one) => one.metricId !== metricId);
  const moved = [{ metricId, before, after, changeRatio }, ...others];
  const id = await openRegression(scope, lane, { change: { ...change, moved }, firstBad: first, lastGood });
  await addAct(scope, id, { act: 'opened', runId: first.runId });
}

/** Whether people called the same change, of the same levels, no regression a short while ago. */
function isDismissed(
  { change, points, first, sensitivity: { rules } }: LaneChange,
  latest: FollowedRegression | null,
): boolean {
  if (latest?.resolution !== 'no-regression' || latest.metricId !== change.metricId) return false;
  const since = points[Math.max(0, points.indexOf(first) - DISMISSED_FOR_RUNS)].at;
  const isSame = (a: number, b: number) => Math.abs(a - b) <= 2 * rules.minChangeRatio * Math.abs(a);
  const isWorse = Math.abs(change.after - change.before) > Math.abs(latest.after - latest.before);
  const isSameAfter = isSame(latest.after, change.after) || !isWorse;
  return latest.firstBadAt >= since && isSame(latest.before, change.before) && isSameAfter;
}
