import { Module } from '@nestjs/common';
import { RetentionChoresModule } from '../retention';
import { AnalysisMetrics } from './analysis-metrics';
import { AnalyzeRunService } from './analyze-run.service';
import { ConcludeAnalysisService } from './conclude-analysis.service';
import { ExpireUploads } from './expire-uploads';
import { NextRunService } from './next-run.service';
import { ReconcileRuns } from './reconcile-runs';
import { RunClaimsRepository } from './run-claims.repository';
import { RunDispatcher } from './run-dispatcher';
import { RunResultsRepository } from './run-results.repository';
import { RunWorkRepository } from './run-work.repository';
import { TakeRunService } from './take-run.service';

/** What worker processes do with queued runs. */
@Module({
  imports: [RetentionChoresModule],
  providers: [
    AnalysisMetrics,
    AnalyzeRunService,
    ConcludeAnalysisService,
    ExpireUploads,
    NextRunService,
    ReconcileRuns,
    RunClaimsRepository,
    RunDispatcher,
    RunResultsRepository,
    RunWorkRepository,
    TakeRunService,
  ],
  exports: [AnalyzeRunService, ExpireUploads, ReconcileRuns],
})
export class ProcessingModule {}
