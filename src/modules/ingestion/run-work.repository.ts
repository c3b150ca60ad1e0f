import { Injectable } from '@nestjs/common';
import {
  type AbandonedRun,
  Database,
  toSafeNumber,
  type StalledRun,
  type TeamScope,
} from '../../platform/database';
import { type AnalysisArtifact } from './analysis-outcome';
import { mayMove } from './run-state';
import { moveRun, type RunVersion } from './run-state.repository';

export type Claim =
  | {
      kind: 'claimed';
      version: RunVersion;
      artifacts: AnalysisArtifact[];
      queuedAt: Date | null;
      /** Of the request that asked for the analysis. */
      traceParent: string | null;
    }
  /** Another worker is at it and gives signs of life. */
  | { kind: 'busy'; retryInMs: number }
  /** It was tried as often as it may be; it is failed now. */
  | { kind: 'exhausted' }
  /** There is nothing to do: done, failed, deleted, or of another generation. */
  | { kind: 'nothing' };

export interface ClaimRules {
  maxAttempts: number;
  /** A worker that gave no sign of life for this long has lost its claim. */
  silentAfterMs: number;
}

const EXHAUSTED = {
  code: 'analysis-crashed',
  reason: 'The analysis was started as often as it may be and never came to an end; its workers died on it.',
};
/** Sleep before looking again after two workers met. */
const RACE_RETRY_MS = 1_000;

/** Runs as the workers see them. Every change names the version it is based on, so a worker that was replaced changes nothing. */
@Injectable()
export class RunWorkRepository {
  constructor(private readonly database: Database) {}

  /** Takes a run for one attempt at its analysis. */
  async claim(teamId: string, runId: string, generation: number, rules: ClaimRules): Promise<Claim> {
    return this.database.forTeam(teamId, async (scope) => {
      const run = await scope.run.findFirst({
        where: { teamId, id: runId, generation },
        select: { state: true, attempts: true, stateChangedAt: true, queuedAt: true, traceParent: true },
      });
      if (!run || !mayMove(run.state, 'claim')) return { kind: 'nothing' };
      const silentMs = Date.now() - run.stateChangedAt.getTime();
      if (run.state === 'analyzing' && silentMs < rules.silentAfterMs) {
        return { kind: 'busy', retryInMs: Math.max(RACE_RETRY_MS, rules.silentAfterMs - silentMs) };
      }
      const { attempts } = run;
      const seen = { runId, generation, attempts };
      if (attempts >= rules.maxAttempts) {
        return {
          kind: (await moveRun(scope, 'fail', seen, { failure: EXHAUSTED })) ? 'exhausted' : 'nothing',
        };
      }
      if (!(await moveRun(scope, 'claim', seen, { attempts: attempts + 1 }))) {
        return { kind: 'busy', retryInMs: RACE_RETRY_MS };
      }
      return {
        kind: 'claimed',
        version: { ...seen, attempts: attempts + 1 },
        artifacts: await artifactsOf(scope, runId),
        queuedAt: run.queuedAt,
        traceParent: run.traceParent,
      };
    });
  }

  /** False when the claim is lost. */
  async heartbeat(teamId: string, version: RunVersion): Promise<boolean> {
    return this.database.forTeam(teamId, (scope) => moveRun(scope, 'heartbeat', version));
  }

  /** Gives the run back to be taken by another worker. `counted` says whether this attempt is held against it. */
  async release(teamId: string, version: RunVersion, counted: boolean): Promise<boolean> {
    const attempts = counted ? version.attempts : version.attempts - 1;
    return this.database.forTeam(teamId, (scope) => moveRun(scope, 'release', version, { attempts }));
  }

  async fail(
    teamId: string,
    version: RunVersion,
    failure: { code: string; reason: string },
  ): Promise<boolean> {
    return this.database.forTeam(teamId, (scope) => moveRun(scope, 'fail', version, { failure }));
  }

  /**
   * Fails the run and rejects the artifacts whose bytes are not the declared ones, with all others of the team that
   * stand on the same objects: they declare the same content. Otherwise a verified copy that went bad in the store would
   * keep the true file from ever being uploaded. Gives the keys of those objects; none when the claim is lost.
   */
  async failRejecting(
    teamId: string,
    version: RunVersion,
    artifactIds: readonly string[],
    failure: { code: string; reason: string },
  ): Promise<string[]> {
    return this.database.forTeam(teamId, async (scope) => {
      if (!(await moveRun(scope, 'fail', version, { failure }))) return [];
      const rejected = await scope.$queryRaw<{ objectKey: string }[]>`
        UPDATE artifacts SET state = 'rejected'
        WHERE team_id = ${teamId}::uuid AND object_key IN (
          SELECT object_key FROM artifacts
          WHERE team_id = ${teamId}::uuid AND run_id = ${version.runId}::uuid AND id = ANY(${[...artifactIds]}::uuid[]))
        RETURNING object_key AS "objectKey"`;
      return [...new Set(rejected.map(({ objectKey }) => objectKey))];
    });
  }

  /**
   * Fails a run whose upload nobody completed, and rejects what it lacks. Gives the keys and uploads of these artifacts,
   * so that they can be freed; null when the run has moved on.
   */
  async abandon(
    teamId: string,
    version: RunVersion,
    failure: { code: string; reason: string },
  ): Promise<{ objectKey: string; uploadId: string | null }[] | null> {
    return this.database.forTeam(teamId, async (scope) => {
      if (!(await moveRun(scope, 'abandon', version, { failure }))) return null;
      const where = { teamId, runId: version.runId, state: 'awaitingUpload' as const };
      const unfinished = await scope.artifact.findMany({
        where,
        select: { objectKey: true, uploadId: true },
      });
      await scope.artifact.updateMany({ where, data: { state: 'rejected' } });
      return unfinished;
    });
  }

  /** Runs of all teams that await their upload, unchanged since before the given time, the oldest first. */
  async findAbandoned(unchangedSince: Date, maxRows: number): Promise<AbandonedRun[]> {
    return this.database.withoutTeam((scope) => scope.findAbandonedRuns(unchangedSince, maxRows));
  }

  /** Runs of all teams that are queued or analyzing and unchanged since before the given time, the oldest first. */
  async findStalled(unchangedSince: Date, maxRows: number): Promise<StalledRun[]> {
    return this.database.withoutTeam((scope) => scope.findStalledRuns(unchangedSince, maxRows));
  }
}

async function artifactsOf(scope: TeamScope, runId: string): Promise<AnalysisArtifact[]> {
  const rows = await scope.artifact.findMany({
    where: { teamId: scope.teamId, runId, state: { in: ['uploaded', 'verified'] } },
    select: { id: true, name: true, objectKey: true, sizeBytes: true, sha256: true },
    // The order decides which of two traces of one rank is used: the same every time.
    orderBy: { name: 'asc' },
  });
  return rows.map((row) => ({ ...row, sizeBytes: toSafeNumber(row.sizeBytes) }));
}
