import { type ArtifactContent, type ReadLimits } from './formats/artifact-format';
import { type OpenScratch } from './formats/scratch';
import { describeUnknown, SNIFF_BYTES, sniffFormat } from './formats/sniff';
import { ByteSourceErrorCode, errorCode, InputRefused } from './timeline/input-refused';
import { type ProblemLog } from './timeline/problem';

/** One artifact of a run. `open` gives its decompressed bytes once, in arbitrary chunks. */
export interface ArtifactInput {
  /** Path or name within the run: for messages, and as the last resort for the rank. */
  path: string;
  open(): AsyncIterable<Uint8Array>;
}

export interface ReadArtifact {
  path: string;
  /** Format id, or `unknown`. */
  format: string;
  /** Null when the artifact was refused. */
  content: ArtifactContent | null;
  /** What it holds besides. */
  others: ArtifactContent[];
  refusal: InputRefused | null;
}

/**
 * Recognises and reads one artifact. What is refused is counted as a problem and comes back with its reason, so that one
 * bad file does not cost the run its report. Errors of the byte source other than bad bytes propagate.
 */
export async function readArtifact(
  artifact: ArtifactInput,
  limits: ReadLimits,
  problems: ProblemLog,
  openScratch?: OpenScratch,
): Promise<ReadArtifact> {
  const { path } = artifact;
  let format = 'unknown';
  let close: () => Promise<void> = async () => undefined;
  try {
    const { head, chunks, close: closeSource } = await peek(artifact.open(), path);
    close = closeSource;
    const found = sniffFormat(head);
    if (!found)
      throw new InputRefused(
        'unknown-format',
        `${path}: ${describeUnknown(head)}. Stallscope reads PyTorch profiler traces (.pt.trace.json, .json.gz), Nsight Systems exports (.sqlite), and the logs and counters beside them.`,
      );
    format = found.id;
    const others: ArtifactContent[] = [];
    const alsoFound = (other: ArtifactContent) => others.push(other);
    const content = await found.read(chunks, { path, problems, limits, openScratch, alsoFound });
    return { path, format, content, others, refusal: null };
  } catch (error) {
    const refusal = asRefusal(error, path);
    if (!refusal) throw error;
    problems.add(
      refusal.code === 'unknown-format' ? 'unrecognized-artifact' : 'artifact-refused',
      path,
      1,
      refusal.message,
    );
    return { path, format, content: null, others: [], refusal };
  } finally {
    // A source that was not read to its end must still hear that nobody will: it may hold a connection, or check a hash.
    await close();
  }
}

function asRefusal(error: unknown, path: string): InputRefused | null {
  if (error instanceof InputRefused) return error;
  const detail = error instanceof Error ? error.message : '';
  switch (errorCode(error)) {
    case ByteSourceErrorCode.tooLarge:
      return new InputRefused('too-large', `${path}: ${detail}`);
    case ByteSourceErrorCode.corrupt:
    case ByteSourceErrorCode.truncated:
      return new InputRefused('unreadable', `${path}: ${detail}`);
    default:
      return null;
  }
}

interface Peeked {
  head: Uint8Array;
  /** All bytes from the start. */
  chunks: AsyncIterable<Uint8Array>;
  /** Ends the source; may be called at any time, and again. */
  close: () => Promise<void>;
}

/** Reads up to SNIFF_BYTES, then gives all bytes from the start. A source that fails meanwhile fails again when read. */
async function peek(source: AsyncIterable<Uint8Array>, path: string): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const close = async (): Promise<void> => {
    await iterator.return?.();
  };
  const first: Uint8Array[] = [];
  let sizeBytes = 0;
  let failure: { error: unknown } | null = null;
  while (sizeBytes < SNIFF_BYTES && !failure) {
    try {
      const next = await iterator.next();
      if (next.done) break;
      first.push(next.value);
      sizeBytes += next.value.length;
    } catch (error) {
      failure = { error };
    }
  }
  if (sizeBytes === 0) {
    await close();
    if (failure) throw failure.error;
    throw new InputRefused(
      'empty-file',
      `${path}: the file is empty; upload it after the profiler has closed it.`,
    );
  }
  const head = new Uint8Array(sizeBytes);
  let at = 0;
  for (const chunk of first) {
    head.set(chunk, at);
    at += chunk.length;
  }
  return { head, chunks: resume(first, failure, iterator), close };
}

async function* resume(
  first: Uint8Array[],
  failure: { error: unknown } | null,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    if (failure) throw failure.error;
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
