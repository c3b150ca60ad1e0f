import { type TeamScope } from '../../platform/database';

/** Counts bytes that clients sent, in the transaction that takes them over. Content that was there already is not sent. */
export async function countUploadedBytes(scope: TeamScope, bytes: number): Promise<void> {
  await scope.$executeRaw`
    INSERT INTO usage_days AS u (team_id, day, uploaded_bytes)
    VALUES (${scope.teamId}::uuid, (now() AT TIME ZONE 'UTC')::date, ${bytes}::bigint)
    ON CONFLICT (team_id, day) DO UPDATE SET uploaded_bytes = u.uploaded_bytes + excluded.uploaded_bytes`;
}

/**
 * Counts an analysis that came to an end, well or not, in the transaction that ends it: best as its last statement, because
 * new runs of the team wait from here on. It took as long as the run has been in the hands of its last worker.
 */
export async function countAnalysis(scope: TeamScope, runId: string): Promise<void> {
  await scope.$executeRaw`
    INSERT INTO usage_days AS u (team_id, day, analyses, analysis_ms)
    SELECT ${scope.teamId}::uuid, (now() AT TIME ZONE 'UTC')::date, 1, coalesce((
      SELECT (extract(epoch FROM clock_timestamp() - created_at) * 1000)::bigint FROM team_events
      WHERE team_id = ${scope.teamId}::uuid AND run_id = ${runId}::uuid AND type = 'run.analyzing'
      ORDER BY seq DESC LIMIT 1), 0)
    ON CONFLICT (team_id, day) DO UPDATE
    SET analyses = u.analyses + 1, analysis_ms = u.analysis_ms + excluded.analysis_ms`;
}
