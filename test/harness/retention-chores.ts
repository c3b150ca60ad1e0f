import {
  BucketOwner,
  DeleteObjects,
  DeleteTeams,
  ExpireRuns,
  SweepOrphans,
} from '../../src/modules/retention';
import { ObjectDeletionsRepository } from '../../src/modules/retention/object-deletions.repository';
import { OldRowsRepository } from '../../src/modules/retention/old-rows.repository';
import { RunDeletionRepository } from '../../src/modules/retention/run-deletion.repository';
import { TeamDeletionRepository } from '../../src/modules/retention/team-deletion.repository';
import { loadConfig } from '../../src/platform/config';
import { type PipelineBench } from './pipeline-bench';

/** The chores that delete, on the servers of a bench, to be passed by hand. */
export function retentionChores({ database, store, environment }: PipelineBench) {
  const runs = new RunDeletionRepository(database);
  const deletions = new ObjectDeletionsRepository(database);
  const owner = new BucketOwner(database, store);
  return {
    runs,
    deleteObjects: new DeleteObjects(deletions, store),
    deleteTeams: new DeleteTeams(new TeamDeletionRepository(database), runs),
    expireRuns: new ExpireRuns(new OldRowsRepository(database), runs, loadConfig(environment.env)),
    sweepOrphans: new SweepOrphans(deletions, store, owner),
    owner,
  };
}

/** A signal that nobody aborts. */
export const unending = new AbortController().signal;
