import { Injectable, Logger } from '@nestjs/common';
import { ObjectStore } from '../../platform/object-store';

/** Deletes what was uploaded and turned out not to be what was declared. */
@Injectable()
export class RejectedObjects {
  private readonly log = new Logger(RejectedObjects.name);

  constructor(private readonly objects: ObjectStore) {}

  /** The run has failed already; an object that cannot be deleted now only costs space, and the log names it. */
  async remove(objectKey: string): Promise<void> {
    try {
      await this.objects.delete(objectKey);
    } catch (error) {
      this.log.error({ objectKey, err: error }, 'a rejected object could not be deleted');
    }
  }
}
