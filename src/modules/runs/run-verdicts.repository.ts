import { METRIC_CATALOG, type RunVerdict } from '../../analysis';
import { type TeamScope } from '../../platform/database';

/** What a run was against the runs before it, by one metric. */
export interface StoredRunVerdict {
  metricId: string;
  unit: string;
  value: number | null;
  verdict: RunVerdict;
  reason: string | null;
  changeRatio: number | null;
  score: number | null;
  /** Of the baseline; all are null without one. */
  median: number | null;
  low: number | null;
  high: number | null;
  commits: number | null;
}

/** The verdicts of a run in the order of the catalogue, with the values of the given report. */
export async function readVerdicts(
  { teamId, $queryRaw }: TeamScope,
  runId: string,
  analysisId: string | null,
): Promise<StoredRunVerdict[]> {
  const rows = await $queryRaw<Omit<StoredRunVerdict, 'unit'>[]>`
    SELECT v.metric_id AS "metricId", m.value, v.verdict, v.reason, v.change_ratio AS "changeRatio", v.score,
      v.baseline_median AS median, v.baseline_low AS low, v.baseline_high AS high, v.baseline_commits AS commits
    FROM run_verdicts v
    LEFT JOIN metric_values m ON m.team_id = ${teamId}::uuid AND m.analysis_id = ${analysisId}::uuid
      AND m.metric_id = v.metric_id
    WHERE v.team_id = ${teamId}::uuid AND v.run_id = ${runId}::uuid`;
  return METRIC_CATALOG.flatMap(({ id, unit }) => {
    const found = rows.find(({ metricId }) => metricId === id);
    return found ? [{ ...found, unit }] : [];
  });
}
