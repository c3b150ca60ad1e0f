export { DeleteObjects } from './delete-objects';
export { DeleteTeams } from './delete-teams';
export { ExpireRuns } from './expire-runs';
export { ForgetHistory } from './forget-history';
export { holdObject } from './object-references.repository';
export { RetentionChoresModule } from './retention-chores.module';
export { RetentionModule } from './retention.module';
export { SweepOrphans } from './sweep-orphans';
