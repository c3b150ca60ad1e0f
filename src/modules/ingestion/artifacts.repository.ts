import { Injectable } from '@nestjs/common';
import { Database, toSafeNumber, type TeamScope } from '../../platform/database';
import { holdObject } from '../retention';
import { lockRun } from './stored-run.repository';
import { type UploadWindow } from './upload-window';

export interface StoredArtifact {
  id: string;
  runId: string;
  name: string;
  sizeBytes: number;
  sha256: string;
  state: 'awaitingUpload' | 'uploaded' | 'verified' | 'rejected';
  objectKey: string;
  uploadId: string | null;
  partSizeBytes: number;
}

export type NewStoredArtifact = Omit<StoredArtifact, 'runId'>;

/** What a run holds when an artifact is to be added to it. */
export interface RegistrationView {
  run: UploadWindow;
  /** The artifact of the same name. */
  sameName: StoredArtifact | null;
  /** Of all other artifacts. */
  artifactCount: number;
  totalBytes: number;
}

/**
 * The artifact that is there already, or null when the new one may be added, in the place of a rejected one if there is one;
 * throws why it may not.
 */
export type Admission = (view: RegistrationView | null) => StoredArtifact | null;

const columns = {
  id: true,
  runId: true,
  name: true,
  sizeBytes: true,
  sha256: true,
  state: true,
  objectKey: true,
  uploadId: true,
  partSizeBytes: true,
} as const;

/** The files of runs. */
@Injectable()
export class ArtifactsRepository {
  constructor(private readonly database: Database) {}

  /** Null when the team has no such run. */
  async viewForRegistration(teamId: string, runId: string, name: string): Promise<RegistrationView | null> {
    return this.database.forTeam(teamId, (scope) => view(scope, runId, name));
  }

  /**
   * Adds the artifact if `admit` allows it, seeing the run as it is then; returns what `admit` threw through. The run's
   * row is held meanwhile, so two registrations cannot both take the last place.
   */
  async add(
    teamId: string,
    runId: string,
    artifact: NewStoredArtifact,
    admit: Admission,
  ): Promise<StoredArtifact> {
    return this.database.forTeam(teamId, async (scope) => {
      const existing = await admitLocked(scope, runId, artifact.name, admit);
      return existing ?? create(scope, runId, artifact);
    });
  }

  /** The same for an artifact on an object that another one stands on; null when that object is being deleted or is gone. */
  async addCopy(
    teamId: string,
    runId: string,
    artifact: NewStoredArtifact,
    admit: Admission,
  ): Promise<StoredArtifact | null> {
    return this.database.forTeam(teamId, async (scope) => {
      const existing = await admitLocked(scope, runId, artifact.name, admit);
      if (existing) return existing;
      if (!(await holdObject(scope, artifact.objectKey))) return null;
      return create(scope, runId, artifact);
    });
  }

  /** Key of the team's newest object with this content whose hash was verified; it may be gone from the store since. */
  async findVerifiedKey(teamId: string, sha256: string, sizeBytes: number): Promise<string | null> {
    return this.database.forTeam(teamId, async ({ artifact }) => {
      const copy = await artifact.findFirst({
        where: { teamId, sha256, sizeBytes, state: 'verified' },
        select: { objectKey: true },
        orderBy: { createdAt: 'desc' },
      });
      return copy?.objectKey ?? null;
    });
  }

  async find(teamId: string, runId: string, id: string): Promise<StoredArtifact | null> {
    return this.database.forTeam(teamId, async ({ artifact }) => {
      const found = await artifact.findFirst({ where: { teamId, runId, id }, select: columns });
      return found && toArtifact(found);
    });
  }

  /** All artifacts of a run, by name. */
  async list(teamId: string, runId: string): Promise<StoredArtifact[]> {
    return this.database.forTeam(teamId, async ({ artifact }) => {
      const found = await artifact.findMany({
        where: { teamId, runId },
        select: columns,
        orderBy: { name: 'asc' },
      });
      return found.map(toArtifact);
    });
  }

  /** Puts another multipart upload in the place of one that is gone; false when somebody else did. */
  async replaceUpload(teamId: string, artifact: StoredArtifact, uploadId: string): Promise<boolean> {
    return this.database.forTeam(teamId, async (scope) => {
      const { count } = await scope.artifact.updateMany({
        where: { teamId, id: artifact.id, state: 'awaitingUpload', uploadId: artifact.uploadId },
        data: { uploadId },
      });
      return count === 1;
    });
  }

  /** Forgets an artifact whose upload was given up, so that its name can be registered again. */
  async removeUnuploaded(teamId: string, id: string): Promise<void> {
    await this.database.forTeam(teamId, ({ artifact }) =>
      artifact.deleteMany({ where: { teamId, id, state: 'awaitingUpload' } }),
    );
  }
}

async function admitLocked(
  scope: TeamScope,
  runId: string,
  name: string,
  admit: Admission,
): Promise<StoredArtifact | null> {
  await lockRun(scope, runId);
  return admit(await view(scope, runId, name));
}

async function create(scope: TeamScope, runId: string, artifact: NewStoredArtifact): Promise<StoredArtifact> {
  const { teamId } = scope;
  await scope.artifact.deleteMany({ where: { teamId, runId, name: artifact.name, state: 'rejected' } });
  return toArtifact(await scope.artifact.create({ data: { ...artifact, teamId, runId }, select: columns }));
}

async function view(scope: TeamScope, runId: string, name: string): Promise<RegistrationView | null> {
  const { teamId } = scope;
  const run = await scope.run.findFirst({
    where: { teamId, id: runId },
    select: { state: true, failureCode: true, createdAt: true },
  });
  if (!run) return null;
  const sameName = await scope.artifact.findFirst({
    where: { teamId, runId, name },
    select: columns,
  });
  const all = await scope.artifact.aggregate({
    where: { teamId, runId, name: { not: name } },
    _count: true,
    _sum: { sizeBytes: true },
  });
  return {
    run,
    sameName: sameName && toArtifact(sameName),
    artifactCount: all._count,
    totalBytes: toSafeNumber(all._sum.sizeBytes ?? 0n),
  };
}

function toArtifact(row: Omit<StoredArtifact, 'sizeBytes'> & { sizeBytes: bigint }): StoredArtifact {
  return { ...row, sizeBytes: toSafeNumber(row.sizeBytes) };
}
