import { type RunSetup } from './run-setup';

/** An artifact as an analysis reads it. */
export interface AnalysisArtifact {
  id: string;
  name: string;
  objectKey: string;
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
  /** Whether an earlier analysis found these bytes, at this place, to be the declared ones. */
  wasVerified: boolean;
}

/** What the API was told of a run, beside its artifacts. */
export interface DeclaredRun {
  commit: string | null;
  worldSize: number | null;
  setup: RunSetup;
}

/** What is to be analysed: one run, all its artifacts. */
export interface AnalysisTask {
  runId: string;
  teamId: string;
  declared: DeclaredRun;
  artifacts: readonly AnalysisArtifact[];
}

/**
 * A report as the database takes it: the few fields it is found by, and JSON texts that are written as they are, so
 * that only the process that analysed spends time on large JSON.
 */
export interface StorableAnalysis {
  analysisVersion: string;
  bottleneck: string;
  confidence: string;
  summary: string;
  /** The analysis, schema of src/analysis. */
  reportJson: string;
  /** Arrays of rows, keys as the columns of `RunResultsRepository.save`. */
  metricsJson: string;
  stepsJson: string;
  findingsJson: string;
}

/** How an analysis ended. `reason` is for the people who own the run. */
export type AnalysisOutcome =
  | {
      kind: 'analyzed';
      result: StorableAnalysis;
      /** Artifacts whose stored bytes, all of them, were compared with the declared SHA-256. */
      checkedIds: readonly string[];
    }
  /** The input, or what it costs, makes an analysis impossible; it would be so again. */
  | { kind: 'refused'; code: string; reason: string }
  /** The stored bytes of these artifacts are not those that were declared. */
  | { kind: 'mismatch'; artifactIds: readonly string[]; reason: string }
  /** A service that we stand on is away; not the run's fault. */
  | { kind: 'unavailable'; reason: string }
  /** The analysis ended unexpectedly. */
  | { kind: 'crashed'; reason: string }
  /** It was told to stop. */
  | { kind: 'stopped' };

/** Analyses in a process of its own; never throws. */
export type RunAnalysis = (task: AnalysisTask, signal: AbortSignal) => Promise<AnalysisOutcome>;
