import { type TeamScope } from '../../platform/database';
import { PRESENTED_METRICS } from '../../presentation';
import { type RunState } from '../ingestion';

export interface StoredVerdict {
  bottleneck: string;
  confidence: string;
  summary: string;
}

export interface StoredMetric {
  id: string;
  value: number | null;
  unit: string;
}

export interface StoredRunSummary {
  id: string;
  model: string;
  cluster: string;
  workload: string | null;
  branch: string | null;
  commit: string | null;
  startedAt: Date | null;
  worldSize: number | null;
  durationS: number | null;
  tags: string[];
  state: RunState;
  stateChangedAt: Date;
  generation: number;
  failureCode: string | null;
  failureReason: string | null;
  createdAt: Date;
  seriesId: string | null;
  /** Of the newest report. */
  verdict: StoredVerdict | null;
  /** Of the newest report, those that stand in lists. */
  metrics: StoredMetric[];
}

const HEADLINE_IDS = PRESENTED_METRICS.filter(({ headline }) => headline).map(({ id }) => id);

const summaryColumns = {
  id: true,
  model: true,
  cluster: true,
  workload: true,
  branch: true,
  commit: true,
  startedAt: true,
  worldSize: true,
  durationS: true,
  tags: true,
  state: true,
  stateChangedAt: true,
  generation: true,
  failureCode: true,
  failureReason: true,
  createdAt: true,
  seriesId: true,
  latestAnalysisId: true,
} as const;

/** The runs with these ids, in the order of the ids; ids that the team has not are left out. */
export async function readSummaries(
  { teamId, run, analysis }: TeamScope,
  ids: readonly string[],
): Promise<StoredRunSummary[]> {
  const rows = await run.findMany({ where: { teamId, id: { in: [...ids] } }, select: summaryColumns });
  const analysisIds = rows.flatMap(({ latestAnalysisId }) => latestAnalysisId ?? []);
  const reports = await analysis.findMany({
    where: { teamId, id: { in: analysisIds } },
    select: {
      id: true,
      bottleneck: true,
      confidence: true,
      summary: true,
      metrics: {
        where: { teamId, metricId: { in: HEADLINE_IDS } },
        select: { metricId: true, value: true, unit: true },
      },
    },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id): StoredRunSummary[] => {
    const found = byId.get(id);
    if (!found) return [];
    const { latestAnalysisId, ...row } = found;
    const report = reports.find((one) => one.id === latestAnalysisId);
    if (!report) return [{ ...row, verdict: null, metrics: [] }];
    const { bottleneck, confidence, summary } = report;
    return [{ ...row, verdict: { bottleneck, confidence, summary }, metrics: inOrder(report.metrics) }];
  });
}

/** Metrics in the order of the catalogue. */
function inOrder(metrics: { metricId: string; value: number | null; unit: string }[]): StoredMetric[] {
  return HEADLINE_IDS.flatMap((id) => {
    const found = metrics.find(({ metricId }) => metricId === id);
    return found ? [{ id, value: found.value, unit: found.unit }] : [];
  });
}
