import { type Database } from '../../src/platform/database';

export interface SeededRun {
  id: string;
  model: string;
  cluster: string;
  workload: string | null;
  branch: string;
  commit: string;
  tags: string[];
  state: 'done' | 'failed';
  verdict: string | null;
  /** Both are null without a report; `mfu` is also null where it was not measurable, and has ties. */
  mfu: number | null;
  stepNs: number | null;
  createdAt: Date;
}

const measured = { source: 'measured' };
const missing = { source: 'notMeasurable', reason: 'no shapes' };

/** Runs of every kind, a minute apart, and some at the same time; the newest first. */
export async function fillRuns(database: Database, teamId: string, count: number): Promise<SeededRun[]> {
  const newestMs = Date.now();
  const seeded: SeededRun[] = [];
  for (let i = 0; i < count; i++) {
    const failed = i % 6 === 5;
    const hasMfu = !failed && i % 5 !== 4;
    const run: Omit<SeededRun, 'id'> = {
      model: `m${i % 3}`,
      cluster: `c${i % 2}`,
      workload: i % 4 === 0 ? 'w0' : null,
      branch: i % 4 < 2 ? 'main' : 'topic',
      commit: `abc${i}`,
      tags: [...(i % 2 === 0 ? ['nightly'] : []), ...(i % 3 === 1 ? ['gpu'] : [])],
      state: failed ? 'failed' : 'done',
      verdict: failed ? null : i % 2 === 0 ? 'communication' : 'input-pipeline',
      mfu: hasMfu ? (i % 4) / 10 + 0.1 : null,
      stepNs: failed ? null : (i + 1) * 2e7,
      createdAt: new Date(newestMs - Math.floor(i / 2) * 60_000),
    };
    seeded.push({ ...run, id: await insert(database, teamId, run) });
  }
  const order = (a: SeededRun, b: SeededRun) =>
    b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);
  return seeded.sort(order);
}

async function insert(database: Database, teamId: string, seeded: Omit<SeededRun, 'id'>): Promise<string> {
  const { mfu, stepNs, verdict, state, ...columns } = seeded;
  return database.forTeam(teamId, async (scope) => {
    const failure = state === 'failed' ? { failureCode: 'analysis-timeout', failureReason: 'r' } : {};
    const data = { ...columns, ...failure, teamId, state, verdict, generation: 1 };
    const { id } = await scope.run.create({ data });
    if (verdict === null) return id;
    const report = {
      analysisVersion: '1',
      bottleneck: verdict,
      confidence: 'high',
      summary: 's',
      report: {},
    };
    const analysis = await scope.analysis.create({ data: { teamId, runId: id, generation: 1, ...report } });
    const of = { teamId, analysisId: analysis.id };
    await scope.metricValue.createMany({
      data: [
        { ...of, metricId: 'mfu', value: mfu, unit: 'ratio', ...(mfu === null ? missing : measured) },
        { ...of, metricId: 'step-time', value: stepNs, unit: 'ns', ...measured },
      ],
    });
    await scope.run.update({ where: { id }, data: { latestAnalysisId: analysis.id } });
    return id;
  });
}
