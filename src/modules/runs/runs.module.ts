import { Module } from '@nestjs/common';
import { RunsController } from './runs.controller';
import { RunsRepository } from './runs.repository';

/** Shows runs. */
@Module({ controllers: [RunsController], providers: [RunsRepository] })
export class RunsModule {}
