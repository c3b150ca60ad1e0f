import { type DetectedChange, isRecovered } from '../../analysis';
import { type TeamScope } from '../../platform/database';
import { recordEvent } from '../../platform/events';
import { type HistoryPoint } from './history.repository';
import {
  addAct,
  findGoneSince,
  findOpen,
  type FoundRegression,
  moveRegression,
  openRegression,
  type OpenRegression,
  reopenRegression,
  resolveRecovered,
} from './regressions-state.repository';
import { type MetricSensitivity } from './sensitivity';
import { addSegment, type Lane } from './series-state.repository';

/** A regression that comes back within so many runs is the same one. */
const REOPENED_WITHIN_RUNS = 20;

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

/** Opens, moves, reopens or resolves the regression of a lane, tells of it, and notes the new level. False when the change is known. */
export async function applyChange(scope: TeamScope, laneChange: LaneChange): Promise<boolean> {
  const { lane, change, first } = laneChange;
  const open = await findOpen(scope, lane);
  const isNewNormal = change.kind === 'better' && open === null;
  const segment = {
    at: first.at,
    reason: isNewNormal ? 'improved' : change.kind,
    acceptedBy: isNewNormal ? 'detector' : null,
  };
  if (!(await addSegment(scope, lane, segment))) return false;
  if (change.kind === 'worse') await becomeWorse(scope, laneChange, open);
  else if (open) await becomeBetter(scope, laneChange, open);
  return true;
}

async function becomeWorse(
  scope: TeamScope,
  { lane, change, points, first, sensitivity }: LaneChange,
  open: OpenRegression | null,
): Promise<void> {
  const runId = first.runId;
  if (open) {
    await moveRegression(scope, open, change);
    return addAct(scope, open.id, { act: 'worsened', runId });
  }
  const index = points.indexOf(first);
  const since = points[Math.max(0, index - REOPENED_WITHIN_RUNS)].at;
  const gone = await findGoneSince(scope, lane, since);
  if (gone && gone.metricId === change.metricId && isSameLevel(gone.after, change.after, sensitivity)) {
    await reopenRegression(scope, gone, change);
    await addAct(scope, gone.id, { act: 'reopened', runId });
    return tell(scope, 'regression.opened', gone, change, first);
  }
  const found: FoundRegression = { change, firstBad: first, lastGood: points[index - 1] };
  const id = await openRegression(scope, lane, found);
  await addAct(scope, id, { act: 'opened', runId });
  await tell(scope, 'regression.opened', { id, mutedUntil: null }, change, first);
}

async function becomeBetter(
  scope: TeamScope,
  { change, first, sensitivity }: LaneChange,
  open: OpenRegression,
): Promise<void> {
  const runId = first.runId;
  if (!isRecovered(change.after, open.before, sensitivity.metric.direction, sensitivity.rules)) {
    await moveRegression(scope, open, change);
    return addAct(scope, open.id, { act: 'improved', runId });
  }
  await resolveRecovered(scope, open.id, first.at);
  await addAct(scope, open.id, { act: 'resolved', reason: 'recovered', runId });
  await tell(scope, 'regression.resolved', open, change, first);
}

function isSameLevel(a: number, b: number, { rules }: MetricSensitivity): boolean {
  return Math.abs(a - b) <= 2 * rules.minChangeRatio * Math.abs(a);
}

async function tell(
  scope: TeamScope,
  type: 'regression.opened' | 'regression.resolved',
  { id, mutedUntil }: Pick<OpenRegression, 'id' | 'mutedUntil'>,
  { metricId, before, after, changeRatio }: DetectedChange,
  { runId, commit }: HistoryPoint,
): Promise<void> {
  if (mutedUntil && mutedUntil > new Date()) return;
  const data = { regressionId: id, metricId, before, after, changeRatio, commit };
  await recordEvent(scope, { type, runId, data });
}
