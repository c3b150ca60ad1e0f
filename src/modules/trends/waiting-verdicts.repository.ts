import { type TeamScope } from '../../platform/database';
import { type TrackedRun } from './series-state.repository';

/** Runs after it that are looked at: a baseline needs fewer, so that those after them wait for others. */
const RUNS_LOOKED_AT = 40;

/** Runs soon after a run of its lane whose verdict waits for more runs before them, in metrics that the run has. */
export async function listWaitingRuns(
  { teamId, $queryRaw }: TeamScope,
  { seriesId, branch, runId }: TrackedRun,
): Promise<(Pick<TrackedRun, 'runId' | 'at' | 'commit'> & { metricIds: string[] })[]> {
  return $queryRaw`
    SELECT p.run_id AS "runId", p.at, r.commit, array_agg(m.metric_id) AS "metricIds"
    FROM series_metrics m
    JOIN points o ON o.team_id = m.team_id AND o.series_metric_id = m.id AND o.run_id = ${runId}::uuid
    CROSS JOIN LATERAL (
      SELECT q.run_id, q.at FROM points q
      WHERE q.team_id = ${teamId}::uuid AND q.series_metric_id = m.id AND q.branch = ${branch} AND q.at > o.at
      ORDER BY q.at LIMIT ${RUNS_LOOKED_AT}) p
    JOIN run_verdicts v ON v.team_id = m.team_id AND v.run_id = p.run_id AND v.metric_id = m.metric_id
    JOIN runs r ON r.team_id = m.team_id AND r.id = p.run_id
    WHERE m.team_id = ${teamId}::uuid AND m.series_id = ${seriesId}::uuid AND v.reason = 'too-few-runs'
    GROUP BY p.run_id, p.at, r.commit ORDER BY p.at, p.run_id`;
}
