import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ProblemError } from '../../platform/errors';
import { ObjectStore, PartsRefused, UploadNotFound } from '../../platform/object-store';
import { type StoredArtifact, ArtifactsRepository } from './artifacts.repository';
import { checkParts, describeParts } from './part-plan';

/** Artifacts completed at a time. */
const AT_A_TIME = 8;
/** Artifacts named in one answer. */
const NAMED_AT_MOST = 20;
/** How long, and how often, the object is looked for that another call is making at the same time. */
const LOOKS = 10;
const LOOK_EVERY_MS = 200;

type Completion =
  { state: 'whole' } | { state: 'incomplete'; missing: number[] } | { state: 'wrong-size'; reason: string };

interface Lack {
  field: string;
  message: string;
}

/** What became of the artifacts that were to be completed. */
export interface Completions {
  wholeIds: string[];
  incomplete: Lack[];
  /** Not of the declared size; what was uploaded is deleted. */
  wrong: Lack[];
}

/** Makes objects out of uploaded parts. */
@Injectable()
export class CompleteArtifactsService {
  constructor(
    private readonly artifacts: ArtifactsRepository,
    private readonly objects: ObjectStore,
  ) {}

  /** Completes every artifact that is uploaded as a whole; the others are left alone, or deleted when they cannot be. */
  async complete(teamId: string, artifacts: readonly StoredArtifact[]): Promise<Completions> {
    const result: Completions = { wholeIds: [], incomplete: [], wrong: [] };
    const waiting = [...artifacts];
    const workers = Array.from({ length: AT_A_TIME }, async () => {
      for (let artifact = waiting.shift(); artifact; artifact = waiting.shift()) {
        const completion = await this.completeOne(teamId, artifact);
        const { id, name: field } = artifact;
        if (completion.state === 'whole') result.wholeIds.push(id);
        else if (completion.state === 'incomplete') {
          result.incomplete.push({ field, message: `missing part ${describeParts(completion.missing)}` });
        } else {
          await this.artifacts.removeUnuploaded(teamId, id);
          result.wrong.push({ field, message: completion.reason });
        }
      }
    });
    await Promise.all(workers);
    return result;
  }

  /** Makes the object out of its parts. What cannot become the declared object is deleted. */
  private async completeOne(teamId: string, artifact: StoredArtifact): Promise<Completion> {
    const { objectKey, uploadId, sizeBytes, partSizeBytes } = artifact;
    if (uploadId === null) return { state: 'incomplete', missing: [1] };
    try {
      const stored = await this.objects.listParts(objectKey, uploadId);
      const { missing, presentBytes } = checkParts(sizeBytes, partSizeBytes, stored);
      if (missing.length > 0) return { state: 'incomplete', missing };
      if (presentBytes !== sizeBytes) {
        await this.objects.abortMultipartUpload(objectKey, uploadId);
        return wrongSize(sizeBytes, presentBytes);
      }
      const planned = stored.filter(({ partNumber }) => partNumber <= Math.ceil(sizeBytes / partSizeBytes));
      await this.objects.completeMultipartUpload(objectKey, uploadId, planned);
    } catch (error) {
      if (error instanceof PartsRefused) {
        await this.objects.abortMultipartUpload(objectKey, uploadId);
        return { state: 'wrong-size', reason: 'its parts have other sizes than planned' };
      }
      if (!(error instanceof UploadNotFound)) throw error;
      // Completed before, and the answer or the commit after it was lost; being completed by another call; or dropped by
      // the store.
      return this.lookForObject(teamId, artifact);
    }
    return (await this.checkObject(artifact)) ?? notThere(artifact);
  }

  /** Looks a few times: the upload is gone before its object is there. */
  private async lookForObject(teamId: string, artifact: StoredArtifact): Promise<Completion> {
    for (let look = 1; look <= LOOKS; look++) {
      const completion = await this.checkObject(artifact);
      if (completion) return completion;
      const now = await this.artifacts.find(teamId, artifact.runId, artifact.id);
      if (now?.state === 'uploaded' || now?.state === 'verified') return { state: 'whole' };
      if (look < LOOKS) await sleep(LOOK_EVERY_MS);
    }
    return notThere(artifact);
  }

  /** Whether the object is the declared one; null when there is none. One of another size is deleted. */
  private async checkObject({ objectKey, sizeBytes }: StoredArtifact): Promise<Completion | null> {
    const head = await this.objects.head(objectKey);
    if (!head) return null;
    if (head.sizeBytes === sizeBytes) return { state: 'whole' };
    await this.objects.delete(objectKey);
    return wrongSize(sizeBytes, head.sizeBytes);
  }
}

/** Throws `size-mismatch` or `upload-incomplete` when there is such an artifact. */
export function refuseLacks({ incomplete, wrong }: Pick<Completions, 'incomplete' | 'wrong'>): void {
  if (wrong.length > 0) {
    throw new ProblemError('size-mismatch', `${named(wrong)} has not the declared size.`, {
      errors: wrong.slice(0, NAMED_AT_MOST),
    });
  }
  if (incomplete.length > 0) {
    throw new ProblemError('upload-incomplete', `${named(incomplete)} is not uploaded as a whole.`, {
      errors: incomplete.slice(0, NAMED_AT_MOST),
    });
  }
}

/** Throws `artifact-rejected` when there is one. */
export function refuseRejected(rejected: readonly { name: string }[]): void {
  if (rejected.length === 0) return;
  const message = 'not the declared bytes, or not uploaded in time';
  const errors = rejected.map(({ name: field }) => ({ field, message }));
  throw new ProblemError('artifact-rejected', `${named(errors)} was rejected: ${message}.`, {
    errors: errors.slice(0, NAMED_AT_MOST),
  });
}

const notThere = ({ sizeBytes, partSizeBytes }: StoredArtifact): Completion => ({
  state: 'incomplete',
  missing: checkParts(sizeBytes, partSizeBytes, []).missing,
});

const wrongSize = (declaredBytes: number, uploadedBytes: number): Completion => ({
  state: 'wrong-size',
  reason: `declared ${declaredBytes} bytes, uploaded ${uploadedBytes}`,
});

function named(items: readonly { field: string }[]): string {
  const others = items.length - 1;
  return others === 0 ? `The artifact ${items[0].field}` : `Each of ${items[0].field} and ${others} more`;
}
