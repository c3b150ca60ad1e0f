import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { QuotasModule } from '../quotas';
import { ArtifactUploadsService } from './artifact-uploads.service';
import { ArtifactsRepository } from './artifacts.repository';
import { BacklogMetrics } from './backlog-metrics';
import { BacklogRepository } from './backlog.repository';
import { AnalysesController } from './analyses.controller';
import { CompleteArtifactsService } from './complete-artifacts.service';
import { CompleteRunService } from './complete-run.service';
import { DeadLetterMetrics } from './dead-letter-metrics';
import { DeadLettersRepository } from './dead-letters.repository';
import { endUnreadRequests } from './end-connection';
import { IngestFileService } from './ingest-file.service';
import { IngestController } from './ingest.controller';
import { QueueMetrics } from './queue-metrics';
import { RunDispatcher } from './run-dispatcher';
import { RunsIntakeRepository } from './runs-intake.repository';
import { UploadsController } from './uploads.controller';
import { VerifiedCopies } from './verified-copies';

/** Takes runs and their files in, and queues them. */
@Module({
  imports: [QuotasModule],
  controllers: [UploadsController, AnalysesController, IngestController],
  providers: [
    ArtifactUploadsService,
    ArtifactsRepository,
    BacklogMetrics,
    BacklogRepository,
    CompleteArtifactsService,
    CompleteRunService,
    DeadLetterMetrics,
    DeadLettersRepository,
    IngestFileService,
    QueueMetrics,
    RunDispatcher,
    RunsIntakeRepository,
    VerifiedCopies,
  ],
})
export class IngestionModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(endUnreadRequests).forRoutes(IngestController);
  }
}
