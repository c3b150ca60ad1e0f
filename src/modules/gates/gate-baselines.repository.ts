import { type GateBaseline, type SeriesIdentity } from '../../analysis';
import { type TeamScope } from '../../platform/database';
import { Prisma } from '../../platform/database/generated/client';
import { type BadInterval, GOOD_RESOLUTIONS, type Segment } from '../trends';
import { type GateRun } from './gate-runs.repository';

/** A value of a run that others may be compared with. */
export interface PastPoint {
  metricId: string;
  runId: string;
  at: Date;
  value: number;
  commit: string | null;
  branch: string;
}

/** Points of one metric that are looked at: a hundred commits with their repeats. */
const POINTS_LOOKED_AT = 500;

/**
 * Points of the run's series before the run, of the wanted branch or tag and not of its own commit, oldest first. Those of
 * regressions, which may be the latest hundreds, are left out.
 */
export async function listPast(
  { teamId, $queryRaw }: TeamScope,
  { id, seriesId, at, commit }: GateRun,
  baseline: Exclude<GateBaseline, { kind: 'run' }>,
  metricIds: readonly string[],
  levels: ReadonlyMap<string, BranchLevels>,
): Promise<PastPoint[]> {
  const bad = [...levels].flatMap(([branch, { bad }]) => bad.map((interval) => ({ branch, ...interval })));
  const [branches, from, until] = [
    bad.map(({ branch }) => branch),
    bad.map((one) => one.from),
    bad.map((one) => one.until),
  ];
  const isWanted =
    baseline.kind === 'branch'
      ? Prisma.sql`q.branch = ${baseline.branch}`
      : Prisma.sql`EXISTS (SELECT 1 FROM run_tags t
          WHERE t.team_id = ${teamId}::uuid AND t.run_id = q.run_id AND t.tag = ${baseline.tag})`;
  return $queryRaw<PastPoint[]>`
    SELECT m.metric_id AS "metricId", p.run_id AS "runId", p.at, p.value, p.commit, p.branch
    FROM series_metrics m
    CROSS JOIN LATERAL (
      SELECT q.at, q.run_id, q.value, q.branch, r.commit
      FROM points q JOIN runs r ON r.id = q.run_id AND r.team_id = ${teamId}::uuid
      WHERE q.team_id = ${teamId}::uuid AND q.series_metric_id = m.id AND (q.at, q.run_id) < (${at}, ${id}::uuid)
        AND ${isWanted} AND r.commit IS DISTINCT FROM ${commit ?? ''}
        AND NOT EXISTS (
          SELECT 1 FROM unnest(${branches}::text[], ${from}::timestamptz[], ${until}::timestamptz[]) AS bad("branch", "from", "until")
          WHERE bad."branch" = q.branch AND q.at >= bad."from" AND (bad."until" IS NULL OR q.at < bad."until"))
      ORDER BY q.at DESC, q.run_id DESC LIMIT ${POINTS_LOOKED_AT}) p
    WHERE m.team_id = ${teamId}::uuid AND m.series_id = ${seriesId}::uuid AND m.metric_id = ANY(${[...metricIds]}::text[])
    ORDER BY p.at, p.run_id`;
}

/** What is known of the levels of one branch of a series. */
export interface BranchLevels {
  segments: Segment[];
  bad: BadInterval[];
}

/** The levels of every branch of a series that has any. */
export async function loadLevelsOf(
  { teamId, seriesSegment, regression }: TeamScope,
  seriesId: string,
): Promise<Map<string, BranchLevels>> {
  const where = { teamId, seriesId };
  const levels = new Map<string, BranchLevels>();
  const of = (branch: string) => {
    const known = levels.get(branch) ?? { segments: [], bad: [] };
    levels.set(branch, known);
    return known;
  };
  const accepted = await seriesSegment.findMany({
    where: { ...where, acceptedBy: { not: null } },
    select: { branch: true, at: true },
  });
  for (const { branch, at } of accepted) of(branch).segments.push({ at, isAccepted: true });
  const regressions = await regression.findMany({
    where: { ...where, OR: [{ resolution: null }, { resolution: { notIn: [...GOOD_RESOLUTIONS] } }] },
    select: { branch: true, firstBadAt: true, goodAgainAt: true },
  });
  for (const { branch, firstBadAt, goodAgainAt } of regressions)
    of(branch).bad.push({ from: firstBadAt, until: goodAgainAt });
  return levels;
}

/** The latest other series of the run's model and cluster with a run of the branch before it. */
export async function findOtherSeries(
  { teamId, $queryRaw }: TeamScope,
  { seriesId, model, cluster, at }: GateRun,
  branch: string,
): Promise<SeriesIdentity | null> {
  const found = await $queryRaw<SeriesIdentity[]>`
    SELECT s.model, s.cluster, s.workload, s.comparability FROM series s
    WHERE s.team_id = ${teamId}::uuid AND s.model = ${model} AND s.cluster = ${cluster} AND s.id <> ${seriesId}::uuid
      AND EXISTS (
        SELECT 1 FROM series_metrics m JOIN points p ON p.series_metric_id = m.id AND p.team_id = ${teamId}::uuid
        WHERE m.team_id = ${teamId}::uuid AND m.series_id = s.id AND p.branch = ${branch} AND p.at < ${at})
    ORDER BY s.last_run_at DESC LIMIT 1`;
  return found[0] ?? null;
}
