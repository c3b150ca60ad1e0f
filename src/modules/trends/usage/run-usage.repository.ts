import { type Analysis } from '../../../analysis';
import { type TeamScope } from '../../../platform/database';
import { type RunToTrend } from '../trend-runs.repository';
import { stepShares } from './step-shares';

/** Notes where the time of a finished run went, in the place of what an earlier analysis said. */
export async function recordUsage(scope: TeamScope, run: RunToTrend): Promise<void> {
  const { teamId, runUsage } = scope;
  const { model, cluster, workload, at, durationS } = run;
  const { bottleneck, ...step } = await readStep(scope, run.analysisId);
  const { parts, gains, mostGains } = stepShares(step);
  const usage = {
    ...{ teamId, at, model, cluster, workload, durationS, bottleneck, gpus: gpusOf(run), gains, mostGains },
    compute: parts?.computeNs ?? null,
    exposedCommunication: parts?.exposedCommunicationNs ?? null,
    exposedMemcpy: parts?.exposedMemcpyNs ?? null,
    inputWait: parts?.inputWaitNs ?? null,
    syncWait: parts?.syncWaitNs ?? null,
    allocator: parts?.allocatorNs ?? null,
    launchGap: parts?.launchGapNs ?? null,
    hostOther: parts?.hostOtherNs ?? null,
    dependency: parts?.dependencyNs ?? null,
    unexplained: parts?.unexplainedNs ?? null,
  };
  await runUsage.upsert({
    where: { runId: run.id, teamId },
    create: { runId: run.id, ...usage },
    update: usage,
  });
}

/** The GPUs of the job, as its client said; null when it did not. */
function gpusOf({ worldSize, setup }: RunToTrend): number | null {
  const { nodes, gpusPerNode } = setup.hardware ?? {};
  return worldSize ?? (nodes !== undefined && gpusPerNode !== undefined ? nodes * gpusPerNode : null);
}

interface ReportRow {
  bottleneck: string;
  calibratedStep: Analysis['calibratedStep'];
  /** The least step by rule, ns; null without findings. */
  least: Partial<Record<string, number | null>> | null;
}

async function readStep({ teamId, $queryRaw, metricValue, finding }: TeamScope, analysisId: string) {
  const [{ least, ...report }] = await $queryRaw<ReportRow[]>`
    SELECT bottleneck, nullif(report -> 'calibratedStep', 'null') AS "calibratedStep",
      (SELECT jsonb_object_agg(f ->> 'rule', f -> 'leastStepNs') FROM jsonb_array_elements(report -> 'findings') f) AS least
    FROM analyses WHERE team_id = ${teamId}::uuid AND id = ${analysisId}::uuid`;
  const where = { teamId, analysisId };
  const metrics = await metricValue.findMany({ where, select: { metricId: true, value: true } });
  const findings = await finding.findMany({ where, select: { rule: true, expectedStepNs: true } });
  return {
    ...report,
    metrics: new Map(metrics.map(({ metricId, value }) => [metricId, value])),
    findings: findings.map(({ rule, expectedStepNs }) => ({
      rule,
      expectedStepNs: expectedStepNs === null ? null : Number(expectedStepNs),
      leastStepNs: least?.[rule] ?? null,
    })),
  };
}
