import { type SeriesIdentity } from '../../analysis';
import { type TeamScope } from '../../platform/database';
import { type RunState } from '../ingestion';

/** A run, as far as a gate needs it. */
export interface GateRun {
  id: string;
  model: string;
  cluster: string;
  workload: string | null;
  branch: string | null;
  commit: string | null;
  /** When the training ran. */
  at: Date;
  state: RunState;
  failureCode: string | null;
  failureReason: string | null;
  /** Whether its newest report is in its series. */
  isTrended: boolean;
  /** Null until it is in one. */
  seriesId: string | null;
  comparability: string | null;
}

/** A run with its series; null when the team has no such run. */
export async function findGateRun({ teamId, $queryRaw }: TeamScope, runId: string): Promise<GateRun | null> {
  const [found] = await $queryRaw<GateRun[]>`
    SELECT r.id, r.model, r.cluster, r.workload, r.branch, r.commit, coalesce(r.started_at, r.created_at) AS at,
      r.state::text AS state, r.failure_code AS "failureCode", r.failure_reason AS "failureReason",
      r.trended_generation >= r.generation AS "isTrended", r.series_id AS "seriesId", s.comparability
    FROM runs r LEFT JOIN series s ON s.id = r.series_id AND s.team_id = ${teamId}::uuid
    WHERE r.team_id = ${teamId}::uuid AND r.id = ${runId}::uuid`;
  return found ?? null;
}

/** The series of a run; null when it is in none. */
export function seriesOf({ model, cluster, workload, comparability }: GateRun): SeriesIdentity | null {
  return comparability === null ? null : { model, cluster, workload: workload ?? '', comparability };
}

/** A figure of a run's newest report. */
export interface GateFigure {
  metricId: string;
  value: number | null;
  /** Why it was not measurable. */
  reason: string | null;
}

/** Figures of the newest report of a run. */
export async function listFigures(
  { teamId, $queryRaw }: TeamScope,
  runId: string,
  metricIds: readonly string[],
): Promise<GateFigure[]> {
  return $queryRaw<GateFigure[]>`
    SELECT v.metric_id AS "metricId", v.value, v.reason
    FROM runs r JOIN metric_values v ON v.team_id = ${teamId}::uuid AND v.analysis_id = r.latest_analysis_id
    WHERE r.team_id = ${teamId}::uuid AND r.id = ${runId}::uuid AND v.metric_id = ANY(${[...metricIds]}::text[])`;
}

/** Repeats that are looked at; more say nothing new. */
const MAX_REPEATS = 20;

/** Figures of the latest earlier runs of the run's commit in its series. */
export async function listRepeats(
  { teamId, $queryRaw }: TeamScope,
  { id, seriesId, commit, at }: GateRun,
  metricIds: readonly string[],
): Promise<{ metricId: string; value: number }[]> {
  if (seriesId === null || commit === null) return [];
  return $queryRaw<{ metricId: string; value: number }[]>`
    SELECT v.metric_id AS "metricId", v.value
    FROM (
      SELECT latest_analysis_id FROM runs
      WHERE team_id = ${teamId}::uuid AND commit = ${commit} AND series_id = ${seriesId}::uuid
        AND (coalesce(started_at, created_at), id) < (${at}, ${id}::uuid)
      ORDER BY coalesce(started_at, created_at) DESC, id DESC LIMIT ${MAX_REPEATS}) r
    JOIN metric_values v ON v.team_id = ${teamId}::uuid AND v.analysis_id = r.latest_analysis_id
    WHERE v.metric_id = ANY(${[...metricIds]}::text[]) AND v.value IS NOT NULL`;
}
