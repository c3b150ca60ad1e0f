import { type RunConditions } from '../../analysis';
import { type RunSetup } from '../ingestion';

/** What a run was done on and how, from what its client said and, where that says nothing, from its report. */
export interface TrendedRun {
  worldSize: number | null;
  setup: RunSetup;
  /** GPU that the report names. */
  reportedGpu: string | null;
  /** What the uploaded metadata says, flat, under the keys of its files; null in reports of before that was kept. */
  reportedFacts: Readonly<Record<string, string>> | null;
}

/** Files may say anything; it stands in a key. */
const MAX_NAME_CHARS = 100;

/** The conditions that make runs comparable. */
export function conditionsOf({ worldSize, setup, reportedGpu, reportedFacts }: TrendedRun): RunConditions {
  const { hardware, parallelism, dtype, batch, sequenceLength, tokensPerStep } = setup;
  const facts = new Map(Object.entries(reportedFacts ?? {}));
  return {
    gpu: hardware?.gpu ?? reportedGpu?.slice(0, MAX_NAME_CHARS),
    worldSize: worldSize ?? countOf(facts.get('world_size')),
    parallelism,
    dtype: dtype ?? facts.get('dtype')?.slice(0, MAX_NAME_CHARS),
    microBatch: batch?.micro ?? countOf(facts.get('batch_size')),
    globalBatch: batch?.global,
    sequenceLength: sequenceLength ?? countOf(facts.get('seq_len')),
    tokensPerStep: tokensPerStep ?? countOf(facts.get('tokens_per_step')),
  };
}

function countOf(text: string | undefined): number | undefined {
  const count = Number(text);
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}
