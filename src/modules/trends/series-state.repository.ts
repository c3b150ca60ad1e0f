import { type RunJudgement } from '../../analysis';
import { type TeamScope } from '../../platform/database';
import { type TrendSetting } from './sensitivity';
import { type BadInterval, type Segment } from './series-levels';

/** Series and branch. */
export interface Lane {
  seriesId: string;
  branch: string;
}

/** A run in its lane. */
export interface TrackedRun extends Lane {
  runId: string;
  at: Date;
  commit: string | null;
}

/** Levels that people said are none of the code's fault or that are now normal: their runs are a baseline again. */
export const GOOD_RESOLUTIONS: readonly string[] = ['accepted', 'no-regression'];

/** What is known of the levels of a lane. */
export async function loadLevels(
  { teamId, seriesSegment, regression }: TeamScope,
  { seriesId, branch }: Lane,
): Promise<{ segments: Segment[]; bad: BadInterval[] }> {
  const where = { teamId, seriesId, branch };
  const segments = await seriesSegment.findMany({ where, select: { at: true, acceptedBy: true } });
  const regressions = await regression.findMany({
    where: { ...where, OR: [{ resolution: null }, { resolution: { notIn: [...GOOD_RESOLUTIONS] } }] },
    select: { firstBadAt: true, goodAgainAt: true },
  });
  return {
    segments: segments.map(({ at, acceptedBy }) => ({ at, isAccepted: acceptedBy !== null })),
    bad: regressions.map(({ firstBadAt, goodAgainAt }) => ({ from: firstBadAt, until: goodAgainAt })),
  };
}

/** Notes that a lane has another level from then on; false when that is known already. */
export async function addSegment(
  { teamId, seriesSegment }: TeamScope,
  lane: Lane,
  segment: { at: Date; reason: string; acceptedBy: string | null },
): Promise<boolean> {
  const { count } = await seriesSegment.createMany({
    data: [{ teamId, ...lane, ...segment }],
    skipDuplicates: true,
  });
  return count === 1;
}

/** Forgets the improvements after a run that nobody but the detector found. */
export async function forgetImprovements(
  { teamId, seriesSegment }: TeamScope,
  { seriesId, branch, at }: Lane & { at: Date },
): Promise<void> {
  await seriesSegment.deleteMany({
    where: { teamId, seriesId, branch, at: { gt: at }, reason: 'improved', acceptedBy: 'detector' },
  });
}

export async function loadSettings({ teamId, trendSetting }: TeamScope): Promise<TrendSetting[]> {
  return trendSetting.findMany({
    where: { teamId },
    select: { metricId: true, minChangeRatio: true, minScore: true, sensitivity: true, alerts: true },
  });
}

/** Writes what a run was against the runs before it, in the place of earlier verdicts on these metrics, or on all. */
export async function saveVerdicts(
  { teamId, runVerdict }: TeamScope,
  runId: string,
  verdicts: readonly { metricId: string; judgement: RunJudgement }[],
  metricIds?: readonly string[],
): Promise<void> {
  const replaced = metricIds && { metricId: { in: [...metricIds] } };
  await runVerdict.deleteMany({ where: { teamId, runId, ...replaced } });
  await runVerdict.createMany({
    data: verdicts.map(
      ({ metricId, judgement: { verdict, reason, baseline, changeRatio, commits, score } }) => ({
        teamId,
        runId,
        metricId,
        verdict,
        reason,
        changeRatio,
        score,
        baselineMedian: baseline?.median ?? null,
        baselineLow: baseline?.low ?? null,
        baselineHigh: baseline?.high ?? null,
        baselineCommits: commits,
      }),
    ),
  });
}
