import { analyzeRun, type Analysis } from '../../src/analysis';
import { TEST_LIMITS } from './kineto-trace';

/** A file of a run, as text. */
export interface Artifact {
  path: string;
  text: string;
}

/** Analyses a run of these files, handed over in chunks. */
export function analyzeTexts(
  artifacts: readonly Artifact[],
  chunkBytes = 1 << 16,
  declared?: Record<string, unknown>,
): Promise<Analysis> {
  const inputs = artifacts.map(({ path, text }) => ({
    path,
    open: async function* () {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
  }));
  return analyzeRun(inputs, { limits: TEST_LIMITS, declared });
}

/** A trace of one of two ranks around texts of events. */
export const traceOfRank = (events: readonly string[], rank = 0): Artifact => ({
  path: `rank${rank}.json`,
  text: `{"distributedInfo": {"rank": ${rank}, "world_size": 2}, "traceEvents": [${events.join(',\n')}]}`,
});
