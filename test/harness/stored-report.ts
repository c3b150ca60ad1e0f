import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Analysis } from '../../src/analysis';
import { packageRoot } from '../../src/entry/package-root';
import { type Database } from '../../src/platform/database';
import { analyzeTexts } from '../builders/analyze-texts';

/** The analysis of a small run of two ranks. */
export async function sampleReport(): Promise<Analysis> {
  const folder = join(packageRoot(), 'test/golden/kineto/two-ranks-one-late');
  const files = ['rank0.json', 'rank1.json'];
  return analyzeTexts(files.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') })));
}

interface StoredReportOptions {
  ranks: number;
  /** Steps of each rank; 8 ns each. */
  steps: number;
  /** Another analysis of this run, instead of a new one. */
  runId?: string;
  generation?: number;
}

/** Stores a report with its steps, of a run that is done. Gives the id of the run. */
export async function storeReport(
  database: Database,
  teamId: string,
  report: Analysis,
  { ranks, steps, runId, generation = 1 }: StoredReportOptions,
): Promise<string> {
  return database.forTeam(teamId, async (scope) => {
    const { bottleneck, confidence } = report.verdict;
    const id =
      runId ??
      (await scope.run.create({ data: { teamId, model: 'm', cluster: 'c', state: 'done', tags: [] } })).id;
    const texts = { analysisVersion: report.analysisVersion, bottleneck, confidence, summary: 's' };
    const analysis = await scope.analysis.create({
      data: { teamId, runId: id, generation, ...texts, report: JSON.parse(JSON.stringify(report)) as object },
    });
    const parts = { wallNs: 8n, computeNs: 4n, exposedCommunicationNs: 1n, exposedMemcpyNs: 1n, idleNs: 2n };
    const idle = { inputWaitNs: 2, syncWaitNs: 0, allocatorNs: 0, launchGapNs: 0, hostOtherNs: 0 };
    await scope.stepBreakdown.createMany({
      data: Array.from({ length: ranks * steps }, (_, i) => ({
        ...{ teamId, analysisId: analysis.id, rank: Math.floor(i / steps), stepIndex: i % steps },
        ...{ ...parts, idle: { ...idle, dependencyNs: 0, unexplainedNs: 0 } },
      })),
    });
    await scope.run.update({
      where: { id },
      data: { generation, latestAnalysisId: analysis.id, verdict: bottleneck },
    });
    return id;
  });
}
