import { Injectable } from '@nestjs/common';
import { Database, type TeamScope } from '../../platform/database';
import { countUploadedBytes, RunQuotasRepository } from '../quotas';
import { holdObject } from '../retention';
import { type Answer, type IdempotentRequest } from './idempotency';
import { answerOnce } from './idempotency.repository';
import { refuseReanalysis } from './refuse-reanalysis';
import { countNotIncluded, requeue } from './run-endings.repository';
import { type NewRun } from './run-metadata';
import { setupOf } from './run-setup';
import { moveRun, recordStateEvent } from './run-state.repository';
import { lockRun, runColumns, type StoredRun } from './stored-run.repository';

/** What became of a run whose upload was completed, wholly or in part. */
export interface Completed {
  run: StoredRun;
  /** Whether a job is to be enqueued for it. */
  queued: boolean;
  /** Registered artifacts whose bytes are not there yet. */
  awaitingArtifacts: number;
  /** Artifacts that are there, and that the next analysis will be the first to have. */
  newArtifacts: number;
}

/** A file that is in the object store already, with its run. */
export interface IngestedFile {
  artifactId: string;
  name: string;
  sizeBytes: number;
  sha256: string;
  objectKey: string;
  /** An older object with the same content; it is used instead if it is there still. */
  copyKey?: string | null;
}

/** New runs, and the end of their upload. */
@Injectable()
export class RunsIntakeRepository {
  constructor(
    private readonly database: Database,
    private readonly quotas: RunQuotasRepository,
  ) {}

  /** Creates a run that waits for its upload, once for one idempotency key. */
  async create(
    teamId: string,
    run: NewRun,
    request: IdempotentRequest | undefined,
  ): Promise<Answer<StoredRun>> {
    return this.database.forTeam(teamId, (scope) =>
      answerOnce(scope, request, async () => {
        await this.quotas.admitRun(scope);
        return insertRun(scope, run);
      }),
    );
  }

  /**
   * Creates a run whose only artifact is uploaded, and queues it, once for one idempotency key. `stands` says whether
   * the artifact stands on `file.objectKey`; nothing does otherwise.
   */
  async createIngested(
    teamId: string,
    run: NewRun,
    file: IngestedFile,
    request: IdempotentRequest | undefined,
  ): Promise<Answer<StoredRun> & { stands: boolean }> {
    let stands = false;
    const answer = await this.database.forTeam(teamId, (scope) =>
      answerOnce(scope, request, async () => {
        await this.quotas.admitRun(scope);
        await countUploadedBytes(scope, file.sizeBytes);
        const { copyKey = null } = file;
        const heldKey = copyKey !== null && (await holdObject(scope, copyKey)) ? copyKey : null;
        stands = heldKey === null;
        const { id } = await insertRun(scope, run);
        await scope.artifact.create({
          data: {
            id: file.artifactId,
            teamId,
            runId: id,
            name: file.name,
            sizeBytes: file.sizeBytes,
            sha256: file.sha256,
            state: 'uploaded',
            objectKey: heldKey ?? file.objectKey,
            // One PUT, no parts of ours.
            partSizeBytes: 0,
          },
        });
        await moveRun(scope, 'queue', { runId: id, generation: 0, attempts: 0 }, { generation: 1 });
        return scope.run.findFirstOrThrow({ where: { teamId, id }, select: runColumns });
      }),
    );
    return { ...answer, stands };
  }

  async find(teamId: string, runId: string): Promise<(StoredRun & { createdAt: Date }) | null> {
    return this.database.forTeam(teamId, ({ run }) =>
      run.findFirst({ where: { teamId, id: runId }, select: { ...runColumns, createdAt: true } }),
    );
  }

