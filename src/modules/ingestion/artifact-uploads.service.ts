import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { ProblemError } from '../../platform/errors';
import { ObjectStore, UploadNotFound, type StoredPart } from '../../platform/object-store';
import { StoredBytes } from '../quotas';
import {
  type Admission,
  ArtifactsRepository,
  type RegistrationView,
  type StoredArtifact,
} from './artifacts.repository';
import { partSize, planParts } from './part-plan';
import { PARTS_PER_ANSWER, type ArtifactUpload, type NewArtifact } from './upload-schemas';
import { refuseClosedUpload } from './upload-window';
import { VerifiedCopies } from './verified-copies';

/** Where an artifact's bytes are. The random last segment lets two runs upload the same content at the same time. */
export function artifactObjectKey(teamId: string, sha256: string, artifactId: string): string {
  return `teams/${teamId}/artifacts/${sha256}/${artifactId}`;
}

/** Registers the files of a run, and hands out URLs to upload them by. */
@Injectable()
export class ArtifactUploadsService {
  constructor(
    private readonly artifacts: ArtifactsRepository,
    private readonly copies: VerifiedCopies,
    private readonly objects: ObjectStore,
    private readonly storedBytes: StoredBytes,
    @InjectConfig() private readonly config: Config,
  ) {}

  /**
   * Registers a file. The same name with the same content gives the artifact that is there, so an upload can be taken up
   * again; in the place of one that was rejected a new one is registered. Content that the team has verified before
   * needs no upload.
   */
  async register(teamId: string, runId: string, file: NewArtifact): Promise<ArtifactUpload> {
    const admit: Admission = (view) => this.admit(view, file);
    const view = await this.artifacts.viewForRegistration(teamId, runId, file.name);
    const existing = admit(view);
    if (existing) return this.describe(teamId, existing, 1);

    const stored =
      (await this.addCopy(teamId, runId, file, admit)) ??
      (await this.storedBytes.withRoom(teamId, file.sizeBytes, () =>
        this.addUpload(teamId, runId, file, admit),
      ));
    return this.describe(teamId, stored, 1);
  }

  /** Puts the file on an object that is there already; null when there is none, or it is being deleted. */
  private async addCopy(
    teamId: string,
    runId: string,
    file: NewArtifact,
    admit: Admission,
  ): Promise<StoredArtifact | null> {
    const objectKey = await this.copies.find(teamId, file.sha256, file.sizeBytes);
    if (objectKey === null) return null;
    const { partSizeBytes } = planParts(file.sizeBytes, this.config.uploads.partBytes);
    const copy = {
      ...file,
      id: randomUUID(),
      state: 'uploaded',
      objectKey,
      uploadId: null,
      partSizeBytes,
    } as const;
    return this.artifacts.addCopy(teamId, runId, copy, admit);
  }

  private async addUpload(
    teamId: string,
    runId: string,
    file: NewArtifact,
    admit: Admission,
  ): Promise<StoredArtifact> {
    const id = randomUUID();
    const objectKey = artifactObjectKey(teamId, file.sha256, id);
    const { partSizeBytes } = planParts(file.sizeBytes, this.config.uploads.partBytes);
    const uploadId = await this.objects.createMultipartUpload(objectKey);
    try {
      const artifact = { ...file, id, state: 'awaitingUpload', objectKey, uploadId, partSizeBytes } as const;
      const stored = await this.artifacts.add(teamId, runId, artifact, admit);
      if (stored.id !== id) await this.giveUp(objectKey, uploadId);
      return stored;
    } catch (error) {
      if (error instanceof ProblemError) await this.giveUp(objectKey, uploadId);
      throw error;
    }
  }

  /** Fresh URLs for up to 100 parts from `from` on, and which of them are uploaded. */
  async listParts(teamId: string, runId: string, artifactId: string, from: number): Promise<ArtifactUpload> {
    const artifact = await this.artifacts.find(teamId, runId, artifactId);
    if (!artifact)
      throw new ProblemError('artifact-not-found', `The run ${runId} has no artifact ${artifactId}.`);
    return this.describe(teamId, artifact, from);
  }

