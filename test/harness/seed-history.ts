import { randomUUID } from 'node:crypto';
import { RecordTrends } from '../../src/modules/trends';
import { TrendRunsRepository } from '../../src/modules/trends/trend-runs.repository';
import { type Database } from '../../src/platform/database';

const HOUR_MS = 3_600_000;
/** When hour 0 of a history is. */
export const HISTORY_START_MS = Date.UTC(2026, 5, 1);

export interface HistoryRun {
  /** Hour of the history in which it ran. */
  hour: number;
  stepNs: number;
  model?: string;
  cluster?: string;
  branch?: string;
  /** Null where it was not told; default: one of its own. */
  commit?: string | null;
  tags?: string[];
  setup?: object;
}

/** A level with noise of half a percent, the same every time. */
export const noisy = (hour: number, levelNs: number) => levelNs * (1 + 0.005 * Math.sin(hour * 2.399963));

/** A finished run, as an analysis leaves it: with a step time, and an MFU that was not measurable. Gives its id. */
export async function addHistoryRun(
  database: Database,
  teamId: string,
  { hour, stepNs, model = 'm', cluster = 'c', branch = 'main', tags = [], setup, ...rest }: HistoryRun,
): Promise<string> {
  const commit = rest.commit === undefined ? `commit-${hour}` : rest.commit;
  return database.forTeam(teamId, async (scope) => {
    const { id } = await scope.run.create({
      data: {
        ...{ teamId, model, cluster, branch, tags, commit, setup: setup ?? { dtype: 'bf16' } },
        ...{ startedAt: new Date(HISTORY_START_MS + hour * HOUR_MS), state: 'done', generation: 1 },
      },
    });
    const report = { analysisVersion: '1', bottleneck: 'none', confidence: 'high', summary: 's', report: {} };
    const analysisId = randomUUID();
    await scope.analysis.create({ data: { id: analysisId, teamId, runId: id, generation: 1, ...report } });
    const of = { teamId, analysisId };
    await scope.metricValue.createMany({
      data: [
        { ...of, metricId: 'step-time', value: stepNs, unit: 'ns', source: 'measured' },
        { ...of, metricId: 'mfu', value: null, unit: 'ratio', source: 'notMeasurable', reason: 'no shapes' },
      ],
    });
    await scope.run.update({ where: { id }, data: { latestAnalysisId: analysisId } });
    return id;
  });
}

/** Puts what is finished into its series, as workers do; all of it. */
export async function recordHistory(database: Database): Promise<void> {
  const chore = new RecordTrends(database, new TrendRunsRepository(database));
  while ((await chore.pass(new AbortController().signal)) > 0);
}
