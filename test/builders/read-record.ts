import {
  type ArtifactContent,
  type ArtifactFormat,
  type ReadLimits,
} from '../../src/analysis/formats/artifact-format';
import { ByteSourceErrorCode } from '../../src/analysis/timeline/input-refused';
import { ProblemLog } from '../../src/analysis/timeline/problem';
import { TEST_LIMITS } from './kineto-trace';

export interface ReadRecordOptions {
  path?: string;
  limits?: Partial<ReadLimits>;
  /** All at once when absent. */
  chunkBytes?: number;
  /** The source fails with INPUT_TRUNCATED after its last byte. */
  cutSource?: boolean;
}

/** What a format makes of a file, with the counts of the problems that it met. */
export async function readRecord(
  format: ArtifactFormat,
  file: string | Uint8Array,
  { path = 'file', limits, chunkBytes, cutSource = false }: ReadRecordOptions = {},
): Promise<{ content: ArtifactContent; problems: Record<string, number> }> {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const problems = new ProblemLog();
  const context = { path, problems, limits: { ...TEST_LIMITS, ...limits } };
  const content = await format.read(
    chunksOf(bytes, chunkBytes ?? Math.max(bytes.length, 1), cutSource),
    context,
  );
  return { content, problems: Object.fromEntries(problems.list().map((p) => [p.kind, p.count])) };
}

async function* chunksOf(bytes: Uint8Array, size: number, cut: boolean): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  if (cut) throw Object.assign(new Error('cut'), { code: ByteSourceErrorCode.truncated });
}
