/**
 * Where the object store is and how to reach it; plain values, so that nothing here knows where they came from. Rights
 * that the keys need: s3:GetObject, PutObject, DeleteObject, AbortMultipartUpload, ListMultipartUploadParts on objects;
 * s3:ListBucket (without it S3 answers 403 for a missing object) and ListBucketMultipartUploads on the bucket.
 */
export interface ObjectStoreOptions {
  /** Address of the store; left out for AWS. */
  endpoint?: string;
  /** Address that clients reach the store by, for presigned URLs, when it is not `endpoint`. */
  publicEndpoint?: string;
  region: string;
  bucket: string;
  /** Both keys or neither; without them the SDK's default chain is used (role of the machine, profile and so on). */
  accessKeyId?: string;
  secretAccessKey?: string;
  /** `true` for stores that want the bucket in the path, as most outside AWS do. */
  forcePathStyle: boolean;
  /** Silence on a connection after which a request has failed; 30 seconds when left out. */
  idleTimeoutMs?: number;
  /** Attempts at one request; 3 when left out. */
  maxAttempts?: number;
}
