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
   * Fails the run and rejects the artifacts whose bytes are not the declared ones, with all that were verified on the
   * same objects: otherwise a copy that went bad in the store would keep the true file from ever being uploaded. Has those
   * objects deleted that nothing stands on any more; a run that was put on one meanwhile keeps it, so that its own
   * analysis says what is wrong. Null when the claim is lost.
   */
  async failRejecting(
    teamId: string,
    version: RunVersion,
    artifactIds: readonly string[],
    failure: { code: string; reason: string },
  ): Promise<Ending | null> {
    return this.database.forTeam(teamId, async (scope) => {
      if (!(await moveRun(scope, 'fail', version, { failure }))) return null;
      const objectKeys = await rejectWithCopies(scope, version.runId, artifactIds);
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

/** Gives the keys of the objects that no artifact stands on any more. */
async function rejectWithCopies(
  { teamId, $executeRaw, $queryRaw }: TeamScope,
  runId: string,
  artifactIds: readonly string[],
): Promise<string[]> {
  const ids = [...artifactIds];
  // Waits for whoever holds one of the artifacts, see holdObject; later statements see what they put on the objects.
  const standing = await $queryRaw<{ objectKey: string }[]>`
    SELECT object_key AS "objectKey" FROM artifacts WHERE team_id = ${teamId}::uuid AND object_key IN (
      SELECT object_key FROM artifacts
      WHERE team_id = ${teamId}::uuid AND run_id = ${runId}::uuid AND id = ANY(${ids}::uuid[])) FOR NO KEY UPDATE`;
  const keys = [...new Set(standing.map(({ objectKey }) => objectKey))];
  await $executeRaw`
    UPDATE artifacts SET state = 'rejected' WHERE team_id = ${teamId}::uuid AND object_key = ANY(${keys})
      AND (state = 'verified' OR run_id = ${runId}::uuid AND id = ANY(${ids}::uuid[]))`;
  const free = await $queryRaw<{ key: string }[]>`
    SELECT key FROM unnest(${keys}::text[]) AS key WHERE NOT EXISTS (
      SELECT 1 FROM artifacts a WHERE a.team_id = ${teamId}::uuid AND a.object_key = key AND a.state <> 'rejected')`;
  return free.map(({ key }) => key);
}
