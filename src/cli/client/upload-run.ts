import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import {
  type ApiClient,
  type ArtifactUpload,
  type PartUpload,
  type Run,
  type RunMetadata,
} from './api-client';
import { ApiError, toApiError } from './api-error';
import { withRetries } from './retries';

export interface LocalFile {
  /** Where it lies. */
  path: string;
  /** Its name within the run. */
  name: string;
}

export interface UploadProgress {
  uploadedBytes: number;
  totalBytes: number;
}

const PARALLEL_PARTS = 4;
const PART_TIMEOUT_MS = 600_000;
const READ_BYTES = 1 << 20;

/**
 * Uploads the files of one run and asks for its analysis: register each with size and SHA-256, PUT its parts to the
 * presigned URLs, complete. A second call with the same key goes on where the first one stopped.
 */
export async function uploadRun(
  client: ApiClient,
  metadata: RunMetadata,
  files: readonly LocalFile[],
  idempotencyKey: string,
  onProgress: (progress: UploadProgress) => void = () => undefined,
): Promise<Run> {
  const run = await client.createRun(metadata, idempotencyKey);
  const known = await client.getRun(run.id);
  if (known.state !== 'awaitingUpload') return known;
  const sizes = await Promise.all(files.map(async (file) => (await stat(file.path)).size));
  const progress = { uploadedBytes: 0, totalBytes: sizes.reduce((a, b) => a + b, 0) };
  for (const [i, file] of files.entries()) {
    const artifact = await client.registerArtifact(run.id, {
      name: file.name,
      sizeBytes: sizes[i],
      sha256: await sha256Of(file.path),
    });
    const before = progress.uploadedBytes;
    await uploadParts(client, run.id, artifact, { path: file.path, sizeBytes: sizes[i] }, (bytes) =>
      onProgress({ ...progress, uploadedBytes: before + bytes }),
    );
    progress.uploadedBytes = before + sizes[i];
    onProgress(progress);
  }
  return client.completeRun(run.id);
}

/** Uploads all parts that the server does not have yet, page by page; an answer holds a bounded number of them. */
async function uploadParts(
  client: ApiClient,
  runId: string,
  artifact: ArtifactUpload,
  { path, sizeBytes }: { path: string; sizeBytes: number },
  onBytes: (bytes: number) => void,
): Promise<void> {
  const partCount = Math.ceil(sizeBytes / artifact.partSizeBytes);
  let sentBytes = 0;
  let { parts } = artifact;
  while (parts.length > 0) {
    const waiting = parts.filter((part) => !part.uploaded);
    const uploaders = Array.from({ length: PARALLEL_PARTS }, async () => {
      for (let part = waiting.shift(); part; part = waiting.shift()) {
        await uploadPart(client, runId, artifact, path, part);
        sentBytes += part.sizeBytes;
        onBytes(sentBytes);
      }
    });
    await Promise.all(uploaders);
    const next = parts[parts.length - 1].partNumber + 1;
    parts = next <= partCount ? (await client.listParts(runId, artifact.id, next)).parts : [];
  }
}

/** PUTs one part; an expired URL is replaced by a fresh one, once. */
async function uploadPart(
  client: ApiClient,
  runId: string,
  artifact: ArtifactUpload,
  path: string,
  part: PartUpload,
): Promise<void> {
  const body = await readPart(path, (part.partNumber - 1) * artifact.partSizeBytes, part.sizeBytes);
  const fresh = async (): Promise<string> => {
    const [again] = (await client.listParts(runId, artifact.id, part.partNumber)).parts;
    if (!again?.url)
      throw new Error(`The server gives no upload URL for part ${part.partNumber} of ${path}.`);
    return again.url;
  };
  try {
    await put(part.url ?? (await fresh()), body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    await put(await fresh(), body);
  }
}

function put(url: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  return withRetries(async () => {
    const response = await fetch(url, { method: 'PUT', body, signal: AbortSignal.timeout(PART_TIMEOUT_MS) });
    if (!response.ok) throw await toApiError(response);
    await response.arrayBuffer();
  });
}

async function readPart(path: string, offset: number, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(sizeBytes);
    let read = 0;
    while (read < sizeBytes) {
      const { bytesRead } = await file.read(bytes, read, sizeBytes - read, offset + read);
      if (bytesRead === 0) throw new Error(`${path} became shorter while it was uploaded.`);
      read += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
}
