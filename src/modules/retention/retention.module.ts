import { Module } from '@nestjs/common';
import { DeletionsController } from './deletions.controller';
import { RunDeletionRepository } from './run-deletion.repository';
import { TeamDeletionRepository } from './team-deletion.repository';

/** Lets people delete what they have, and take it with them. */
@Module({ controllers: [DeletionsController], providers: [RunDeletionRepository, TeamDeletionRepository] })
export class RetentionModule {}
