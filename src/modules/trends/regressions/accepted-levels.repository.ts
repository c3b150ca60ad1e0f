import { type TeamScope } from '../../../platform/database';
import { type LockedRegression } from './locked-regression.repository';

/** Makes the levels of a regression, from its first bad run on, what later runs are judged by. */
export async function acceptLevels(
  { teamId, seriesSegment }: TeamScope,
  { id, seriesId, branch, firstBadAt }: LockedRegression,
  acceptedBy: string,
): Promise<void> {
  const lane = { teamId, seriesId, branch };
  // Its beginning, and each time it got worse or better since.
  await seriesSegment.createMany({
    data: [{ ...lane, at: firstBadAt, reason: 'accepted' }],
    skipDuplicates: true,
  });
  await seriesSegment.updateMany({
    where: { ...lane, at: { gte: firstBadAt }, acceptedBy: null },
    data: { acceptedBy, regressionId: id },
  });
}

/** Its levels are no baseline any more. */
export async function withdrawAcceptance(
  { teamId, seriesSegment }: TeamScope,
  regressionId: string,
): Promise<void> {
  await seriesSegment.updateMany({
    where: { teamId, regressionId },
    data: { acceptedBy: null, regressionId: null },
  });
}
