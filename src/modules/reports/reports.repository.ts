import { Injectable } from '@nestjs/common';
import { type Analysis } from '../../analysis';
import { Database } from '../../platform/database';
import { type RunState } from '../ingestion';

/** A report, without what it says. */
export interface StoredReport {
  analysisId: string;
  generation: number;
  createdAt: Date;
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

  /** Which report there is: of the given generation, else the newest that is finished. Null when the team has no such run. */
  async find(teamId: string, runId: string, generation: number | undefined): Promise<RunWithReport | null> {
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
      const { id: analysisId, ...report } = found;
      return { ...run, report: { analysisId, ...report } };
    });
  }

  /** What the report says, without the properties in `unneeded`; null when it was deleted. */
  async read(teamId: string, analysisId: string, unneeded: readonly string[] = []): Promise<Analysis | null> {
    return this.database.forTeam(teamId, async ({ $queryRaw }) => {
      // Raw, because a report may be megabytes of which hardly anything is wanted. Written by our own workers from an
      // Analysis; compatible changes only add to it.
      const [found] = await $queryRaw<{ report: Analysis }[]>`
        SELECT report - ${[...unneeded]}::text[] AS report FROM analyses
        WHERE team_id = ${teamId}::uuid AND id = ${analysisId}::uuid`;
      if (!found) return null;
      return unneeded.includes('ranks') ? { ...found.report, ranks: [] } : found.report;
    });
  }
}
