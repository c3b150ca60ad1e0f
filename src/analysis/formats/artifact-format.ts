import { type ProblemLog } from '../timeline/problem';
import { type RankTimeline } from '../timeline/rank-timeline';
import { type GpuTopology } from './gpu-topology/gpu-topology-record';
import { type HostProfile } from './host-profile';
import { type MemorySnapshot } from './memory-snapshot/memory-snapshot-record';
import { type MemoryStats } from './memory-stats/memory-stats-record';
import { type MemorySummary } from './memory-summary/memory-summary-record';
import { type KernelMeasurements } from './ncu-csv/kernel-measurements';
import { type NcclLog } from './nccl-log/nccl-log-record';
import { type GpuMonitor } from '../timeline/gpu-monitor';
import { type OpenScratch } from './scratch';
import { type OperatorTotals } from './profiler-table/operator-totals';
import { type OomReport } from './oom-message/oom-message-record';

/** Who wrote a series of step times: our own hook, or the log of a training framework. */
export const STEP_TIME_SOURCES = [
  'stallscope',
  'megatron',
  'torchtitan',
  'deepspeed',
  'modded-nanogpt',
  'nanogpt',
  'llm.c',
  'huggingface',
  'lightning',
] as const;
export type StepTimeSource = (typeof STEP_TIME_SOURCES)[number];

/** What a training log may say of its steps beside their time; all per second or in bytes, `device…` for one device. */
export const STEP_FIGURES = [
  'tokensPerSecond',
  'deviceTokensPerSecond',
  'samplesPerSecond',
  'deviceFlopPerSecond',
  'memoryBytes',
  'peakMemoryBytes',
] as const;
export type StepFigure = (typeof STEP_FIGURES)[number];

/** Step times measured without the profiler, one entry per step, or per line of a log, of one rank. */
export interface StepTimes {
  source: StepTimeSource;
  rank: number | null;
  /** Step numbers, as written. */
  step: number[];
  /** Steps of which an entry is the mean: 1 for a step timed by itself, more where a log has a line every so many steps. */
  stepsAveraged: number[];
  /** Host time of each step in ns; NaN when absent. */
  hostNs: number[];
  /** Device time of each step in ns; NaN when absent. */
  deviceNs: number[];
  /** Other figures that the log gives, one per entry, NaN where a line lacks it; a figure that no line has is absent. */
  figures: Partial<Record<StepFigure, number[]>>;
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
  /**
   * One timeline per rank: kineto writes a file for each, Nsight Systems one for all of a host, and
   * may have sampled its devices too.
   */
  | { kind: 'timelines'; timelines: readonly RankTimeline[]; monitor?: GpuMonitor }
  | { kind: 'gpu-monitor'; monitor: GpuMonitor }
  | { kind: 'step-times'; stepTimes: StepTimes }
  | { kind: 'run-metadata'; metadata: RunMetadata }
  | { kind: 'nccl-log'; log: NcclLog }
  | { kind: 'gpu-topology'; topology: GpuTopology }
  | { kind: 'memory-summary'; summary: MemorySummary }
  | { kind: 'memory-stats'; stats: MemoryStats }
  | { kind: 'host-profile'; profile: HostProfile }
  | { kind: 'memory-snapshot'; snapshot: MemorySnapshot }
  | { kind: 'oom-message'; report: OomReport }
  | { kind: 'kernel-measurements'; measurements: KernelMeasurements }
  | { kind: 'operator-totals'; totals: OperatorTotals };

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
  /** Takes what a file holds beside what it was taken for, such as the message of a failure in a log of step times. */
  alsoFound?(content: ArtifactContent): void;
  /** Room for a file that must be read out of order; in memory, and little, when it is not given. */
  openScratch?: OpenScratch;
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
