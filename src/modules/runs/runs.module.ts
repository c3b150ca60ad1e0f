import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams';
import { ArtifactDownloads } from './artifacts/artifact-downloads';
import { RunArtifactsController } from './artifacts/run-artifacts.controller';
import { RunArtifactsRepository } from './artifacts/run-artifacts.repository';
import { RunEventFeed } from './events/run-event-feed';
import { RunEventsController } from './events/run-events.controller';
import { RunEventsRepository } from './events/run-events.repository';
import { RunPageRepository } from './run-page.repository';
import { RunsController } from './runs.controller';
import { RunsRepository } from './runs.repository';

/** Shows runs, and what happens to them. */
@Module({
  imports: [TeamsModule],
  controllers: [RunsController, RunArtifactsController, RunEventsController],
  providers: [
    ArtifactDownloads,
    RunArtifactsRepository,
    RunEventFeed,
    RunEventsRepository,
    RunPageRepository,
    RunsRepository,
  ],
})
export class RunsModule {}
