import { S3Client } from '@aws-sdk/client-s3';
import { type ObjectStoreOptions } from './object-store-options';

const CONNECTION_TIMEOUT_MS = 5000;
const DEFAULT_IDLE_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_ATTEMPTS = 3;
// Workers read several ranges at a time; the SDK's default of 50 sockets is enough, and every wait for one is bounded.
const MAX_SOCKETS = 50;

/** A bucket and the clients that talk to it. */
export interface S3Connection {
  bucket: string;
  client: S3Client;
  /** Signs URLs for clients; talks to nobody. */
  signer: S3Client;
}

function createClient(options: ObjectStoreOptions, endpoint: string | undefined): S3Client {
  const { region, accessKeyId, secretAccessKey, forcePathStyle } = options;
  return new S3Client({
    region,
    endpoint,
    forcePathStyle,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    // With the default the SDK puts a CRC of the (empty) body into presigned URLs, and every upload through them would
    // fail; it also sends aws-chunked trailers that a number of S3 servers do not read.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: options.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  });
}

/** Builds the clients; connects to nothing yet. */
export function connectS3(options: ObjectStoreOptions): S3Connection {
  if (Boolean(options.accessKeyId) !== Boolean(options.secretAccessKey)) {
    throw new TypeError('object store: accessKeyId and secretAccessKey go together; give both or neither');
  }
  const client = createClient(options, options.endpoint);
  const { publicEndpoint } = options;
  return {
    bucket: options.bucket,
    client,
    signer:
      publicEndpoint && publicEndpoint !== options.endpoint ? createClient(options, publicEndpoint) : client,
  };
}
