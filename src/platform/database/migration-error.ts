/** Stable codes of what stops a migration run. */
export type MigrationErrorCode =
  | 'migrations_unreadable'
  | 'migration_file_missing'
  | 'migration_lock_timeout'
  | 'migration_unfinished'
  | 'migration_changed'
  | 'migration_failed';

/** Why the database could not be brought up to date: a stable code, what happened, and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';

  constructor(
    readonly code: MigrationErrorCode,
    what: string,
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(`${what} ${advice}`, options);
  }
}
