import { Module } from '@nestjs/common';
import { DeletionsController } from './deletions.controller';
import { ExportController } from './export/export.controller';
import { ExportRepository } from './export/export.repository';
import { TeamExport } from './export/team-export';
import { RunDeletionRepository } from './run-deletion.repository';
import { TeamDeletionRepository } from './team-deletion.repository';

/** Lets people delete what they have, and take it with them. */
@Module({
  controllers: [DeletionsController, ExportController],
  providers: [ExportRepository, RunDeletionRepository, TeamDeletionRepository, TeamExport],
})
export class RetentionModule {}
