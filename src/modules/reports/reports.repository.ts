import { Injectable } from '@nestjs/common';
import { type Analysis } from '../../analysis';
import { Database, type TeamScope } from '../../platform/database';
import { type RunState } from '../ingestion';

export interface StoredReport {
  analysisId: string;
  generation: number;
  createdAt: Date;
  analysis: Analysis;
}

/** A run, and the report that was asked for, when it is there. */
export interface RunWithReport {
  state: RunState;
  generation: number;
  failureCode: string | null;
  failureReason: string | null;
  report: StoredReport | null;
}

/** Reports as the workers wrote them. */
@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  /**
   * The report of the given generation, else the newest that is finished, without the properties in `unneeded`. Null when
   * the team has no such run.
   */
  async find(
    teamId: string,
    runId: string,
    generation: number | undefined,
    unneeded: readonly string[] = [],
  ): Promise<RunWithReport | null> {
    return this.database.forTeam(teamId, async (scope) => {
      const run = await scope.run.findFirst({
        where: { teamId, id: runId },
        select: { state: true, generation: true, failureCode: true, failureReason: true },
      });
      if (!run) return null;
      const found = await scope.analysis.findFirst({
        where: { teamId, runId, ...(generation === undefined ? {} : { generation }) },
        select: { id: true, generation: true, createdAt: true },
        orderBy: { generation: 'desc' },
      });
      if (!found) return { ...run, report: null };
      const { id: analysisId, createdAt } = found;
      const analysis = await readAnalysis(scope, analysisId, unneeded);
      return { ...run, report: { analysisId, generation: found.generation, createdAt, analysis } };
    });
  }
}

/** Raw, because a report may be megabytes of which hardly anything is wanted. */
async function readAnalysis(
  { teamId, $queryRaw }: TeamScope,
  id: string,
  unneeded: readonly string[],
): Promise<Analysis> {
  // Written by our own workers from an Analysis; compatible changes only add to it.
  const [{ report }] = await $queryRaw<[{ report: Analysis }]>`
    SELECT report - ${[...unneeded]}::text[] AS report FROM analyses WHERE team_id = ${teamId}::uuid AND id = ${id}::uuid`;
  return unneeded.includes('ranks') ? { ...report, ranks: [] } : report;
}
