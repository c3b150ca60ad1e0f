import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { type S3Connection } from './s3-connection';
import { translated } from './translate-error';

/** An object as a listing shows it. */
export interface ListedObject {
  key: string;
  sizeBytes: number;
  /** Of an object made out of parts: when its upload began, or when it was completed, depending on the store. */
  modifiedAt: Date;
}

/** Up to 1,000 objects under `prefix`, by key, those after `after` only. */
export async function listObjects(
  { client, bucket }: S3Connection,
  prefix: string,
  after: string | undefined,
): Promise<ListedObject[]> {
  const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, StartAfter: after });
  const { Contents = [] } = await translated(`listing ${JSON.stringify(prefix)}`, '', () =>
    client.send(list),
  );
  return Contents.map(({ Key = '', Size = 0, LastModified = new Date() }) => ({
    key: Key,
    sizeBytes: Size,
    modifiedAt: LastModified,
  }));
}
