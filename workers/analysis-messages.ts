import { type AnalysisOutcome, type AnalysisTask } from '../src/modules/ingestion';
import { type DecompressionLimits } from '../src/platform/decompression';
import { type ObjectStoreOptions } from '../src/platform/object-store';

/** What the analysis process is told, once, over its channel. It reads no configuration of its own. */
export interface AnalysisOrder {
  task: AnalysisTask;
  objectStore: ObjectStoreOptions;
  decompression: DecompressionLimits;
  maxEvents: number;
  /** Bytes of one artifact that may be unpacked to a temporary file. */
  maxScratchBytes: number;
}

/** What it answers, once. */
export type AnalysisAnswer = Exclude<AnalysisOutcome, { kind: 'stopped' }>;
