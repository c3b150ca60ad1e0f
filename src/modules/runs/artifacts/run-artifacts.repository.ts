import { Injectable } from '@nestjs/common';
import { Database, toSafeNumber, type TeamScope } from '../../../platform/database';
import { readArtifacts, type StoredRunArtifact } from '../runs.repository';

export interface ListedRunArtifact extends StoredRunArtifact {
  /** What the newest report read it as; null when it read it not. */
  format: string | null;
}

export interface StoredObject {
  name: string;
  state: StoredRunArtifact['state'];
  sizeBytes: number;
  objectKey: string;
}

/** The files of a run, to choose from and to fetch. */
@Injectable()
export class RunArtifactsRepository {
  constructor(private readonly database: Database) {}

  /** Artifacts of a run by name, those after the given name; null when the team has no such run. */
  async list(
    teamId: string,
    runId: string,
    afterName: string,
    limit: number,
  ): Promise<ListedRunArtifact[] | null> {
    return this.database.forTeam(teamId, async (scope) => {
      const run = await scope.run.findFirst({
        where: { teamId, id: runId },
        select: { latestAnalysisId: true },
      });
      if (!run) return null;
      const artifacts = await readArtifacts(scope, runId, afterName, limit);
      const names = artifacts.map(({ name }) => name);
      const formats =
        run.latestAnalysisId === null
          ? new Map<string, string>()
          : await readFormats(scope, run.latestAnalysisId, names);
      return artifacts.map((artifact) => ({ ...artifact, format: formats.get(artifact.name) ?? null }));
    });
  }

  /** Where the bytes of an artifact are; null when the team's run has no such artifact. */
  async findObject(teamId: string, runId: string, id: string): Promise<StoredObject | null> {
    return this.database.forTeam(teamId, async ({ artifact }) => {
      const found = await artifact.findFirst({
        where: { teamId, runId, id },
        select: { name: true, state: true, sizeBytes: true, objectKey: true },
      });
      return found && { ...found, sizeBytes: toSafeNumber(found.sizeBytes) };
    });
  }
}

/** Formats by name of the file: the report knows them, and it is too large to be fetched for them. */
async function readFormats(
  { teamId, $queryRaw }: TeamScope,
  analysisId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await $queryRaw<{ name: string; format: string }[]>`
    SELECT item->>'path' AS name, item->>'format' AS format
    FROM analyses a, jsonb_array_elements(a.report->'artifacts') item
    WHERE a.team_id = ${teamId}::uuid AND a.id = ${analysisId}::uuid AND item->>'path' = ANY(${[...names]}::text[])`;
  return new Map(rows.map(({ name, format }) => [name, format]));
}
