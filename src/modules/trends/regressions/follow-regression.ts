import { collapseRepeats, followLevel, type LevelNews, type MovedMetric } from '../../../analysis';
import { type TeamScope } from '../../../platform/database';
import { type HistoryPoint } from '../history.repository';
import { type MetricSensitivity } from '../sensitivity';
import { addSegment, type Lane } from '../series-state.repository';
import { mergeMoved } from './merge-moved';
import { levelOf, remainingChange } from './remaining-change';
import {
  addAct,
  confirmFixed,
  type FollowedRegression,
  moveRegression,
  reopenRegression,
  resolveRecovered,
} from './regression-state.repository';

/** A regression that comes back within so many commits is the same one. */
const REOPENED_WITHIN_COMMITS = 20;

/** A lane as it was known when one of its runs came. */
export interface LaneView {
  lane: Lane;
  /** Points of every metric up to that run, oldest first. */
  histories: ReadonlyMap<string, readonly HistoryPoint[]>;
  sensitivities: readonly MetricSensitivity[];
}

interface News extends LevelNews {
  first: HistoryPoint;
}

/** Whether the regression is there, as far as people and the detector say. */
export function isUnresolved({ state }: Pick<FollowedRegression, 'state'>): boolean {
  return state !== 'resolved';
}

/**
 * Reads the runs since a regression against its two levels: resolves it when they are good again, moves it when they are on
 * another level, and opens it again when it was said or seen to be over and is not. False when nothing is certain.
 */
export async function followRegression(
  scope: TeamScope,
  view: LaneView,
  followed: FollowedRegression,
): Promise<boolean> {
  const news = newsOf(view, followed);
  if (isUnresolved(followed)) {
    if (news.back) return recover(scope, view, followed, news.back);
    const moved = news.worse ?? news.better;
    return moved !== undefined && move(scope, view, followed, moved);
  }
  if (news.lasting) return reopen(scope, view, followed, news.lasting);
  if (!news.back || followed.goodAgainAt) return false;
  await addSegment(scope, view.lane, { at: news.back.first.at, reason: 'better', acceptedBy: null });
  await confirmFixed(scope, followed.id, news.back.first.at);
  await addAct(scope, followed.id, { act: 'confirmed', runId: news.back.first.runId });
  return true;
}

/** What the runs that count say; of one that may come back, only those soon after it went. */
function newsOf(
  { histories, sensitivities }: LaneView,
  followed: FollowedRegression,
): Partial<Record<LevelNews['kind'], News>> {
  const { metricId, goodAgainAt, followedFrom, resolution } = followed;
  const sensitivity = sensitivities.find(({ metric }) => metric.id === metricId);
  const mayComeBack = resolution === 'recovered' || resolution === 'fixed';
  if (!sensitivity || !(isUnresolved(followed) || mayComeBack)) return {};
  const from = goodAgainAt ?? followedFrom;
  const points = (histories.get(metricId) ?? []).filter(({ at }) => at >= from);
  const commits = collapseRepeats(points);
  if (goodAgainAt && commits.length > REOPENED_WITHIN_COMMITS) return {};
  const level = { ...followed, minChangeRatio: sensitivity.rules.minChangeRatio };
  const found = followLevel(
    commits.map(({ value }) => value),
    level,
  );
  return Object.fromEntries(
    Object.entries(found).map(([kind, one]) => [
      kind,
      { ...one, first: points[commits[one.index].firstIndex] },
    ]),
  );
}

async function recover(
  scope: TeamScope,
  view: LaneView,
  followed: FollowedRegression,
  { first }: News,
): Promise<boolean> {
  await addSegment(scope, view.lane, { at: first.at, reason: 'better', acceptedBy: null });
  const remaining = remainingChange(view, followed, first.at);
  if (remaining) {
    await moveRegression(scope, followed.id, { ...remaining, metrics: followed.metrics, since: first.at });
    const reason = `${followed.metricId} is back, ${remaining.metricId} is not`;
    await addAct(scope, followed.id, { act: 'improved', reason, runId: first.runId });
    return true;
  }
  await resolveRecovered(scope, followed.id, first.at);
  await addAct(scope, followed.id, { act: 'recovered', runId: first.runId });
  return true;
}

async function move(
  scope: TeamScope,
  view: LaneView,
  followed: FollowedRegression,
  { kind, level, first }: News,
): Promise<boolean> {
  await addSegment(scope, view.lane, { at: first.at, reason: kind, acceptedBy: null });
  const { metricId, before, sigma } = followed;
  const metrics = mergeMoved(followed.metrics, [
    ...levelsNow(view, followed, first.at),
    { metricId, before, after: level, changeRatio: 0 },
  ]);
  await moveRegression(scope, followed.id, {
    ...{ metricId, before, after: level, sigma, metrics },
    since: first.at,
  });
  const act = kind === 'worse' ? 'worsened' : 'improved';
  await addAct(scope, followed.id, { act, runId: first.runId });
  return true;
}

async function reopen(
  scope: TeamScope,
  { lane }: LaneView,
  followed: FollowedRegression,
  { first, level }: News,
): Promise<boolean> {
  const reason = followed.goodAgainAt ? 'came-back' : 'still-there';
  await addSegment(scope, lane, { at: first.at, reason: 'worse', acceptedBy: null });
  await reopenRegression(scope, { ...followed, after: level }, first.at);
  await addAct(scope, followed.id, { act: 'reopened', reason, runId: first.runId });
  return true;
}

/** Where the metrics of a regression are from the given time on. */
function levelsNow(view: LaneView, { metrics }: FollowedRegression, since: Date): MovedMetric[] {
  return metrics.flatMap((one) => {
    const after = levelOf(view, one.metricId, since);
    return after === undefined ? [] : [{ ...one, after }];
  });
}
