import { Module } from '@nestjs/common';
import { RunPageRepository } from './run-page.repository';
import { RunsController } from './runs.controller';
import { RunsRepository } from './runs.repository';

/** Shows runs. */
@Module({ controllers: [RunsController], providers: [RunPageRepository, RunsRepository] })
export class RunsModule {}
