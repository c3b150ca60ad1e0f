import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3';
import { startLocalS3 } from '../../../infra/local/s3';

/** The S3 server under test, with a bucket that exists. */
export interface S3Target {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** True for the server of `infra/local/s3`; what only it promises is tested in local-server.test.ts. */
  isLocal: boolean;
  stop(): Promise<void>;
}

/**
 * The server named by S3_CONTRACT_ENDPOINT, S3_CONTRACT_BUCKET, S3_CONTRACT_ACCESS_KEY_ID, S3_CONTRACT_SECRET_ACCESS_KEY
 * and S3_CONTRACT_REGION; without them a local server on a temporary folder.
 */
export async function startTarget(): Promise<S3Target> {
  const { S3_CONTRACT_ENDPOINT: endpoint, S3_CONTRACT_BUCKET: bucket = 'contract' } = process.env;
  const target = endpoint ? externalTarget(endpoint, bucket) : await localTarget(bucket);
  const client = createClient(target);
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
    if (!(error instanceof Error && /^BucketAlready/.test(error.name))) throw error;
  });
  client.destroy();
  return target;
}

function externalTarget(endpoint: string, bucket: string): S3Target {
  const { S3_CONTRACT_ACCESS_KEY_ID: accessKeyId, S3_CONTRACT_SECRET_ACCESS_KEY: secretAccessKey } =
    process.env;
  if (!accessKeyId || !secretAccessKey) throw new Error('S3_CONTRACT_ENDPOINT needs both S3_CONTRACT_ keys');
  const region = process.env.S3_CONTRACT_REGION ?? 'us-east-1';
  return {
    endpoint,
    region,
    bucket,
    accessKeyId,
    secretAccessKey,
    isLocal: false,
    stop: async () => undefined,
  };
}

async function localTarget(bucket: string): Promise<S3Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'local-s3-'));
  const keys = { accessKeyId: 'contract-key', secretAccessKey: 'contract-secret' };
  const server = await startLocalS3({ dataDir, ...keys });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { endpoint: server.endpoint, region: 'us-east-1', bucket, ...keys, isLocal: true, stop };
}

/** A plain SDK client, as other programs would use it: default checksums, one attempt. */
export function createClient(target: S3Target, config: S3ClientConfig = {}): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = target;
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId, secretAccessKey },
    ...config,
  });
}

/** A key prefix of a test's own, so that tests do not meet in the bucket. */
export function ownPrefix(name: string): string {
  return `${name}-${randomUUID()}/`;
}

/** Everything that a stream gives. */
export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Code and status that a call was refused with; fails when it was not. */
export async function refusal(call: Promise<unknown>): Promise<{ code: string; status: number | undefined }> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    return { code: error.name, status: error.$metadata.httpStatusCode };
  }
  throw new Error('the call was not refused');
}

/** Code of an XML error answer. */
export async function answerCode(response: Response): Promise<string | undefined> {
  return /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];
}

/** Changes every request of a client, before or after it is signed. */
export function tamper(
  client: S3Client,
  when: 'before signing' | 'after signing',
  change: (request: SignedRequest) => void,
): void {
  const changing = (request: unknown) => change(request as SignedRequest);
  if (when === 'before signing') {
    client.middlewareStack.add((next) => (args) => (changing(args.request), next(args)), {
      step: 'build',
      priority: 'low',
    });
  } else {
    client.middlewareStack.add((next) => (args) => (changing(args.request), next(args)), {
      step: 'finalizeRequest',
      priority: 'low',
    });
  }
}

/** The part of the SDK's request that tests change. */
export interface SignedRequest {
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
}
