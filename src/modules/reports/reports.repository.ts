import { Injectable } from '@nestjs/common';
import { type Analysis } from '../../analysis';
import { Database } from '../../platform/database';
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

  /** The report of the given generation, else of the run's present one. Null when the team has no such run. */
  async find(teamId: string, runId: string, generation: number | undefined): Promise<RunWithReport | null> {
    return this.database.forTeam(teamId, async (scope) => {
      const run = await scope.run.findFirst({
        where: { teamId, id: runId },
        select: { state: true, generation: true, failureCode: true, failureReason: true },
      });
      if (!run) return null;
      const found = await scope.analysis.findFirst({
        where: { teamId, runId, generation: generation ?? run.generation },
        select: { id: true, generation: true, createdAt: true, report: true },
      });
      if (!found) return { ...run, report: null };
      const { id: analysisId, createdAt, report } = found;
      // Written by our own workers from an Analysis; compatible changes only add to it.
      const analysis = report as unknown as Analysis;
      return { ...run, report: { analysisId, generation: found.generation, createdAt, analysis } };
    });
  }
}
