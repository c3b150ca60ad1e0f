import { type z } from 'zod';
import { DEFAULT_SHIFT_RULES } from '../../analysis';
import { runLinks, type RunSetup } from '../ingestion';
import { type StoredRunArtifact, type StoredRunDetail } from './runs.repository';
import { type StoredRunSummary } from './run-summaries.repository';
import { type StoredRunVerdict } from './run-verdicts.repository';
import { type runDetailSchema, type runSummarySchema } from './schemas';

/** A stored run as lists show it. */
export function toSummary({
  failureCode,
  failureReason,
  startedAt,
  stateChangedAt,
  createdAt,
  ...run
}: StoredRunSummary): z.infer<typeof runSummarySchema> {
  return {
    ...run,
    startedAt: startedAt?.toISOString() ?? null,
    stateChangedAt: stateChangedAt.toISOString(),
    failure: failureCode === null ? null : { code: failureCode, reason: failureReason ?? '' },
    createdAt: createdAt.toISOString(),
    links: runLinks(run.id),
  };
}

/** A stored run with everything. */
export function toDetail(run: StoredRunDetail): z.infer<typeof runDetailSchema> {
  return {
    ...toSummary(run),
    comparability: run.comparability,
    // Both were checked when the run was created.
    setup: run.setup as RunSetup,
    metadata: run.metadata as Record<string, unknown>,
    trend: run.trend?.map(toVerdict) ?? null,
    regressions: run.regressions.map((one) => ({ ...one, self: `/v1/regressions/${one.id}` })),
    runsAhead: run.runsAhead,
    artifactCount: run.artifactCount,
    artifacts: run.artifacts.map(toArtifact),
    analyses: run.analyses.map((one) => ({ ...one, createdAt: one.createdAt.toISOString() })),
  };
}

const { minBaselineRuns } = DEFAULT_SHIFT_RULES;

function toVerdict({ median, low, high, commits, changeRatio, score, ...verdict }: StoredRunVerdict) {
  const baseline = { median: median ?? 0, low: low ?? 0, high: high ?? 0, commits: commits ?? 0 };
  return {
    ...verdict,
    changeRatio: finite(changeRatio),
    score: finite(score),
    baseline: median === null ? null : baseline,
    missingCommits: verdict.reason === 'too-few-runs' ? minBaselineRuns - (commits ?? 0) : null,
  };
}

/** Without noise, and from a level of nothing, there is no distance that JSON could tell. */
function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

export function toArtifact<T extends StoredRunArtifact>({ createdAt, ...artifact }: T) {
  return { ...artifact, createdAt: createdAt.toISOString() };
}
