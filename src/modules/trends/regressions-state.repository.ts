import { type DetectedChange, type MovedMetric } from '../../analysis';
import { type TeamScope } from '../../platform/database';
import { type HistoryPoint } from './history.repository';
import { type Lane } from './series-state.repository';

export interface OpenRegression {
  id: string;
  metricId: string;
  before: number;
  after: number;
  firstBadAt: Date;
  mutedUntil: Date | null;
}

const columns = {
  id: true,
  metricId: true,
  before: true,
  after: true,
  firstBadAt: true,
  mutedUntil: true,
} as const;

/** What a regression is made of when it is found. */
export interface FoundRegression {
  change: DetectedChange;
  firstBad: HistoryPoint;
  lastGood: HistoryPoint | undefined;
}

/** The regression of a lane that is not resolved; there is one at most. */
export async function findOpen(
  { teamId, regression }: TeamScope,
  { seriesId, branch }: Lane,
): Promise<OpenRegression | null> {
  return regression.findFirst({
    where: { teamId, seriesId, branch, state: { not: 'resolved' } },
    select: columns,
  });
}

/** The latest regression of a lane that went away since then. */
export async function findGoneSince(
  { teamId, regression }: TeamScope,
  { seriesId, branch }: Lane,
  since: Date,
): Promise<OpenRegression | null> {
  return regression.findFirst({
    where: {
      ...{ teamId, seriesId, branch, state: 'resolved' as const },
      resolution: { in: ['recovered', 'fixed'] },
      goodAgainAt: { gte: since },
    },
    orderBy: { goodAgainAt: 'desc' },
    select: columns,
  });
}

export async function openRegression(
  scope: TeamScope,
  { seriesId, branch }: Lane,
  { change, firstBad, lastGood }: FoundRegression,
): Promise<string> {
  const { teamId, regression } = scope;
  const { metricId, before, after, changeRatio, moved } = change;
  const { id } = await regression.create({
    data: {
      ...{ teamId, seriesId, branch, metricId, before, after, changeRatio },
      metrics: asJson(moved),
      firstBadRunId: firstBad.runId,
      firstBadAt: firstBad.at,
      firstBadCommit: firstBad.commit,
      lastGoodRunId: lastGood?.runId ?? null,
      lastGoodCommit: lastGood?.commit ?? null,
    },
    select: { id: true },
  });
  return id;
}

/** The level of an open regression moved; it is explained anew. */
export async function moveRegression(
  { teamId, regression }: TeamScope,
  { id, before }: OpenRegression,
  { after, moved }: DetectedChange,
): Promise<void> {
  const changeRatio = before === 0 ? 0 : (after - before) / Math.abs(before);
  await regression.updateMany({
    where: { teamId, id },
    data: { after, changeRatio, metrics: asJson(moved), explainedAt: null },
  });
}

/** A regression began earlier than was known: with another first bad run, and the level changed then. */
export async function moveStart(
  { teamId, regression, seriesSegment }: TeamScope,
  { seriesId, branch }: Lane,
  { id, firstBadAt }: OpenRegression,
  { first, points, change }: { first: HistoryPoint; points: readonly HistoryPoint[]; change: DetectedChange },
): Promise<void> {
  const lastGood = points[points.indexOf(first) - 1] as HistoryPoint | undefined;
  await seriesSegment.updateMany({
    where: { teamId, seriesId, branch, at: firstBadAt },
    data: { at: first.at },
  });
  await regression.updateMany({
    where: { teamId, id },
    data: {
      ...{ before: change.before, after: change.after, changeRatio: change.changeRatio, explainedAt: null },
      ...{ firstBadRunId: first.runId, firstBadAt: first.at, firstBadCommit: first.commit },
      ...{ lastGoodRunId: lastGood?.runId ?? null, lastGoodCommit: lastGood?.commit ?? null },
    },
  });
}

export async function reopenRegression(
  { teamId, regression }: TeamScope,
  { id }: OpenRegression,
  { after }: DetectedChange,
): Promise<void> {
  await regression.updateMany({
    where: { teamId, id },
    data: {
      ...{ state: 'open', after, resolvedAt: null, resolution: null, goodAgainAt: null, explainedAt: null },
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

/** Adds to the history of a regression what the detector, or a person, did with it. */
export async function addAct(
  { teamId, regressionAct }: TeamScope,
  regressionId: string,
  act: { act: string; actorId?: string; actorName?: string; reason?: string; runId?: string },
): Promise<void> {
  await regressionAct.create({ data: { teamId, regressionId, ...act } });
}

function asJson(moved: readonly MovedMetric[]) {
  return moved.map((one) => ({ ...one }));
}
