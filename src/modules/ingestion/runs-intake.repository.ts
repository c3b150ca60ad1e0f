import { Injectable } from '@nestjs/common';
import { Database, type TeamScope } from '../../platform/database';
import { countUploadedBytes, RunQuotasRepository } from '../quotas';
import { holdObject } from '../retention';
import { type Answer, type IdempotentRequest } from './idempotency';
import { answerOnce } from './idempotency.repository';
import { type NewRun } from './run-metadata';
import { setupOf } from './run-setup';
import { type RunState } from './run-state';
import { moveRun, recordStateEvent } from './run-state.repository';

export interface StoredRun {
  id: string;
  state: RunState;
  generation: number;
  attempts: number;
  failureCode: string | null;
  failureReason: string | null;
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

export const runColumns = {
  id: true,
  state: true,
  generation: true,
  attempts: true,
  failureCode: true,
  failureReason: true,
} as const;

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

  async find(teamId: string, runId: string): Promise<StoredRun | null> {
    return this.database.forTeam(teamId, ({ run }) =>
      run.findFirst({ where: { teamId, id: runId }, select: runColumns }),
    );
  }

  /**
   * Marks the artifacts as uploaded and queues the run for its next analysis, all or nothing. `queued` is null when an
   * artifact was registered meanwhile; a run that is not awaiting its upload any more is given as it is.
   */
  async queueUploaded(
    teamId: string,
    runId: string,
    artifactIds: readonly string[],
  ): Promise<{ run: StoredRun | null; queued: boolean } | null> {
    return this.database.forTeam(teamId, async (scope) => {
      const locked = await lockRun(scope, runId);
      if (!locked) return null;
      if (locked.state !== 'awaitingUpload') return { run: locked, queued: false };
      await countUploadedBytes(scope, await markUploaded(scope, runId, artifactIds));
      const waiting = await scope.artifact.count({ where: { teamId, runId, state: 'awaitingUpload' } });
      if (waiting > 0) return { run: null, queued: false };
      const generation = locked.generation + 1;
      const version = { runId, generation: locked.generation, attempts: locked.attempts };
      const queued = await moveRun(scope, 'queue', version, { generation, attempts: 0 });
      const run = await scope.run.findFirstOrThrow({ where: { teamId, id: runId }, select: runColumns });
      return { run, queued };
    });
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
  const { model, cluster, workload, branch, commit, worldSize, tags } = run;
  // Checked JSON: see metadataProblem.
  const metadata = run.metadata as Record<string, never>;
  const named = { model, cluster, workload, branch, commit, worldSize, tags };
  const created = await scope.run.create({
    data: { ...named, metadata, setup: setupOf(run), teamId: scope.teamId },
    select: runColumns,
  });
  await recordStateEvent(scope, created.id, created.state, {}, created.generation);
  return created;
}

/** Holds the run's row until the transaction ends, so that registrations and completions come one after the other. */
export async function lockRun(scope: TeamScope, runId: string): Promise<StoredRun | null> {
  await scope.$queryRaw`SELECT 1 FROM runs WHERE team_id = ${scope.teamId}::uuid AND id = ${runId}::uuid FOR UPDATE`;
  return scope.run.findFirst({ where: { teamId: scope.teamId, id: runId }, select: runColumns });
}
