import { Module } from '@nestjs/common';
import { BucketOwner } from './bucket-owner';
import { DeleteObjects } from './delete-objects';
import { DeleteTeams } from './delete-teams';
import { ExpireRuns } from './expire-runs';
import { OldRowsRepository } from './old-rows.repository';
import { ForgetHistory } from './forget-history';
import { ObjectDeletionsRepository } from './object-deletions.repository';
import { RunDeletionRepository } from './run-deletion.repository';
import { SweepOrphans } from './sweep-orphans';
import { TeamDeletionRepository } from './team-deletion.repository';

/** What worker processes delete. */
@Module({
  providers: [
    BucketOwner,
    DeleteObjects,
    DeleteTeams,
    ExpireRuns,
    OldRowsRepository,
    ForgetHistory,
    ObjectDeletionsRepository,
    RunDeletionRepository,
    SweepOrphans,
    TeamDeletionRepository,
  ],
  exports: [BucketOwner, DeleteObjects, DeleteTeams, ExpireRuns, ForgetHistory, SweepOrphans],
})
export class RetentionChoresModule {}
