import { type DetectedChange, type MovedMetric } from '../../../analysis';
import { type TeamScope } from '../../../platform/database';
import { type HistoryPoint } from '../history.repository';
import { type Lane } from '../series-state.repository';
import { changeRatioOf } from './merge-moved';

/** A regression that later runs are read against: one that is not resolved, or one that may come back. */
export interface FollowedRegression {
  id: string;
  state: 'open' | 'acknowledged' | 'resolved';
  resolution: string | null;
  metricId: string;
  metrics: MovedMetric[];
  before: number;
  after: number;
  sigma: number;
  firstBadAt: Date;
  goodAgainAt: Date | null;
  followedFrom: Date;
}

const columns = {
  ...{ id: true, state: true, resolution: true, metricId: true, metrics: true, before: true, after: true },
  ...{ sigma: true, firstBadAt: true, goodAgainAt: true, followedFrom: true },
} as const;

/** The regression of a lane that is not resolved, of which there is one at most, else the latest that was. */
export async function findLatest(
  { teamId, regression }: TeamScope,
  { seriesId, branch }: Lane,
): Promise<FollowedRegression | null> {
  const found =
    (await regression.findFirst({
      where: { teamId, seriesId, branch, state: { not: 'resolved' } },
      select: columns,
    })) ??
    (await regression.findFirst({
      where: { teamId, seriesId, branch },
      orderBy: { firstBadAt: 'desc' },
      select: columns,
    }));
  // Written by this module alone.
  return found && { ...found, metrics: found.metrics as unknown as MovedMetric[] };
}

/** What a regression is made of when it is found. */
export interface FoundRegression {
  change: DetectedChange;
  firstBad: HistoryPoint;
  lastGood: HistoryPoint | undefined;
}

export async function openRegression(
  { teamId, regression }: TeamScope,
  { seriesId, branch }: Lane,
  { change, firstBad, lastGood }: FoundRegression,
): Promise<string> {
  const { metricId, before, after, changeRatio, sigma, moved } = change;
  const { id } = await regression.create({
    data: {
      ...{ teamId, seriesId, branch, metricId, before, after, changeRatio, sigma },
      metrics: asJson(moved),
      firstBadRunId: firstBad.runId,
      firstBadAt: firstBad.at,
      firstBadCommit: firstBad.commit,
      followedFrom: firstBad.at,
      lastGoodRunId: lastGood?.runId ?? null,
      lastGoodCommit: lastGood?.commit ?? null,
    },
    select: { id: true },
  });
  return id;
}

/** Figures of a regression, as they are now. */
export interface MovedLevel {
  metricId: string;
  before: number;
  after: number;
  sigma: number;
  metrics: readonly MovedMetric[];
  /** The first run on that level. */
  since: Date;
}

/** The level of a regression moved; it is explained anew. */
export async function moveRegression(
  { teamId, regression }: TeamScope,
  id: string,
  { metrics, since, ...figures }: MovedLevel,
): Promise<void> {
  await regression.updateMany({
    where: { teamId, id },
    data: {
      ...{ ...figures, changeRatio: changeRatioOf(figures), metrics: asJson(metrics) },
      ...{ followedFrom: since, explainedAt: null },
    },
  });
}

/** A regression began earlier than was known: with another first bad run, and the level changed then. */
export async function moveStart(
  { teamId, regression, seriesSegment }: TeamScope,
  { seriesId, branch }: Lane,
  { id, firstBadAt, followedFrom }: FollowedRegression,
  { first, points, change }: { first: HistoryPoint; points: readonly HistoryPoint[]; change: DetectedChange },
): Promise<void> {
  const lastGood = points[points.indexOf(first) - 1] as HistoryPoint | undefined;
  await seriesSegment.updateMany({
    where: { teamId, seriesId, branch, at: firstBadAt },
    data: { at: first.at },
  });
  const isOnFirstLevel = followedFrom.getTime() === firstBadAt.getTime();
  await regression.updateMany({
    where: { teamId, id },
    data: {
      ...(isOnFirstLevel
        ? {
            ...{ before: change.before, after: change.after, changeRatio: change.changeRatio },
            ...{ followedFrom: first.at, metrics: asJson(change.moved) },
          }
        : {}),
      ...{ firstBadRunId: first.runId, firstBadAt: first.at, firstBadCommit: first.commit },
      ...{ lastGoodRunId: lastGood?.runId ?? null, lastGoodCommit: lastGood?.commit ?? null },
      explainedAt: null,
    },
  });
}

/** The cause of a regression is after this run. */
export async function moveLastGood(
  { teamId, regression }: TeamScope,
  id: string,
  { runId, commit }: HistoryPoint,
): Promise<void> {
  await regression.updateMany({
    where: { teamId, id },
    data: { lastGoodRunId: runId, lastGoodCommit: commit },
  });
}

/** A regression that was resolved is there, on this level since then. */
export async function reopenRegression(
  { teamId, regression }: TeamScope,
  { id, before, after }: Pick<FollowedRegression, 'id' | 'before' | 'after'>,
  since: Date,
): Promise<void> {
  await regression.updateMany({
    where: { teamId, id },
    data: {
      ...{ state: 'open', after, changeRatio: changeRatioOf({ before, after }) },
      ...{ resolvedAt: null, resolution: null, goodAgainAt: null, followedFrom: since, explainedAt: null },
      ...{ acknowledgedBy: null, acknowledgedReason: null },
      timesReopened: { increment: 1 },
    },
  });
}

export async function resolveRecovered(
  { teamId, regression }: TeamScope,
  id: string,
  goodAgainAt: Date,
): Promise<void> {
  await regression.updateMany({
    where: { teamId, id, state: { not: 'resolved' } },
    data: { state: 'resolved', resolution: 'recovered', resolvedAt: new Date(), goodAgainAt },
  });
}

/** The runs show that what people called fixed is. */
export async function confirmFixed(
  { teamId, regression }: TeamScope,
  id: string,
  goodAgainAt: Date,
): Promise<void> {
  await regression.updateMany({ where: { teamId, id, resolution: 'fixed' }, data: { goodAgainAt } });
}

/** Adds to the history of a regression what the detector, or a person, did with it. */
export async function addAct(
  { teamId, regressionAct }: TeamScope,
  regressionId: string,
  act: { act: string; actorId?: string | null; actorName?: string | null; reason?: string; runId?: string },
): Promise<void> {
  await regressionAct.create({ data: { teamId, regressionId, ...act } });
}

function asJson(moved: readonly MovedMetric[]) {
  return moved.map((one) => ({ ...one }));
}
