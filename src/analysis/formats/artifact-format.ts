import { type ProblemLog } from '../timeline/problem';
import { type RankTimeline } from '../timeline/rank-timeline';
import { type NcclLog } from './nccl-log/nccl-log-record';

/** Step times measured without the profiler, one entry per step of one rank. */
export interface StepTimes {
  rank: number | null;
  /** Step numbers, as written. */
  step: number[];
  /** Host time of each step in ns; NaN when absent. */
  hostNs: number[];
  /** Device time of each step in ns; NaN when absent. */
  deviceNs: number[];
}

/**
 * Where metadata came from: out of an uploaded file, or declared with the run, beside its artifacts. What was uploaded
 * was written by the job itself, so it goes before what was declared.
 */
export const METADATA_ORIGINS = ['uploaded', 'declared'] as const;
export type MetadataOrigin = (typeof METADATA_ORIGINS)[number];

/** Metadata that the training job wrote about itself. Unknown keys are kept in `raw`. */
export interface RunMetadata {
  origin: MetadataOrigin;
  rank: number | null;
  worldSize: number | null;
  gpu: string | null;
  dtype: string | null;
  parameters: number | null;
  tokensPerStep: number | null;
  batchSize: number | null;
  sequenceLength: number | null;
  optimizer: string | null;
  /** Step time without the profiler, as the job itself measured it, ns: the median where it says so, else the mean. */
  unprofiledStepNs: number | null;
  /** The mean of them, ns. */
  unprofiledMeanStepNs: number | null;
  /** Most memory that was allocated on the device, bytes. */
  peakMemoryBytes: number | null;
  loader: Record<string, unknown> | null;
  environment: Record<string, string>;
  raw: Record<string, unknown>;
}

/** What an artifact turned out to be. */
export type ArtifactContent =
  | { kind: 'timeline'; timeline: RankTimeline }
  | { kind: 'step-times'; stepTimes: StepTimes }
  | { kind: 'run-metadata'; metadata: RunMetadata }
  | { kind: 'nccl-log'; log: NcclLog };

/** Bounds on what one artifact may take; hostile files meet them, real ones do not. */
export interface ReadLimits {
  /** Events kept in memory. */
  maxEvents: number;
  /** Bytes of one event or of one value beside the events. */
  maxEventBytes: number;
  /** Bytes of all distinct names together. */
  maxStringBytes: number;
}

export interface ReadContext {
  /** Path or name of the artifact: for messages and as the last resort for the rank. */
  path: string;
  problems: ProblemLog;
  limits: ReadLimits;
}

/**
 * One kind of file. Content decides; `sniff` sees the first bytes after decompression (at most 64 KiB).
 * `read` takes arbitrary chunks, counts what it skips or repairs in `context.problems`, and throws
 * `InputRefused` only when the file as a whole is unusable.
 */
export interface ArtifactFormat {
  readonly id: string;
  /** Lower is asked first; unique over all formats. */
  readonly sniffOrder: number;
  sniff(head: Uint8Array): boolean;
  read(chunks: AsyncIterable<Uint8Array>, context: ReadContext): Promise<ArtifactContent>;
}
