import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { UsageError } from '../usage-error';

const READ_BYTES = 1 << 20;

export interface LocalFile {
  /** Where it lies. */
  path: string;
  /** Its name within the run. */
  name: string;
}

/** A file and what the server is told of its content. */
export interface DescribedFile extends LocalFile {
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/**
 * Reads every file once, in pieces, for its size and SHA-256.
 *
 * @throws UsageError when one is empty or cannot be read
 */
export async function describeFiles(files: readonly LocalFile[]): Promise<DescribedFile[]> {
  const described: DescribedFile[] = [];
  for (const file of files) {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    try {
      for await (const chunk of createReadStream(file.path, { highWaterMark: READ_BYTES })) {
        hash.update(chunk as Buffer);
        sizeBytes += (chunk as Buffer).length;
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new UsageError(`${file.path}: cannot be read (${code ?? message}).`);
    }
    if (sizeBytes === 0) {
      throw new UsageError(
        `${file.path}: the file is empty; upload the run after the profiler has closed it, or remove the file. Nothing was sent.`,
      );
    }
    described.push({ ...file, sizeBytes, sha256: hash.digest('hex') });
  }
  return described;
}

/** SHA-256 over names and content of the files, hex; where they lie, and in which order they come, makes no difference. */
export function digestOf(files: readonly DescribedFile[]): string {
  const lines = files.map(({ name, sizeBytes, sha256 }) => JSON.stringify([name, sizeBytes, sha256])).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** Bytes `offset` to `offset + sizeBytes` of a file. */
export async function readPart(
  path: string,
  offset: number,
  sizeBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(sizeBytes);
    let read = 0;
    while (read < sizeBytes) {
      const { bytesRead } = await file.read(bytes, read, sizeBytes - read, offset + read);
      if (bytesRead === 0)
        throw new UsageError(`${path}: became shorter while it was uploaded; upload it again.`);
      read += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
