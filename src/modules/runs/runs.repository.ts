import { Injectable } from '@nestjs/common';
import { Database, toSafeNumber } from '../../platform/database';
import { type RunState } from '../ingestion';

export interface RunFilter {
  model?: string;
  cluster?: string;
  state?: RunState;
}

export interface StoredVerdict {
  bottleneck: string;
  confidence: string;
  summary: string;
}

export interface StoredRunSummary {
  id: string;
  model: string;
  cluster: string;
  workload: string | null;
  branch: string | null;
  commit: string | null;
  worldSize: number | null;
  tags: string[];
  state: RunState;
  stateChangedAt: Date;
  generation: number;
  failureCode: string | null;
  failureReason: string | null;
  createdAt: Date;
  /** Of the latest report. */
  verdict: StoredVerdict | null;
}

export interface StoredRunDetail extends StoredRunSummary {
  metadata: unknown;
  artifactCount: number;
  artifacts: {
    id: string;
    name: string;
    sizeBytes: number;
    sha256: string;
    state: string;
    createdAt: Date;
  }[];
}

const summaryColumns = {
  id: true,
  model: true,
  cluster: true,
  workload: true,
  branch: true,
  commit: true,
  worldSize: true,
  tags: true,
  state: true,
  stateChangedAt: true,
  generation: true,
  failureCode: true,
  failureReason: true,
  createdAt: true,
} as const;

const latestVerdict = (teamId: string) => ({
  where: { teamId },
  select: { bottleneck: true, confidence: true, summary: true },
  orderBy: { generation: 'desc' as const },
  take: 1,
});

/** Runs, for people to look at. */
@Injectable()
export class RunsRepository {
  constructor(private readonly database: Database) {}

  /** The newest first; `after` is the id of the last run of the page before. */
  async list(teamId: string, filter: RunFilter, limit: number, after?: string): Promise<StoredRunSummary[]> {
    return this.database.forTeam(teamId, async ({ run }) => {
      const rows = await run.findMany({
        where: { teamId, ...filter },
        select: { ...summaryColumns, analyses: latestVerdict(teamId) },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        ...(after === undefined ? {} : { cursor: { id: after }, skip: 1 }),
      });
      return rows.map(({ analyses, ...row }) => ({ ...row, verdict: analyses.at(0) ?? null }));
    });
  }

  /** A run with its first `maxArtifacts` artifacts by name; null when the team has no such run. */
  async find(teamId: string, id: string, maxArtifacts: number): Promise<StoredRunDetail | null> {
    return this.database.forTeam(teamId, async ({ run, artifact }) => {
      const row = await run.findFirst({
        where: { teamId, id },
        select: { ...summaryColumns, metadata: true, analyses: latestVerdict(teamId) },
      });
      if (!row) return null;
      const artifactCount = await artifact.count({ where: { teamId, runId: id } });
      const artifacts = await artifact.findMany({
        where: { teamId, runId: id },
        select: { id: true, name: true, sizeBytes: true, sha256: true, state: true, createdAt: true },
        orderBy: { name: 'asc' },
        take: maxArtifacts,
      });
      const { analyses, ...rest } = row;
      return {
        ...rest,
        verdict: analyses.at(0) ?? null,
        artifactCount,
        artifacts: artifacts.map((found) => ({ ...found, sizeBytes: toSafeNumber(found.sizeBytes) })),
      };
    });
  }
}
