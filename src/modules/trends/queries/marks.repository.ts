import { type z } from 'zod';
import { type TeamScope } from '../../../platform/database';
import { Prisma } from '../../../platform/database/generated/client';
import { MARKS_PER_ANSWER, type regressionMarkSchema, type segmentSchema } from './series/series-schemas';

const { sql } = Prisma;

/** Of which series, and where. */
export interface MarkedRange {
  seriesIds: readonly string[];
  branch?: string;
  from?: Date;
  to?: Date;
}

interface Segment extends Omit<z.infer<typeof segmentSchema>, 'at' | 'branch'> {
  at: Date;
  branch: string;
}

interface Mark extends Omit<z.infer<typeof regressionMarkSchema>, 'firstBadAt' | 'goodAgainAt' | 'branch'> {
  branch: string;
  firstBadAt: Date;
  goodAgainAt: Date | null;
}

/** Where levels changed, the newest first. */
export async function listSegments(
  { teamId, $queryRaw }: TeamScope,
  { seriesIds, branch, from, to }: MarkedRange,
): Promise<z.infer<typeof segmentSchema>[]> {
  const rows = await $queryRaw<Segment[]>`
    SELECT g.series_id AS "seriesId", g.branch, g.at, g.reason, g.accepted_by IS NOT NULL AS "isBaseline"
    FROM series_segments g
    WHERE g.team_id = ${teamId}::uuid AND g.series_id = ANY(${[...seriesIds]}::uuid[])
      ${branch === undefined ? Prisma.empty : sql`AND g.branch = ${branch}`}
      ${from ? sql`AND g.at >= ${from}` : Prisma.empty} ${to ? sql`AND g.at < ${to}` : Prisma.empty}
    ORDER BY g.at DESC, g.id LIMIT ${MARKS_PER_ANSWER}`;
  return rows.map((row) => ({ ...row, branch: row.branch || null, at: row.at.toISOString() }));
}

/** Regressions that were there in the range, the newest first; of the metric alone when one is given. */
export async function listRegressionMarks(
  { teamId, $queryRaw }: TeamScope,
  { seriesIds, branch, from, to }: MarkedRange,
  { metricId, unresolvedOnly = false }: { metricId?: string; unresolvedOnly?: boolean },
): Promise<z.infer<typeof regressionMarkSchema>[]> {
  const metric = JSON.stringify([{ metricId }]);
  const rows = await $queryRaw<Mark[]>`
    SELECT g.id, g.series_id AS "seriesId", g.branch, g.state::text AS state, g.metric_id AS "metricId", g.before, g.after,
      CASE WHEN g.before <> 0 THEN g.change_ratio END AS "changeRatio", g.first_bad_at AS "firstBadAt", g.good_again_at AS "goodAgainAt"
    FROM regressions g
    WHERE g.team_id = ${teamId}::uuid AND g.series_id = ANY(${[...seriesIds]}::uuid[])
      ${branch === undefined ? Prisma.empty : sql`AND g.branch = ${branch}`}
      ${unresolvedOnly ? sql`AND g.state <> 'resolved'` : Prisma.empty}
      ${metricId === undefined ? Prisma.empty : sql`AND (g.metric_id = ${metricId} OR g.metrics @> ${metric}::jsonb)`}
      ${from ? sql`AND (g.good_again_at IS NULL OR g.good_again_at >= ${from})` : Prisma.empty}
      ${to ? sql`AND g.first_bad_at < ${to}` : Prisma.empty}
    ORDER BY g.first_bad_at DESC, g.id LIMIT ${MARKS_PER_ANSWER}`;
  return rows.map((row) => ({
    ...row,
    branch: row.branch || null,
    firstBadAt: row.firstBadAt.toISOString(),
    goodAgainAt: row.goodAgainAt?.toISOString() ?? null,
  }));
}
