import { Module } from '@nestjs/common';
import { AnalysisMetrics } from './analysis-metrics';
import { AnalyzeRunService } from './analyze-run.service';
import { ExpireUploads } from './expire-uploads';
import { ReconcileRuns } from './reconcile-runs';
import { RejectedObjects } from './rejected-objects';
import { RunResultsRepository } from './run-results.repository';
import { RunWorkRepository } from './run-work.repository';

/** What worker processes do with queued runs. */
@Module({
  providers: [
    AnalysisMetrics,
    AnalyzeRunService,
    ExpireUploads,
    ReconcileRuns,
    RejectedObjects,
    RunResultsRepository,
    RunWorkRepository,
  ],
  exports: [AnalyzeRunService, ExpireUploads, ReconcileRuns],
})
export class ProcessingModule {}