  /**
   * Marks the artifacts as uploaded and, unless an analysis that has them is to come anyway, queues the run for its next
   * one, all or nothing. With `wantsAll` a run stays awaiting its upload while it awaits any artifact. Null when there is
   * no such run.
   */
  async completeUploaded(
    teamId: string,
    runId: string,
    artifactIds: readonly string[],
    { wantsAll }: { wantsAll: boolean },
  ): Promise<Completed | null> {
    return this.database.forTeam(teamId, async (scope) => {
      const locked = await lockRun(scope, runId);
      if (!locked) return null;
      const awaited = { teamId, runId, state: 'awaitingUpload' as const };
      const isAbandoned = locked.failureCode === 'upload-abandoned';
      if (!isAbandoned) await countUploadedBytes(scope, await markUploaded(scope, runId, artifactIds));
      const awaitingArtifacts = await scope.artifact.count({ where: awaited });
      const newArtifacts = await countNotIncluded(scope, runId);
      const isHeldUp = locked.state === 'awaitingUpload' && wantsAll && awaitingArtifacts > 0;
      if (isAbandoned || isHeldUp || newArtifacts === 0) {
        return { run: locked, queued: false, awaitingArtifacts, newArtifacts };
      }
      const queued = await queueNext(scope, locked);
      const run = await scope.run.findFirstOrThrow({ where: { teamId, id: runId }, select: runColumns });
      return { run, queued, awaitingArtifacts, newArtifacts };
    });
  }

  /**
   * Queues a done or failed run to be analysed again, once for one idempotency key. Throws `run-not-found`,
   * `analysis-in-progress`, `nothing-to-analyze` or `backlog-full`.
   */
  async reanalyze(
    teamId: string,
    runId: string,
    request: IdempotentRequest | undefined,
  ): Promise<Answer<StoredRun>> {
    return this.database.forTeam(teamId, (scope) =>
      answerOnce(scope, request, async () => {
        const locked = await lockRun(scope, runId);
        const where = { teamId, runId, state: { in: ['uploaded' as const, 'verified' as const] } };
        refuseReanalysis(locked, await scope.artifact.count({ where }));
        await this.quotas.admitAnalysis(scope);
        const { generation, attempts } = locked;
        await requeue(scope, { runId, generation, attempts });
        return scope.run.findFirstOrThrow({ where: { teamId, id: runId }, select: runColumns });
      }),
    );
  }
}

/** Queues a run that has artifacts for an analysis; false when it is in the line or being analysed already. */
async function queueNext(
  scope: TeamScope,
  { id: runId, state, generation, attempts }: StoredRun,
): Promise<boolean> {
  const seen = { runId, generation, attempts };
  switch (state) {
    case 'awaitingUpload':
      return moveRun(scope, 'queue', seen, { generation: generation + 1, attempts: 0 });
    case 'done':
    case 'failed':
      return (await requeue(scope, seen)) !== null;
    case 'queued':
    case 'analyzing':
      // Read when the run is claimed; or found not to be in the analysis when that ends.
      return false;
  }
}

/** Gives their bytes. */
async function markUploaded(
  { teamId, $queryRaw }: TeamScope,
  runId: string,
  ids: readonly string[],
): Promise<number> {
  const [{ bytes }] = await $queryRaw<[{ bytes: number }]>`
    WITH marked AS (
      UPDATE artifacts SET state = 'uploaded'
      WHERE team_id = ${teamId}::uuid AND run_id = ${runId}::uuid AND state = 'awaitingUpload'
        AND id = ANY(${[...ids]}::uuid[])
      RETURNING size_bytes)
    SELECT coalesce(sum(size_bytes), 0)::float8 AS bytes FROM marked`;
  return bytes;
}

async function insertRun(scope: TeamScope, run: NewRun): Promise<StoredRun> {
  const { model, cluster, workload, branch, commit, startedAt, comparability, worldSize, durationS } = run;
  // Checked JSON: see metadataProblem.
  const metadata = run.metadata as Record<string, never>;
  const named = { model, cluster, workload, branch, commit, startedAt, comparability, worldSize, durationS };
  const created = await scope.run.create({
    data: { ...named, tags: run.tags, metadata, setup: setupOf(run), teamId: scope.teamId },
    select: runColumns,
  });
  await recordStateEvent(scope, created.id, created.state, {}, created.generation);
  return created;
}
