import { Injectable } from '@nestjs/common';
import { type IdleCauses } from '../../analysis';
import { Database, toSafeNumber } from '../../platform/database';

/** The step after which a page starts. */
export interface StepPlace {
  rank: number;
  index: number;
}

/** Where the time of one step went; the four parts sum to `wallNs`, the causes in `idle` to `idleNs`. */
export interface StoredStep {
  rank: number;
  index: number;
  wallNs: number;
  computeNs: number;
  exposedCommunicationNs: number;
  exposedMemcpyNs: number;
  idleNs: number;
  idle: IdleCauses;
}

export interface StepsRequest {
  /** Of which analysis; the newest report's when left out. */
  generation: number | undefined;
  rank: number | undefined;
  after: StepPlace | undefined;
  limit: number;
}

/** Steps of reports, however many they are. */
@Injectable()
export class StepsRepository {
  constructor(private readonly database: Database) {}

  /** By rank, then by index. `found` says what was missing: the team has no such run, or the run no such report. */
  async list(
    teamId: string,
    runId: string,
    { generation, rank, after, limit }: StepsRequest,
  ): Promise<{ found: 'no-run' | 'no-report' } | { generation: number; steps: StoredStep[] }> {
    return this.database.forTeam(teamId, async ({ run, analysis, stepBreakdown }) => {
      const known = await run.findFirst({ where: { teamId, id: runId }, select: { id: true } });
      if (!known) return { found: 'no-run' };
      const report = await analysis.findFirst({
        where: { teamId, runId, ...(generation === undefined ? {} : { generation }) },
        select: { id: true, generation: true },
        orderBy: { generation: 'desc' },
      });
      if (!report) return { found: 'no-report' };
      const beyond = after && [
        { rank: after.rank, stepIndex: { gt: after.index } },
        { rank: { gt: after.rank } },
      ];
      const rows = await stepBreakdown.findMany({
        where: {
          teamId,
          analysisId: report.id,
          ...(rank === undefined ? {} : { rank }),
          // The first half is what lets the primary key find the place; the second alone is exact.
          ...(beyond && after ? { AND: [{ rank: { gte: after.rank } }, { OR: beyond }] } : {}),
        },
        omit: { teamId: true, analysisId: true },
        orderBy: [{ rank: 'asc' }, { stepIndex: 'asc' }],
        take: limit,
      });
      const steps = rows.map(({ stepIndex, idle, ...row }) => ({
        rank: row.rank,
        index: stepIndex,
        wallNs: toSafeNumber(row.wallNs),
        computeNs: toSafeNumber(row.computeNs),
        exposedCommunicationNs: toSafeNumber(row.exposedCommunicationNs),
        exposedMemcpyNs: toSafeNumber(row.exposedMemcpyNs),
        idleNs: toSafeNumber(row.idleNs),
        // Written by our own workers.
        idle: idle as unknown as IdleCauses,
      }));
      return { generation: report.generation, steps };
    });
  }
}
