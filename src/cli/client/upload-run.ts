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

export interface UploadProgress {
  uploadedBytes: number;
  totalBytes: number;
}

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
  onProgress: (progress: UploadProgress) => void = () => undefined,
): Promise<Run> {
  const files = await describeFiles(localFiles);
  // With the files in what is asked for, the server tells another upload under the same key from this one.
  const request = { ...metadata, metadata: { ...metadata.metadata, uploadSha256: digestOf(files) } };
  const run = await client.createRun(request, idempotencyKey ?? keyOf(request));
  const progress = { uploadedBytes: 0, totalBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
  for (const file of files) {
    const { name, sizeBytes, sha256 } = file;
    // Nothing changes when the run has this file already, whatever state the run is in.
    const artifact = await client.registerArtifact(run.id, { name, sizeBytes, sha256 });
    const before = progress.uploadedBytes;
    await uploadParts(client, run.id, artifact, file, (bytes) =>
      onProgress({ ...progress, uploadedBytes: before + bytes }),
    );
    progress.uploadedBytes = before + sizeBytes;
    onProgress(progress);
  }
  return client.completeRun(run.id);
}

function keyOf(request: RunMetadata): string {
  const fields = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
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
