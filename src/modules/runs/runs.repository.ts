import { Injectable } from '@nestjs/common';
import { Database, toSafeNumber, type TeamScope } from '../../platform/database';
import { readSummaries, type StoredRunSummary } from './run-summaries.repository';
import { readRegressions, type StoredRunRegression } from './run-regressions.repository';
import { readVerdicts, type StoredRunVerdict } from './run-verdicts.repository';

export interface StoredRunArtifact {
  id: string;
  name: string;
  sizeBytes: number;
  sha256: string;
  state: 'awaitingUpload' | 'uploaded' | 'verified' | 'rejected';
  createdAt: Date;
}

export interface StoredRunAnalysis {
  generation: number;
  analysisVersion: string;
  bottleneck: string;
  confidence: string;
  summary: string;
  createdAt: Date;
}

export interface StoredRunDetail extends StoredRunSummary {
  metadata: unknown;
  setup: unknown;
  comparability: string | null;
  seriesId: string | null;
  /** Of a run that is queued: how many runs of the team were queued before it and wait, or are being analysed. */
  runsAhead: number | null;
  /** Null until it was judged. */
  trend: StoredRunVerdict[] | null;
  /** The newest first. */
  regressions: StoredRunRegression[];
  artifactCount: number;
  artifacts: StoredRunArtifact[];
  /** The newest first. */
  analyses: StoredRunAnalysis[];
}

/** How much of a run goes into one answer. */
export interface DetailBounds {
  maxArtifacts: number;
  maxAnalyses: number;
  maxRegressions: number;
}

/** One run, for people and programs to look at. */
@Injectable()
export class RunsRepository {
  constructor(private readonly database: Database) {}

  /** A run with its first artifacts by name and its latest analyses; null when the team has no such run. */
  async find(teamId: string, id: string, bounds: DetailBounds): Promise<StoredRunDetail | null> {
    return this.database.forTeam(teamId, async (scope) => {
      const [summary] = await readSummaries(scope, [id]);
      if (!summary) return null;
      const details = await scope.run.findFirstOrThrow({
        where: { teamId, id },
        select: {
          ...{ metadata: true, setup: true, comparability: true, seriesId: true, queuedAt: true },
          ...{ latestAnalysisId: true, trendedGeneration: true },
        },
      });
      const { queuedAt, latestAnalysisId, trendedGeneration, ...described } = details;
      const isQueued = summary.state === 'queued' && queuedAt !== null;
      return {
        ...summary,
        ...described,
        runsAhead: isQueued ? await countAhead(scope, queuedAt) : null,
        trend: trendedGeneration === 0 ? null : await readVerdicts(scope, id, latestAnalysisId),
        regressions: await readRegressions(scope, id, bounds.maxRegressions),
        artifactCount: await scope.artifact.count({ where: { teamId, runId: id } }),
        artifacts: await readArtifacts(scope, id, '', bounds.maxArtifacts),
        analyses: await readAnalyses(scope, id, bounds.maxAnalyses),
      };
    });
  }
}

function countAhead({ teamId, run }: TeamScope, queuedAt: Date): Promise<number> {
  return run.count({
    where: { teamId, state: { in: ['queued', 'analyzing'] }, queuedAt: { lt: queuedAt } },
  });
}

/** Artifacts of a run by name, those after the given name. */
export async function readArtifacts(
  { teamId, artifact }: TeamScope,
  runId: string,
  afterName: string,
  limit: number,
): Promise<StoredRunArtifact[]> {
  const rows = await artifact.findMany({
    where: { teamId, runId, name: { gt: afterName } },
    select: { id: true, name: true, sizeBytes: true, sha256: true, state: true, createdAt: true },
    orderBy: { name: 'asc' },
    take: limit,
  });
  return rows.map((row) => ({ ...row, sizeBytes: toSafeNumber(row.sizeBytes) }));
}

function readAnalyses({ teamId, analysis }: TeamScope, runId: string, limit: number) {
  return analysis.findMany({
    where: { teamId, runId },
    select: {
      generation: true,
      analysisVersion: true,
      bottleneck: true,
      confidence: true,
      summary: true,
      createdAt: true,
    },
    orderBy: { generation: 'desc' },
    take: limit,
  });
}
