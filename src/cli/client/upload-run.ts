import { createHash } from 'node:crypto';
import {
  type ApiClient,
  type ArtifactUpload,
  type PartUpload,
  type Run,
  type RunMetadata,
} from './api-client';
import { ApiError, toApiError } from './api-error';
import { type DescribedFile, describeFiles, digestOf, type LocalFile, readPart } from './local-file';
import { withRetries } from './retries';

/** How far an upload is. Bytes that the server had already count as uploaded. */
export interface UploadProgress {
  uploadedFiles: number;
  totalFiles: number;
  uploadedBytes: number;
  totalBytes: number;
}

type OnProgress = (progress: UploadProgress) => void;

const PARALLEL_PARTS = 4;
const PART_TIMEOUT_MS = 600_000;

/**
 * Uploads the files of one run and asks for its analysis: register each with size and SHA-256, PUT its parts to the
 * presigned URLs, complete. The answer is the run as it is then.
 *
 * The same metadata and content, wherever the files lie, is the same run while the server remembers the key (a day): an
 * upload that was cut goes on where it stopped, one that was completed gives its run. A key of the caller's own with
 * other files is refused by the server. Needs the scope runs:write only.
 */
export async function uploadRun(
  client: ApiClient,
  metadata: RunMetadata,
  localFiles: readonly LocalFile[],
  idempotencyKey?: string,
  onProgress: OnProgress = () => undefined,
): Promise<Run> {
  const files = await describeFiles(localFiles);
  // With the files in what is asked for, the server tells another upload under the same key from this one.
  const request = { ...metadata, metadata: { ...metadata.metadata, uploadSha256: digestOf(files) } };
  const run = await client.createRun(request, idempotencyKey ?? keyOf(request));
  await sendFiles(client, run.id, files, onProgress);
  return client.completeRun(run.id);
}

/**
 * Uploads files of a run to which others may bring theirs, as the ranks of a job do: whoever gives the same metadata and key
 * comes to the same run, within a day. Completes its own files only. The answer is the run as it is then.
 */
export async function joinRun(
  client: ApiClient,
  metadata: RunMetadata,
  localFiles: readonly LocalFile[],
  idempotencyKey: string,
  onProgress: OnProgress = () => undefined,
): Promise<Run> {
  const files = await describeFiles(localFiles);
  const run = await client.createRun(metadata, idempotencyKey);
  return client.completeRun(run.id, await sendFiles(client, run.id, files, onProgress));
}

/** An Idempotency-Key that says what is asked for, and, where several may ask, which of them belong together. */
export function keyOf(request: RunMetadata, runKey?: string): string {
  const fields = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(runKey === undefined ? fields : [runKey, fields]);
  return createHash('sha256').update(text).digest('hex');
}

/** Gives the ids of the artifacts. */
async function sendFiles(
  client: ApiClient,
  runId: string,
  files: readonly DescribedFile[],
  onProgress: OnProgress,
): Promise<string[]> {
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const progress = { uploadedFiles: 0, totalFiles: files.length, uploadedBytes: 0, totalBytes };
  onProgress(progress);
  const ids: string[] = [];
  for (const file of files) {
    const { name, sizeBytes, sha256 } = file;
    // Nothing changes when the run has this file already, whatever state the run is in.
    const artifact = await client.registerArtifact(runId, { name, sizeBytes, sha256 });
    const before = progress.uploadedBytes;
    await uploadParts(client, runId, artifact, file, (bytes) =>
      onProgress({ ...progress, uploadedBytes: before + bytes }),
    );
    progress.uploadedBytes = before + sizeBytes;
    progress.uploadedFiles++;
    onProgress({ ...progress });
    ids.push(artifact.id);
  }
  return ids;
}

/** Uploads all parts that the server does not have yet, page by page; an answer holds a bounded number of them. */
async function uploadParts(
  client: ApiClient,
  runId: string,
  artifact: ArtifactUpload,
  { path, sizeBytes }: DescribedFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const partCount = Math.ceil(sizeBytes / artifact.partSizeBytes);
  let sentBytes = 0;
  const addBytes = (bytes: number) => onBytes((sentBytes += bytes));
  let { parts } = artifact;
  while (parts.length > 0) {
    const waiting = parts.filter((part) => !part.uploaded);
    for (const part of parts) if (part.uploaded) addBytes(part.sizeBytes);
    const uploaders = Array.from({ length: PARALLEL_PARTS }, async () => {
      for (let part = waiting.shift(); part; part = waiting.shift()) {
        await uploadPart(client, runId, artifact, path, part);
        addBytes(part.sizeBytes);
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
