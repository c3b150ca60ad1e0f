import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams';
import { RunEventFeed } from './events/run-event-feed';
import { RunEventsController } from './events/run-events.controller';
import { RunEventsRepository } from './events/run-events.repository';
import { RunPageRepository } from './run-page.repository';
import { RunsController } from './runs.controller';
import { RunsRepository } from './runs.repository';

/** Shows runs, and what happens to them. */
@Module({
  imports: [TeamsModule],
  controllers: [RunsController, RunEventsController],
  providers: [RunEventFeed, RunEventsRepository, RunPageRepository, RunsRepository],
})
export class RunsModule {}
