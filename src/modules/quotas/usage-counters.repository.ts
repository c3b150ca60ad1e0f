import { type TeamScope } from '../../platform/database';

/** Counts bytes that clients sent, in the transaction that takes them over. Content that was there already is not sent. */
export async function countUploadedBytes(scope: TeamScope, bytes: number): Promise<void> {
  await scope.$executeRaw`
    INSERT INTO usage_days AS u (team_id, day, uploaded_bytes)
    VALUES (${scope.teamId}::uuid, (now() AT TIME ZONE 'UTC')::date, ${bytes}::bigint)
    ON CONFLICT (team_id, day) DO UPDATE SET uploaded_bytes = u.uploaded_bytes + excluded.uploaded_bytes`;
}

/** Counts an analysis that came to an end, well or not, and how long it took, in the transaction that ends it. */
export async function countAnalysis(scope: TeamScope, durationMs: number): Promise<void> {
  await scope.$executeRaw`
    INSERT INTO usage_days AS u (team_id, day, analyses, analysis_ms)
    VALUES (${scope.teamId}::uuid, (now() AT TIME ZONE 'UTC')::date, 1, ${Math.round(durationMs)}::bigint)
    ON CONFLICT (team_id, day) DO UPDATE
    SET analyses = u.analyses + 1, analysis_ms = u.analysis_ms + excluded.analysis_ms`;
}
