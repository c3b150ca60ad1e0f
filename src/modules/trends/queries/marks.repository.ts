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

/** Of which regressions. */
export interface MarkedRegressions {
  /** Of this metric alone, whether it speaks for the regression or not. */
  metricId?: string;
  unresolvedOnly?: boolean;
}

type Segment = z.infer<typeof segmentSchema>;
type Mark = z.infer<typeof regressionMarkSchema>;

/** Rows as JSON, times in ms since 1970, '' for no branch. */
interface StoredMarks {
  segments: (Omit<Segment, 'at' | 'branch'> & { at: number; branch: string })[];
  regressions: (Omit<Mark, 'firstBadAt' | 'goodAgainAt' | 'branch'> & {
    branch: string;
    firstBadAt: number;
    goodAgainAt: number | null;
  })[];
}

/** Where levels changed and the regressions that were there in the range, the newest first. In one round trip, because every chart asks. */
export async function listMarks(
  { teamId, $queryRaw }: TeamScope,
  range: MarkedRange,
  which: MarkedRegressions,
): Promise<{ segments: Segment[]; regressions: Mark[] }> {
  const [{ segments, regressions }] = await $queryRaw<[StoredMarks]>`
    SELECT coalesce((SELECT json_agg(s) FROM (${segmentsOf(teamId, range)}) s), '[]') AS segments,
      coalesce((SELECT json_agg(g) FROM (${regressionsOf(teamId, range, which)}) g), '[]') AS regressions`;
  return {
    segments: segments.map((row) => ({ ...row, branch: row.branch || null, at: isoTime(row.at) })),
    regressions: regressions.map((row) => ({
      ...row,
      branch: row.branch || null,
      firstBadAt: isoTime(row.firstBadAt),
      goodAgainAt: row.goodAgainAt === null ? null : isoTime(row.goodAgainAt),
    })),
  };
}

function segmentsOf(teamId: string, { seriesIds, branch, from, to }: MarkedRange): Prisma.Sql {
  return sql`
    SELECT g.series_id AS "seriesId", g.branch, ${msOf(sql`g.at`)} AS at, g.reason, g.accepted_by IS NOT NULL AS "isBaseline"
    FROM series_segments g
    WHERE g.team_id = ${teamId}::uuid AND g.series_id = ANY(${[...seriesIds]}::uuid[])
      ${branch === undefined ? Prisma.empty : sql`AND g.branch = ${branch}`}
      ${from ? sql`AND g.at >= ${from}` : Prisma.empty} ${to ? sql`AND g.at < ${to}` : Prisma.empty}
    ORDER BY g.at DESC, g.id LIMIT ${MARKS_PER_ANSWER}`;
}

function regressionsOf(
  teamId: string,
  { seriesIds, branch, from, to }: MarkedRange,
  { metricId, unresolvedOnly = false }: MarkedRegressions,
): Prisma.Sql {
  const metric = JSON.stringify([{ metricId }]);
  return sql`
    SELECT g.id, g.series_id AS "seriesId", g.branch, g.state::text AS state, g.metric_id AS "metricId", g.before, g.after,
      CASE WHEN g.before <> 0 THEN g.change_ratio END AS "changeRatio",
      ${msOf(sql`g.first_bad_at`)} AS "firstBadAt", ${msOf(sql`g.good_again_at`)} AS "goodAgainAt"
    FROM regressions g
    WHERE g.team_id = ${teamId}::uuid AND g.series_id = ANY(${[...seriesIds]}::uuid[])
      ${branch === undefined ? Prisma.empty : sql`AND g.branch = ${branch}`}
      ${unresolvedOnly ? sql`AND g.state <> 'resolved'` : Prisma.empty}
      ${metricId === undefined ? Prisma.empty : sql`AND (g.metric_id = ${metricId} OR g.metrics @> ${metric}::jsonb)`}
      ${from ? sql`AND (g.good_again_at IS NULL OR g.good_again_at >= ${from})` : Prisma.empty}
      ${to ? sql`AND g.first_bad_at < ${to}` : Prisma.empty}
    ORDER BY g.first_bad_at DESC, g.id LIMIT ${MARKS_PER_ANSWER}`;
}

const msOf = (column: Prisma.Sql) => sql`floor(extract(epoch FROM ${column}) * 1000)::bigint`;

const isoTime = (ms: number) => new Date(ms).toISOString();
