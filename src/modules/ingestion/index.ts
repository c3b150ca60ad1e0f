export {
  type AnalysisArtifact,
  type AnalysisOutcome,
  type AnalysisTask,
  type StorableAnalysis,
} from './analysis-outcome';
export { type AnalyzeRunPayload, analyzeRunJob } from './analyze-run.job';
export { AnalyzeRunService } from './analyze-run.service';
export { DeadLettersRepository } from './dead-letters.repository';
export { ExpireUploads } from './expire-uploads';
export { IngestionModule } from './ingestion.module';
export { ProcessingModule } from './processing.module';
export { ReconcileRuns } from './reconcile-runs';
export { type RunSetup, runSetupSchema } from './run-setup';
export { RunDispatcher } from './run-dispatcher';
export { FAILURE_CODES, RUN_STATES, type RunState } from './run-state';
export { runLinks } from './run-receipt';
