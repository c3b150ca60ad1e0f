import { Injectable } from '@nestjs/common';
import { ProblemError } from '../../platform/errors';
import { ObjectStore, PartsRefused, UploadNotFound } from '../../platform/object-store';
import { type StoredArtifact, ArtifactsRepository } from './artifacts.repository';
import { checkParts, describeParts } from './part-plan';
import { RunsIntakeRepository, type StoredRun } from './runs-intake.repository';
import { RunDispatcher } from './run-dispatcher';

/** Artifacts completed at a time. */
const AT_A_TIME = 8;
/** Artifacts named in one answer. */
const NAMED_AT_MOST = 20;

type Completion =
  { state: 'whole' } | { state: 'incomplete'; missing: number[] } | { state: 'wrong-size'; reason: string };

/** Ends the upload of a run and asks for its analysis. */
@Injectable()
export class CompleteRunService {
  constructor(
    private readonly runs: RunsIntakeRepository,
    private readonly artifacts: ArtifactsRepository,
    private readonly objects: ObjectStore,
    private readonly dispatcher: RunDispatcher,
  ) {}

  /**
   * Completes every artifact and queues the run. A run whose upload was completed before is given as it is, so the call
   * may be repeated, also after a crash in its middle.
   */
  async complete(teamId: string, runId: string): Promise<StoredRun> {
    const run = await this.runs.find(teamId, runId);
    if (!run) throw new ProblemError('run-not-found', 'Your team has no run with this id.');
    if (run.state !== 'awaitingUpload') return run;

    const artifacts = await this.artifacts.list(teamId, runId);
    if (artifacts.length === 0)
      throw new ProblemError('no-artifacts', 'No artifact was registered for this run.');
    const awaited = artifacts.filter(({ state }) => state === 'awaitingUpload');
    await this.completeAll(teamId, awaited);
    const result = await this.runs.queueUploaded(
      teamId,
      runId,
      artifacts.map(({ id }) => id),
    );
    if (!result) throw new ProblemError('run-not-found', 'Your team has no run with this id.');
    if (!result.run) {
      throw new ProblemError(
        'upload-incomplete',
        'Another artifact was registered while the run was completed.',
      );
    }
    // Given up meanwhile, and what we completed after that would stay for ever.
    if (result.run.failureCode === 'upload-abandoned') {
      for (const { objectKey } of awaited) await this.objects.delete(objectKey);
    }
    if (result.queued) await this.dispatcher.dispatch(teamId, result.run);
    return result.run;
  }

  private async completeAll(teamId: string, artifacts: readonly StoredArtifact[]): Promise<void> {
    const incomplete: { field: string; message: string }[] = [];
    const wrong: { field: string; message: string }[] = [];
    const waiting = [...artifacts];
    const workers = Array.from({ length: AT_A_TIME }, async () => {
      for (let artifact = waiting.shift(); artifact; artifact = waiting.shift()) {
        const completion = await this.completeOne(artifact);
        const { name: field } = artifact;
        if (completion.state === 'incomplete') {
          incomplete.push({ field, message: `missing part ${describeParts(completion.missing)}` });
        } else if (completion.state === 'wrong-size') {
          await this.artifacts.removeUnuploaded(teamId, artifact.id);
          wrong.push({ field, message: completion.reason });
        }
      }
    });
    await Promise.all(workers);
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

  /** Makes the object out of its parts. What cannot become the declared object is deleted. */
  private async completeOne(artifact: StoredArtifact): Promise<Completion> {
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
      // Completed before, and the answer or the commit after it was lost; or dropped by the store.
    }
    const head = await this.objects.head(objectKey);
    if (!head) return { state: 'incomplete', missing: checkParts(sizeBytes, partSizeBytes, []).missing };
    if (head.sizeBytes === sizeBytes) return { state: 'whole' };
    await this.objects.delete(objectKey);
    return wrongSize(sizeBytes, head.sizeBytes);
  }
}

const wrongSize = (declaredBytes: number, uploadedBytes: number): Completion => ({
  state: 'wrong-size',
  reason: `declared ${declaredBytes} bytes, uploaded ${uploadedBytes}`,
});

function named(items: readonly { field: string }[]): string {
  const others = items.length - 1;
  return others === 0 ? `The artifact ${items[0].field}` : `Each of ${items[0].field} and ${others} more`;
}
