export { Database, type DatabaseOptions } from './database';
export {
  DatabaseUnavailable,
  isConnectionLoss,
  isForeignKeyViolation,
  isMissingRow,
  isRefusedData,
  isRowSecurityViolation,
  isUniqueViolation,
  isWriteConflict,
  sqlState,
} from './database-error';
export { DatabaseModule } from './database.module';
export { DatabaseNotUsable } from './role-check';
export { toSafeNumber } from './safe-number';
export { type TeamScope } from './team-scope';
export {
  type AbandonedRun,
  type FoundApiToken,
  type FoundMembership,
  type StalledRun,
  type TeamlessScope,
} from './teamless-scope';
