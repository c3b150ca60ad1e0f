import { randomUUID } from 'node:crypto';
import { RecordTrends } from '../../src/modules/trends';
import { RollUpPoints } from '../../src/modules/trends/roll-ups/roll-up-points';
import { RollUpsRepository } from '../../src/modules/trends/roll-ups/roll-ups.repository';
import { TrendRunsRepository } from '../../src/modules/trends/trend-runs.repository';
import { type RunSetup } from '../../src/modules/ingestion';
import { type Database } from '../../src/platform/database';

/** A finished run as an analysis leaves it. */
export interface AnalysedRun {
  at: Date;
  /** Values by metric id. */
  metrics: Record<string, number | null>;
  model?: string;
  cluster?: string;
  workload?: string;
  branch?: string | null;
  commit?: string;
  tags?: string[];
  setup?: RunSetup;
  worldSize?: number;
  durationS?: number;
  comparability?: string;
  verdict?: string;
  findings?: { rule: string; expectedStepNs: number }[];
  report?: object;
}

const TEXTS = { analysisVersion: '1', confidence: 'high', summary: 's' };

/** Stores it; its metrics are in no series yet. Gives the id of the run. */
export async function addAnalysedRun(
  database: Database,
  teamId: string,
  given: AnalysedRun,
): Promise<string> {
  const { at: startedAt, metrics, findings = [], report = {}, verdict = 'none', ...named } = given;
  return database.forTeam(teamId, async (scope) => {
    const run = await scope.run.create({
      data: {
        ...{ teamId, model: 'm', cluster: 'c', branch: 'main', tags: [], setup: { dtype: 'bf16' } },
        ...{ ...named, startedAt, verdict, state: 'done', generation: 1 },
      },
    });
    const analysisId = randomUUID();
    const of = { teamId, analysisId };
    await scope.analysis.create({
      data: { ...TEXTS, id: analysisId, teamId, runId: run.id, generation: 1, bottleneck: verdict, report },
    });
    await scope.run.update({ where: { id: run.id }, data: { latestAnalysisId: analysisId } });
    await scope.metricValue.createMany({
      data: Object.entries(metrics).map(([metricId, value]) => ({
        ...{ ...of, metricId, value, unit: 'ns', source: value === null ? 'notMeasurable' : 'measured' },
        reason: value === null ? 'r' : null,
      })),
    });
    const texts = { bottleneck: 'b', severity: 'major', confidence: 'high', evidence: {}, fixes: [] };
    await scope.finding.createMany({
      data: findings.map(({ rule, expectedStepNs }, ordinal) => {
        return { ...of, ...texts, ordinal, rule, expectedStepNs: BigInt(expectedStepNs) };
      }),
    });
    return run.id;
  });
}

/** Analyses a run again, with other values. */
export async function reanalyse(
  database: Database,
  teamId: string,
  runId: string,
  metrics: Record<string, number>,
): Promise<void> {
  await database.forTeam(teamId, async (scope) => {
    const { generation } = await scope.run.update({
      where: { id: runId },
      data: { generation: { increment: 1 }, latestAnalysisId: null },
    });
    const analysisId = randomUUID();
    await scope.analysis.create({
      data: { ...TEXTS, id: analysisId, teamId, runId, generation, bottleneck: 'none', report: {} },
    });
    await scope.metricValue.createMany({
      data: Object.entries(metrics).map(([metricId, value]) => {
        return { teamId, analysisId, metricId, value, unit: 'ns', source: 'measured' };
      }),
    });
    await scope.run.update({ where: { id: runId }, data: { latestAnalysisId: analysisId } });
  });
}

/** What worker processes do with finished runs, one pass at a time. */
export function trendChores(database: Database) {
  const signal = () => new AbortController().signal;
  const record = new RecordTrends(database, new TrendRunsRepository(database));
  const rollUp = new RollUpPoints(new RollUpsRepository(database));
  return {
    /** Puts all finished runs into their series. */
    record: async () => {
      while ((await record.pass(signal())) > 0);
    },
    /** Makes the daily values anew, where runs were added or deleted. */
    rollUp: async () => {
      while ((await rollUp.pass(signal())) > 0);
    },
  };
}
