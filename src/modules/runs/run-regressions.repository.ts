import { type TeamScope } from '../../platform/database';

/** A regression that a run shows. */
export interface StoredRunRegression {
  id: string;
  state: 'open' | 'acknowledged' | 'resolved';
  resolution: string | null;
  metricId: string;
  isFirstBadRun: boolean;
}

/** The regressions of its series and branch during which the run took place, the newest first. */
export async function readRegressions(
  { teamId, $queryRaw }: TeamScope,
  runId: string,
  maxRows: number,
): Promise<StoredRunRegression[]> {
  return $queryRaw<StoredRunRegression[]>`
    SELECT g.id, g.state, g.resolution, g.metric_id AS "metricId",
      g.first_bad_run_id IS NOT DISTINCT FROM r.id AS "isFirstBadRun"
    FROM runs r JOIN regressions g ON g.team_id = ${teamId}::uuid AND g.series_id = r.series_id
      AND g.branch = coalesce(r.branch, '')
    WHERE r.team_id = ${teamId}::uuid AND r.id = ${runId}::uuid
      AND coalesce(r.started_at, r.created_at) >= g.first_bad_at
      AND coalesce(r.started_at, r.created_at) < coalesce(g.good_again_at, g.resolved_at, 'infinity'::timestamptz)
    ORDER BY g.id DESC LIMIT ${maxRows}::integer`;
}
