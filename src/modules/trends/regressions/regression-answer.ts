import { type z } from 'zod';
import { METRIC_CATALOG, type MovedMetric } from '../../../analysis';
import { runLinks } from '../../ingestion';
import { type explanationSchema } from '../explanation-schema';
import { type StoredRegression } from './regression-columns.repository';
import { type StoredRegressionDetail } from './regressions.repository';
import { type regressionSchema, type regressionSummarySchema } from './schemas';

const unitOf = (metricId: string) => METRIC_CATALOG.find(({ id }) => id === metricId)?.unit ?? '';
const runLink = (runId: string | null) => (runId === null ? null : runLinks(runId).self);

/** Where a regression is in the API. */
export const regressionPath = (id: string) => `/v1/regressions/${id}`;

/** A stored regression as lists show it. */
export function toSummary(stored: StoredRegression): z.infer<typeof regressionSummarySchema> {
  const { id, state, resolution, seriesId, model, cluster, workload, branch, metricId, before, after } =
    stored;
  const { firstBadRunId, firstBadCommit, firstBadAt, lastGoodRunId, lastGoodCommit, assigneeId } = stored;
  return {
    ...{ id, state, resolution, seriesId, model, cluster },
    ...{ workload: workload === '' ? null : workload, branch: branch === '' ? null : branch },
    ...withUnit({ metricId, before, after, changeRatio: stored.changeRatio }),
    metrics: stored.metrics.map(withUnit),
    firstBad: { runId: firstBadRunId, commit: firstBadCommit, at: firstBadAt.toISOString() },
    lastGood: { runId: lastGoodRunId, commit: lastGoodCommit },
    openedAt: stored.openedAt.toISOString(),
    resolvedAt: stored.resolvedAt?.toISOString() ?? null,
    goodAgainAt: stored.goodAgainAt?.toISOString() ?? null,
    timesReopened: stored.timesReopened,
    acknowledgedReason: stored.acknowledgedReason,
    assignedTo:
      assigneeId === null
        ? null
        : { userId: assigneeId, name: stored.assigneeName ?? '', email: stored.assigneeEmail ?? '' },
    mutedUntil: stored.mutedUntil?.toISOString() ?? null,
    links: {
      self: regressionPath(id),
      firstBadRun: runLink(firstBadRunId),
      lastGoodRun: runLink(lastGoodRunId),
    },
  };
}

/** A stored regression with everything. */
export function toDetail(stored: StoredRegressionDetail): z.infer<typeof regressionSchema> {
  const { firstBadCommit, lastGoodCommit, explanation, explainedAt, acts } = stored;
  return {
    ...toSummary(stored),
    commitRange:
      lastGoodCommit === null || firstBadCommit === null
        ? null
        : { after: lastGoodCommit, upTo: firstBadCommit },
    explanation: explanation as z.infer<typeof explanationSchema> | null,
    explainedAt: explainedAt?.toISOString() ?? null,
    acts: acts.map(({ actorId, actorName, at, reason, ...act }) => ({
      ...act,
      // Whom it was given to is kept where others have their reason.
      ...(act.act === 'assigned' ? { reason: null, assigneeId: reason } : { reason, assigneeId: null }),
      actor: actorId === null ? null : { id: actorId, name: actorName },
      at: at.toISOString(),
    })),
  };
}

function withUnit({ metricId, before, after, changeRatio }: MovedMetric) {
  return { metricId, unit: unitOf(metricId), before, after, changeRatio: before === 0 ? null : changeRatio };
}
