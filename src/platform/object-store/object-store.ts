import { type Readable } from 'node:stream';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ensureBucket, pingBucket } from './bucket';
import { copyObject } from './copy-object';
import { deleteObject, deletePrefix } from './delete-objects';
import { type ListedObject, listObjects } from './list-objects';
import * as multipart from './multipart-upload';
import { checkKey, checkPrefix } from './object-key';
import { readObject, type ReadRange } from './object-reader';
import { type ObjectStoreOptions } from './object-store-options';
import { writeObject, type WriteOptions, type WrittenObject } from './object-writer';
import { presignGet, presignPart } from './presign';
import { connectS3, type S3Connection } from './s3-connection';
import { isNotFound, translateError } from './translate-error';

/** What is known of an object without reading it. */
export interface ObjectHead {
  sizeBytes: number;
  /** Without quotes; changes with the content. */
  etag: string;
  contentType: string | undefined;
  lastModified: Date | undefined;
}

/**
 * One bucket of an S3-protocol store. Every method throws an `ObjectStoreError`: `ObjectStoreUnavailable` (retryable)
 * when the store cannot be reached, `ObjectStoreRefused` when it says no. Requests are tried 3 times, and give up after
 * 30 seconds of silence. Keys with `..`, empty segments or control characters are refused before anything is sent.
 */
@Injectable()
export class ObjectStore implements OnApplicationShutdown {
  private readonly connection: S3Connection;

  constructor(private readonly options: ObjectStoreOptions) {
    this.connection = connectS3(options);
  }

  /** Creates the bucket when it does not exist; safe to call from several processes at once. */
  async ensureBucket(): Promise<void> {
    await ensureBucket(this.connection, this.options.region, this.options.endpoint === undefined);
  }

  /** For health checks: throws unless the bucket answers within 3 seconds. */
  async ping(): Promise<void> {
    await pingBucket(this.connection);
  }

  /** Starts a multipart upload; gives its id. */
  async createMultipartUpload(key: string, options: multipart.NewUploadOptions = {}): Promise<string> {
    checkKey(key);
    return multipart.createMultipartUpload(this.connection, key, options);
  }

  /**
   * A URL that takes exactly `contentLength` bytes of part `partNumber` (1 to 10,000) by a plain PUT without further
   * headers, for `expiresInS` seconds (7 days at most, and never longer than temporary credentials live). S3 wants
   * 5 MiB or more in every part but the last.
   */
  async presignPart(
    key: string,
    uploadId: string,
    partNumber: number,
    contentLength: number,
    expiresInS: number,
  ): Promise<string> {
    checkKey(key);
    return presignPart(this.connection, key, { uploadId, partNumber, contentLength, expiresInS });
  }

  /** Every part uploaded so far, in order. Throws `UploadNotFound`. */
  async listParts(key: string, uploadId: string): Promise<multipart.StoredPart[]> {
    checkKey(key);
    return multipart.listParts(this.connection, key, uploadId);
  }

  /**
   * Makes the object out of its parts, in any order given. Calling it again with the same parts is no error, so a
   * caller may repeat it when it does not know whether it went through. Throws `PartsRefused`, `UploadNotFound`.
   */
  async completeMultipartUpload(
    key: string,
    uploadId: string,
    parts: readonly multipart.PartTag[],
  ): Promise<void> {
    checkKey(key);
    await multipart.completeMultipartUpload(this.connection, key, uploadId, parts);
  }

  /** Gives an upload up and frees its parts; one that is gone already is no error. */
  async abortMultipartUpload(key: string, uploadId: string): Promise<void> {
    checkKey(key);
    await multipart.abortMultipartUpload(this.connection, key, uploadId);
  }

  /** Aborts the uploads under a folder prefix that were started before `startedBefore`; gives their number. */
  async abortUploadsUnder(prefix: string, startedBefore: Date): Promise<number> {
    checkPrefix(prefix);
    return multipart.abortUploadsUnder(this.connection, prefix, startedBefore);
  }

  /** Size and tag of an object, or `null` when there is none. */
  async head(key: string): Promise<ObjectHead | null> {
    checkKey(key);
    const { client, bucket } = this.connection;
    try {
      const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
      return {
        sizeBytes: head.ContentLength ?? 0,
        etag: (head.ETag ?? '').replace(/^"(.*)"$/, '$1'),
        contentType: head.ContentType,
        lastModified: head.LastModified,
      };
    } catch (error) {
      if (!isNotFound(error)) throw translateError(error, `looking at ${JSON.stringify(key)}`, key);
      // HEAD says 404 for a missing bucket as well, and that must not look like a missing object.
      await pingBucket(this.connection);
      return null;
    }
  }

  /**
   * The object, or a range of it (both ends included), as a stream of buffers. Throws `ObjectNotFound` before any byte.
   * A connection that breaks is taken up again where it broke; leaving the stream early ends the connection.
   */
  async read(key: string, range: ReadRange = {}): Promise<Readable> {
    checkKey(key);
    return readObject(this.connection, key, range);
  }

  /**
   * Writes a stream of unknown length; gives its size and SHA-256. Throws `ObjectTooLarge` one byte after `maxBytes`,
   * and what the source threw when it failed; then nothing was written. The source is left open for the caller.
   */
  async write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<WrittenObject> {
    checkKey(key);
    return writeObject(this.connection, key, source, options);
  }

  /** Copies an object on the store's side. Throws `ObjectNotFound`. */
  async copy(from: string, to: string): Promise<void> {
    checkKey(from);
    checkKey(to);
    await copyObject(this.connection, from, to);
  }

  /** Deletes an object; one that does not exist is no error. */
  async delete(key: string): Promise<void> {
    checkKey(key);
    await deleteObject(this.connection, key);
  }

  /** Deletes everything under a folder prefix (it must end in `/`); gives the number of objects. */
  async deletePrefix(prefix: string): Promise<number> {
    checkPrefix(prefix);
    return deletePrefix(this.connection, prefix);
  }

  /** Up to 1,000 objects under a folder prefix, by key; `after` is the last key of the page before. None at the end. */
  async list(prefix: string, after?: string): Promise<ListedObject[]> {
    checkPrefix(prefix);
    return listObjects(this.connection, prefix, after);
  }

  /** A URL that downloads the object under `fileName` for `expiresInS` seconds; browsers save it, never show it. */
  async presignGet(key: string, fileName: string, expiresInS: number): Promise<string> {
    checkKey(key);
    return presignGet(this.connection, key, fileName, expiresInS);
  }

  /** Closes the connections. Nest calls it at shutdown. */
  onApplicationShutdown(): void {
    this.connection.client.destroy();
    this.connection.signer.destroy();
  }
}
