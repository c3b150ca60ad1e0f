import { detectChange, median, type MetricHistory } from '../../analysis';
import { type TeamScope } from '../../platform/database';
import { byMetric, type HistoryPoint, listHistory } from './history.repository';
import { judgeInLane, judgeLaterRuns } from './judge-in-lane';
import { announce } from './regressions/announce.repository';
import { applyChange, type LaneChange } from './regressions/apply-change';
import { followRegression, isUnresolved } from './regressions/follow-regression';
import {
  findLatest,
  type FollowedRegression,
  moveLastGood,
  moveStart,
} from './regressions/regression-state.repository';
import { atStepTime, type MetricSensitivity, STEP_TIME } from './sensitivity';
import { type Segment, sinceLastChange } from './series-levels';
import { forgetImprovements, type Lane, loadLevels, type TrackedRun } from './series-state.repository';

/** Later than any run. */
const END_OF_TIME = new Date('9999-12-31T00:00:00Z');
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Judges a run by the runs before it, then looks for changes of level at it and, where it was uploaded late, after it. */
export async function trackLane(
  scope: TeamScope,
  run: TrackedRun,
  settings: readonly MetricSensitivity[],
): Promise<void> {
  await judgeInLane(scope, run, settings);
  const latest = byMetric(await listHistory(scope, { ...run, at: END_OF_TIME, runId: LAST_ID }));
  const stepNs = latest.get(STEP_TIME)?.find(({ at }) => at >= run.at)?.value;
  const sensitivities = atStepTime(settings, stepNs);
  const positions = positionsFrom(latest, run);
  // What came after a late run is looked at again, with the run.
  if (positions.length > 1) {
    await judgeLaterRuns(scope, run, settings);
    await forgetImprovements(scope, run);
  }
  await relocate(scope, run, latest, (segments) => firstOf(positions, run, latest, segments, sensitivities));
  let state = await loadState(scope, run);
  for (const position of positions) {
    if (await step(scope, { run, position, histories: latest, sensitivities }, state))
      state = await loadState(scope, run);
  }
  const newest = positions.at(-1);
  if (newest) await announce(scope, run, newest.at);
}

interface LaneState {
  segments: readonly Segment[];
  followed: FollowedRegression | null;
}

async function loadState(scope: TeamScope, lane: Lane): Promise<LaneState> {
  const { segments } = await loadLevels(scope, lane);
  return { segments, followed: await findLatest(scope, lane) };
}

/** What the run at a position changes: the regression that is followed, then a change of level. */
async function step(
  scope: TeamScope,
  { run, position, histories, sensitivities }: LanePosition,
  state: LaneState,
): Promise<boolean> {
  const { seriesId, branch } = run;
  const view = { lane: { seriesId, branch }, histories: upTo(histories, position), sensitivities };
  const { followed } = state;
  const isFollowed = followed !== null && position.at >= followed.firstBadAt;
  if (isFollowed && (await followRegression(scope, view, followed))) return true;
  // The level of an open regression is followed above.
  const searched =
    isFollowed && isUnresolved(followed)
      ? sensitivities.filter(({ metric }) => metric.id !== followed.metricId)
      : sensitivities;
  const found = changeAt(position, run, histories, state.segments, searched);
  return found !== undefined && applyChange(scope, found, followed);
}

interface LanePosition {
  run: TrackedRun;
  position: HistoryPoint;
  histories: ReadonlyMap<string, HistoryPoint[]>;
  sensitivities: readonly MetricSensitivity[];
}

/** What was known of each metric when the run at the position came. */
function upTo(
  histories: ReadonlyMap<string, HistoryPoint[]>,
  position: HistoryPoint,
): Map<string, HistoryPoint[]> {
  return new Map([...histories].map(([id, points]) => [id, points.filter(({ at }) => at <= position.at)]));
}

/** A run that comes late may show that a regression, open or over, began earlier than was known, or that it did not yet. */
async function relocate(
  scope: TeamScope,
  run: TrackedRun,
  histories: ReadonlyMap<string, HistoryPoint[]>,
  search: (segments: readonly Segment[]) => LaneChange | undefined,
): Promise<void> {
  const known = await findLatest(scope, run);
  if (!known || !(isUnresolved(known) || known.goodAgainAt) || run.at >= known.firstBadAt) return;
  const { segments } = await loadLevels(scope, run);
  const found = search(segments.filter(({ at }) => at.getTime() !== known.firstBadAt.getTime()));
  const isSame = found?.change.kind === 'worse' && found.change.metricId === known.metricId;
  if (isSame && found.first.at < known.firstBadAt && isBadUntil(known.firstBadAt, found))
    return moveStart(scope, run, known, found);
  const lastGood = (histories.get(known.metricId) ?? []).findLast(({ at }) => at < known.firstBadAt);
  if (lastGood?.runId === run.runId) await moveLastGood(scope, known.id, lastGood);
}

/** Whether the runs from the change on until then are on the bad level: else it is another, earlier one. */
function isBadUntil(until: Date, { change: { before, after }, first, points }: LaneChange): boolean {
  const values = points.filter(({ at }) => at >= first.at && at < until).map(({ value }) => value);
  const level = median(values);
  return Math.abs(level - after) < Math.abs(level - before);
}

function firstOf(
  positions: readonly HistoryPoint[],
  ...rest: Parameters<typeof changeAt> extends [unknown, ...infer Rest] ? Rest : never
): LaneChange | undefined {
  for (const position of positions) {
    const found = changeAt(position, ...rest);
    if (found) return found;
  }
  return undefined;
}

/** The instants of runs from the given one on, in order. */
function positionsFrom(histories: ReadonlyMap<string, HistoryPoint[]>, { at }: TrackedRun): HistoryPoint[] {
  const positions = new Map<number, HistoryPoint>();
  for (const points of histories.values())
    for (const point of points) if (point.at >= at) positions.set(point.at.getTime(), point);
  return [...positions.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** The change of level that the run at the position makes certain, by what was known then. */
function changeAt(
  position: HistoryPoint,
  lane: Lane,
  histories: ReadonlyMap<string, HistoryPoint[]>,
  segments: readonly Segment[],
  sensitivities: readonly MetricSensitivity[],
): LaneChange | undefined {
  const known = sensitivities.map((sensitivity) => {
    const points = (histories.get(sensitivity.metric.id) ?? []).filter(({ at }) => at <= position.at);
    return { sensitivity, points, present: sinceLastChange(points, segments, position.at) };
  });
  const change = detectChange(
    known.map(({ sensitivity: { metric, rules, alerts }, present }): MetricHistory => {
      return { metricId: metric.id, direction: metric.direction, rules, alerts, points: present };
    }),
  );
  const shown = known.find(({ sensitivity }) => sensitivity.metric.id === change?.metricId);
  if (!change || !shown) return undefined;
  const { seriesId, branch } = lane;
  const { sensitivity, points, present } = shown;
  return { lane: { seriesId, branch }, change, sensitivity, points, first: present[change.firstIndex] };
}
