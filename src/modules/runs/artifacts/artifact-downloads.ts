import { Injectable } from '@nestjs/common';
import { type Readable } from 'node:stream';
import { type Config, InjectConfig } from '../../../platform/config';
import { ProblemError } from '../../../platform/errors';
import { ObjectNotFound, ObjectStore } from '../../../platform/object-store';
import { AnswerSlots } from '../answer-slots';
import { RunArtifactsRepository, type StoredObject } from './run-artifacts.repository';

/** Gives out what was uploaded, as it was uploaded. */
@Injectable()
export class ArtifactDownloads {
  private readonly slots: AnswerSlots;

  constructor(
    @InjectConfig() { downloads }: Config,
    private readonly artifacts: RunArtifactsRepository,
    private readonly objects: ObjectStore,
  ) {
    this.slots = new AnswerSlots(downloads, 'downloads', 'too-many-downloads');
  }

  /** Takes a place for a download, to be given back with what this returns. Throws `too-many-downloads`. */
  admit(teamId: string): () => void {
    return this.slots.take(teamId);
  }

  /** The artifact, whose bytes are stored. Throws `artifact-not-found`, `artifact-not-uploaded`, `artifact-gone`. */
  async find(teamId: string, runId: string, artifactId: string): Promise<StoredObject> {
    const found = await this.artifacts.findObject(teamId, runId, artifactId);
    if (!found) throw new ProblemError('artifact-not-found', 'Your team has no such artifact of such a run.');
    if (found.state === 'awaitingUpload')
      throw new ProblemError('artifact-not-uploaded', `The artifact ${found.name} is awaitingUpload.`);
    if (found.state === 'rejected') {
      const detail = `The artifact ${found.name} was rejected: not the declared bytes, or not uploaded in time.`;
      throw new ProblemError('artifact-gone', detail);
    }
    return found;
  }

  /** Its bytes; leaving the stream early ends the connection to the store. Throws `artifact-gone`. */
  async open({ name, objectKey }: StoredObject): Promise<Readable> {
    try {
      return await this.objects.read(objectKey);
    } catch (cause) {
      if (!(cause instanceof ObjectNotFound)) throw cause;
      const detail = `The object store has the bytes of ${name} no more.`;
      throw new ProblemError('artifact-gone', detail, { cause });
    }
  }
}
