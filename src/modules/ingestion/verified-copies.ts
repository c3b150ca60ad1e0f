import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../../platform/object-store';
import { ArtifactsRepository } from './artifacts.repository';

/** Finds content that a team has uploaded before, so that it is not stored twice. */
@Injectable()
export class VerifiedCopies {
  constructor(
    private readonly artifacts: ArtifactsRepository,
    private readonly objects: ObjectStore,
  ) {}

  /**
   * Key of an object with this content: its hash was verified for an earlier run, and the store has it still, in the
   * right size. Null when there is none; a row alone is no proof that its object was not deleted since.
   */
  async find(teamId: string, sha256: string, sizeBytes: number): Promise<string | null> {
    const key = await this.artifacts.findVerifiedKey(teamId, sha256, sizeBytes);
    if (key === null) return null;
    const head = await this.objects.head(key);
    return head?.sizeBytes === sizeBytes ? key : null;
  }
}
