import {
  type ArtifactContent,
  type ArtifactFormat,
  type StepTimes,
} from '../../src/analysis/formats/artifact-format';
import { ALL_FORMATS } from '../../src/analysis/formats';
import { sniffFormat } from '../../src/analysis/formats/sniff';
import { ProblemLog } from '../../src/analysis/timeline/problem';
import { TEST_LIMITS } from './kineto-trace';

export interface ReadResult {
  format: string;
  content: ArtifactContent;
  problems: ProblemLog;
}

/** Formats that take this head for theirs; one, for a file that is what it seems. */
export function takersOf(text: string | Uint8Array): string[] {
  return ALL_FORMATS.filter((format) => format.sniff(bytesOf(text).subarray(0, 65_536))).map(({ id }) => id);
}

/** Reads a text, in chunks of an odd size, with the format that its content asks for, or with the one given. */
export async function readText(
  text: string | Uint8Array,
  path = 'file.txt',
  format: ArtifactFormat | null = sniffFormat(bytesOf(text)),
): Promise<ReadResult> {
  if (!format) throw new Error(`no format takes ${path}`);
  const bytes = bytesOf(text);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 4093) yield bytes.subarray(at, at + 4093);
  }
  const problems = new ProblemLog();
  return {
    format: format.id,
    content: await format.read(chunks(), { path, problems, limits: TEST_LIMITS }),
    problems,
  };
}

/** The step times in a text. */
export async function readStepTimes(
  text: string | Uint8Array,
  path?: string,
): Promise<{ format: string; stepTimes: StepTimes; problems: ProblemLog }> {
  const { content, ...rest } = await readText(text, path);
  if (content.kind !== 'step-times') throw new Error(`read as ${content.kind}`);
  return { ...rest, stepTimes: content.stepTimes };
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}
