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
export { type FoundMembership, type OpenInvitation, type RefreshRotation } from './people-queries';
export { DatabaseNotUsable } from './role-check';
export { idsByTeam } from './ids-by-team';
export { toSafeNumber } from './safe-number';
export { type TeamScope } from './team-scope';
export {
  type AbandonedRun,
  type Backlog,
  type DeadLetter,
  type LostRun,
  type FoundApiToken,
  type FoundInvitation,
  type RunEvent,
  type RunEventPosition,
  type TeamlessScope,
  type TeamRow,
} from './teamless-scope';