  /** The artifact that is there already, or null when the file may be added; throws why it may not. */
  private admit(view: RegistrationView | null, file: NewArtifact): StoredArtifact | null {
    const { maxArtifactBytes, maxRunBytes, maxArtifactsPerRun, lateArtifactsS } = this.config.uploads;
    if (!view) throw new ProblemError('run-not-found', 'Your team has no run with this id.');
    // A rejected one is replaced, whatever it was.
    const existing = view.sameName?.state === 'rejected' ? null : view.sameName;
    const isSame = existing?.sizeBytes === file.sizeBytes && existing.sha256 === file.sha256;
    if (isSame && existing.state !== 'awaitingUpload') return existing;
    refuseClosedUpload(view.run, lateArtifactsS);
    if (isSame) return existing;
    if (existing) {
      throw new ProblemError(
        'artifact-conflict',
        'The run has an artifact of this name with another size or SHA-256.',
      );
    }
    if (file.sizeBytes > maxArtifactBytes) {
      throw new ProblemError('artifact-too-large', `An artifact may have ${maxArtifactBytes} bytes at most.`);
    }
    if (view.totalBytes + file.sizeBytes > maxRunBytes) {
      throw new ProblemError(
        'run-too-large',
        `The artifacts of a run may have ${maxRunBytes} bytes together at most.`,
      );
    }
    if (view.artifactCount >= maxArtifactsPerRun) {
      throw new ProblemError('too-many-artifacts', `A run may have ${maxArtifactsPerRun} artifacts at most.`);
    }
    return null;
  }

  private async giveUp(objectKey: string, uploadId: string): Promise<void> {
    await this.objects.abortMultipartUpload(objectKey, uploadId);
  }

  private async describe(teamId: string, artifact: StoredArtifact, from: number): Promise<ArtifactUpload> {
    const { id, name, state, sizeBytes, partSizeBytes } = artifact;
    const answer = {
      id,
      name,
      state,
      partSizeBytes,
      partCount: 0,
      parts: [],
      nextPart: null,
      expiresAt: null,
    };
    if (state !== 'awaitingUpload' || artifact.uploadId === null) return answer;
    const partCount = Math.ceil(sizeBytes / partSizeBytes);
    const last = Math.min(partCount, from + PARTS_PER_ANSWER - 1);
    const expiresAt = new Date(Date.now() + this.config.uploads.urlTtlS * 1000).toISOString();
    const { stored, uploadId } = await this.storedParts(teamId, artifact, artifact.uploadId);
    const sizes = new Map(stored.map((part) => [part.partNumber, part.sizeBytes]));
    const parts = [];
    for (let partNumber = from; partNumber <= last; partNumber++) {
      const bytes = partSize(sizeBytes, partSizeBytes, partNumber);
      const { urlTtlS } = this.config.uploads;
      const url = await this.objects.presignPart(artifact.objectKey, uploadId, partNumber, bytes, urlTtlS);
      parts.push({ partNumber, sizeBytes: bytes, url, uploaded: sizes.get(partNumber) === bytes });
    }
    return { ...answer, partCount, parts, nextPart: last < partCount ? last + 1 : null, expiresAt };
  }

  /** Stores drop uploads that stay unfinished for days; such a one is begun anew, with nothing uploaded. */
  private async storedParts(
    teamId: string,
    artifact: StoredArtifact,
    uploadId: string,
  ): Promise<{ stored: StoredPart[]; uploadId: string }> {
    try {
      return { stored: await this.objects.listParts(artifact.objectKey, uploadId), uploadId };
    } catch (error) {
      if (!(error instanceof UploadNotFound)) throw error;
      const fresh = await this.objects.createMultipartUpload(artifact.objectKey);
      if (await this.artifacts.replaceUpload(teamId, artifact, fresh)) return { stored: [], uploadId: fresh };
      await this.giveUp(artifact.objectKey, fresh);
      throw new ProblemError('conflict', 'Another request took this upload up at the same time.', {
        retryAfterS: 1,
      });
    }
  }
}
