import { type TeamScope } from '../../platform/database';

/** What may be in the store of an artifact that is given up. */
export interface GivenUpObject {
  objectKey: string;
  /** Multipart upload to abort as well. */
  uploadId: string | null;
}

/** Has objects deleted once the transaction is committed, whatever happens to this process then. */
export async function scheduleDeletion(
  { teamId, objectDeletion }: TeamScope,
  objects: readonly GivenUpObject[],
): Promise<void> {
  await objectDeletion.createMany({
    data: objects.map(({ objectKey, uploadId }) => ({ teamId, objectKey, uploadId })),
  });
}
