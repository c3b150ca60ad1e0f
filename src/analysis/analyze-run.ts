import { type ReadLimits } from './formats/artifact-format';
import { type Analysis } from './report-schema';

/** One artifact of a run. `open` gives its decompressed bytes once, in arbitrary chunks. */
export interface ArtifactInput {
  /** Path or name within the run: for messages, and as the last resort for the rank. */
  path: string;
  open(): AsyncIterable<Uint8Array>;
}

export interface AnalyzeOptions {
  limits: ReadLimits;
}

/**
 * Analyses all artifacts of one run into one report. Unreadable artifacts become problems of the report.
 *
 * @throws InputRefused when nothing in the run can be analysed; its message is one line for a person.
 */
export async function analyzeRun(_artifacts: readonly ArtifactInput[], _options: AnalyzeOptions): Promise<Analysis> {
  throw new Error('not there yet');
}
