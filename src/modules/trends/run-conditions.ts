import { type RunConditions } from '../../analysis';
import { type RunSetup } from '../ingestion';

/** What a run was done on and how, from what its client said and, where that says nothing, from its report. */
export interface TrendedRun {
  worldSize: number | null;
  setup: RunSetup;
  /** GPU that the report names. */
  reportedGpu: string | null;
}

/** The conditions that make runs comparable. */
export function conditionsOf({ worldSize, setup, reportedGpu }: TrendedRun): RunConditions {
  const { hardware, parallelism, dtype, batch, sequenceLength, tokensPerStep } = setup;
  return {
    gpu: hardware?.gpu ?? reportedGpu ?? undefined,
    worldSize: worldSize ?? undefined,
    parallelism,
    dtype,
    microBatch: batch?.micro,
    globalBatch: batch?.global,
    sequenceLength,
    tokensPerStep,
  };
}
