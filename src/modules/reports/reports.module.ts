import { Module } from '@nestjs/common';
import { ReportsController } from './reports.controller';
import { ReportsRepository } from './reports.repository';
import { StepsController } from './steps.controller';
import { StepsRepository } from './steps.repository';

/** Shows what the analyses found. */
@Module({
  controllers: [ReportsController, StepsController],
  providers: [ReportsRepository, StepsRepository],
})
export class ReportsModule {}
