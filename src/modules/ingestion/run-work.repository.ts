import { Injectable } from '@nestjs/common';
import { type AbandonedRun, Database, type TeamRow, type TeamScope } from '../../platform/database';
import { scheduleDeletion } from '../retention';
import { requeueLate } from './run-endings.repository';
import { moveRun, type RunVersion } from './run-state.repository';

/** How an analysis ended for its run. */
export interface Ending {
  /** The generation that the run was queued for at once, because artifacts came while it was analysed. */
  nextGeneration: number | null;
}

/** Runs as the workers see them. Every change names the version it is based on, so a worker that was replaced changes nothing. */
@Injectable()
export class RunWorkRepository {
  constructor(private readonly database: Database) {}

  /** False when the claim is lost. */
  async heartbeat(teamId: string, version: RunVersion): Promise<boolean> {
    return this.database.forTeam(teamId, (scope) => moveRun(scope, 'heartbeat', version));
  }

  /**
   * Gives the run back, to be taken by another worker after `delayMs`. `counted` says whether this attempt is held against
   * it. False when the claim is lost.
   */
  async release(
    teamId: string,
    version: RunVersion,
    { counted, delayMs }: { counted: boolean; delayMs: number },
  ): Promise<boolean> {
    const attempts = counted ? version.attempts : version.attempts - 1;
    const notBefore = delayMs > 0 ? new Date(Date.now() + delayMs) : null;
    return this.database.forTeam(teamId, (scope) =>
      moveRun(scope, 'release', version, { attempts, notBefore }),
    );
  }

  /** Null when the claim is lost. */
  async fail(
    teamId: string,
    version: RunVersion,
    failure: { code: string; reason: string },
  ): Promise<Ending | null> {
    return this.database.forTeam(teamId, async (scope) => {
      if (!(await moveRun(scope, 'fail', version, { failure }))) return null;
      return { nextGeneration: await requeueLate(scope, version) };
    });
  }

  /**
   * Fails the run and rejects the artifacts whose bytes are not the declared ones, with all others of the team that
   * stand on the same objects: they declare the same content. Otherwise a verified copy that went bad in the store would
   * keep the true file from ever being uploaded. The objects are deleted. Null when the claim is lost.
   */
  async failRejecting(
    teamId: string,
    version: RunVersion,
    artifactIds: readonly string[],
    failure: { code: string; reason: string },
  ): Promise<Ending | null> {
    return this.database.forTeam(teamId, async (scope) => {
      if (!(await moveRun(scope, 'fail', version, { failure }))) return null;
      const rejected = await scope.$queryRaw<{ objectKey: string }[]>`
        UPDATE artifacts SET state = 'rejected'
        WHERE team_id = ${teamId}::uuid AND object_key IN (
          SELECT object_key FROM artifacts
          WHERE team_id = ${teamId}::uuid AND run_id = ${version.runId}::uuid AND id = ANY(${[...artifactIds]}::uuid[]))
        RETURNING object_key AS "objectKey"`;
      const objectKeys = [...new Set(rejected.map(({ objectKey }) => objectKey))];
      await scheduleDeletion(
        scope,
        objectKeys.map((objectKey) => ({ objectKey, uploadId: null })),
      );
      return { nextGeneration: await requeueLate(scope, version) };
    });
  }

  /**
   * Fails a run whose upload nobody completed, rejects what it lacks, and has deleted what there is of that. Gives the
   * number of these artifacts; null when the run has moved on.
   */
  async abandon(
    teamId: string,
    version: RunVersion,
    failure: { code: string; reason: string },
  ): Promise<number | null> {
    return this.database.forTeam(teamId, async (scope) => {
      if (!(await moveRun(scope, 'abandon', version, { failure }))) return null;
      return rejectAwaited(scope, { runId: version.runId });
    });
  }

  /** Rejects an artifact that nobody uploaded, and has deleted what there is of it; false when it was uploaded. */
  async rejectAwaited(teamId: string, id: string): Promise<boolean> {
    return this.database.forTeam(teamId, async (scope) => (await rejectAwaited(scope, { id })) > 0);
  }

  /** Artifacts of all teams that their completed run goes without, registered before the given time. */
  async findAbandonedArtifacts(registeredBefore: Date, maxRows: number): Promise<TeamRow[]> {
    return this.database.withoutTeam((scope) => scope.findAbandonedArtifacts(registeredBefore, maxRows));
  }

  /** Runs of all teams that await their upload, unchanged since before the given time, the oldest first. */
  async findAbandoned(unchangedSince: Date, maxRows: number): Promise<AbandonedRun[]> {
    return this.database.withoutTeam((scope) => scope.findAbandonedRuns(unchangedSince, maxRows));
  }
}

async function rejectAwaited(scope: TeamScope, which: { id: string } | { runId: string }): Promise<number> {
  const rejected = await scope.artifact.updateManyAndReturn({
    where: { teamId: scope.teamId, ...which, state: 'awaitingUpload' },
    data: { state: 'rejected' },
    select: { objectKey: true, uploadId: true },
  });
  await scheduleDeletion(scope, rejected);
  return rejected.length;
}
