import { createHash } from 'node:crypto';
import { DeleteObjectCommand, DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { ObjectStoreRefused, ObjectStoreUnavailable } from './object-store-error';
import { type S3Connection } from './s3-connection';
import { translated } from './translate-error';

/** Deletes one object; one that does not exist is no error. */
export async function deleteObject({ client, bucket }: S3Connection, key: string): Promise<void> {
  await translated(`deleting ${JSON.stringify(key)}`, key, () =>
    client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key })),
  );
}

/**
 * DeleteObjects with the Content-MD5 that S3 always took. The SDK sends a CRC32 only, which a number of stores do not
 * count as the checksum that this request must have.
 */
function deleteObjectsCommand(bucket: string, keys: readonly string[]): DeleteObjectsCommand {
  const Objects = keys.map((Key) => ({ Key }));
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } });
  command.middlewareStack.add(
    (next) => (args) => {
      const { body, headers } = args.request as {
        body: string | Uint8Array;
        headers: Record<string, string>;
      };
      headers['content-md5'] = createHash('md5').update(body).digest('base64');
      return next(args);
    },
    { step: 'build', priority: 'low', name: 'contentMd5' },
  );
  return command;
}

/** Deletes every object under `prefix`, a page of up to 1,000 at a time; gives their number. */
export async function deletePrefix({ client, bucket }: S3Connection, prefix: string): Promise<number> {
  const doing = `deleting everything under ${JSON.stringify(prefix)}`;
  let deleted = 0;
  for (;;) {
    // Always the first page: what it listed is gone by the next turn.
    const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix });
    const { Contents = [] } = await translated(doing, '', () => client.send(list));
    const keys = Contents.map(({ Key }) => Key ?? '');
    if (keys.length === 0) return deleted;
    const remove = deleteObjectsCommand(bucket, keys);
    const { Errors = [] } = await translated(doing, '', () => client.send(remove));
    const [first] = Errors;
    if (first) {
      const reason = `${Errors.length} objects were not deleted, the first because of ${first.Code ?? 'no reason given'}`;
      const isOurs = first.Code !== 'InternalError' && first.Code !== 'SlowDown';
      throw isOurs ? new ObjectStoreRefused(doing, reason) : new ObjectStoreUnavailable(doing, reason);
    }
    deleted += keys.length;
  }
}
