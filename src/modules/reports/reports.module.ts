import { Module } from '@nestjs/common';
import { ReportsController } from './reports.controller';
import { ReportsRepository } from './reports.repository';

/** Shows what the analyses found. */
@Module({ controllers: [ReportsController], providers: [ReportsRepository] })
export class ReportsModule {}
