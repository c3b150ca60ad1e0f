import { Injectable, Logger } from '@nestjs/common';
import { type Chore, passTime } from '../../platform/chores';
import { idsByTeam } from '../../platform/database';
import { ObjectStore, ObjectStoreUnavailable } from '../../platform/object-store';
import { type ObjectDeletion, ObjectDeletionsRepository } from './object-deletions.repository';

const OBJECTS_AT_ONCE = 500;
const REQUESTS_AT_A_TIME = 16;

/**
 * Deletes the objects of rows that are gone. The rows' transaction wrote them down, and they are forgotten only when the
 * store has said that they are deleted, so a crash in between deletes them twice, never not at all.
 */
@Injectable()
export class DeleteObjects implements Chore {
  readonly name = 'delete-objects';
  readonly isExclusive = true;
  readonly intervalS = 10;
  private readonly log = new Logger(DeleteObjects.name);

  constructor(
    private readonly deletions: ObjectDeletionsRepository,
    private readonly objects: ObjectStore,
  ) {}

  /** One pass; gives the number of objects that are done with. */
  async pass(signal: AbortSignal): Promise<number> {
    const mayGoOn = passTime(signal);
    let total = 0;
    while (mayGoOn()) {
      const rows = await this.deletions.findRows(OBJECTS_AT_ONCE);
      let done = 0;
      for (const [teamId, ids] of idsByTeam(rows)) done += await this.deleteOfTeam(teamId, ids);
      total += done;
      // What is left then was refused; it comes again with the next pass.
      if (done === 0 || rows.length < OBJECTS_AT_ONCE) break;
    }
    if (total > 0) this.log.log({ objects: total }, 'objects whose rows are gone were deleted');
    return total;
  }

  private async deleteOfTeam(teamId: string, ids: readonly string[]): Promise<number> {
    const waiting = await this.deletions.load(teamId, ids);
    const done: string[] = [];
    const failed: string[] = [];
    let outage: ObjectStoreUnavailable | undefined;
    const work = Array.from({ length: REQUESTS_AT_A_TIME }, async () => {
      for (let next = waiting.pop(); next && !outage; next = waiting.pop()) {
        try {
          await this.deleteOne(next);
          done.push(next.id);
        } catch (error) {
          if (error instanceof ObjectStoreUnavailable) outage = error;
          else
            this.log.error(
              { objectKey: next.objectKey, err: error },
              'an object cannot be deleted; it is tried again',
            );
          failed.push(next.id);
        }
      }
    });
    await Promise.all(work);
    await this.deletions.settle(teamId, done, failed);
    if (outage) throw outage;
    return done.length;
  }

  private async deleteOne({ objectKey, uploadId, isReferenced }: ObjectDeletion): Promise<void> {
    if (isReferenced) return;
    // The upload first: completed after that, it would be an object again.
    if (uploadId !== null) await this.objects.abortMultipartUpload(objectKey, uploadId);
    await this.objects.delete(objectKey);
  }
}
