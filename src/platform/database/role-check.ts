import { type Prisma } from './generated/client';
import { isConnectionLoss, sqlState } from './database-error';

/** The database is not fit to be used. The message says why, and what to do. */
export class DatabaseNotUsable extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'DatabaseNotUsable';
  }
}

interface Rights {
  role: string;
  superuser: boolean;
  bypassesRowSecurity: boolean;
  ownedTables: string[];
  migrated: boolean;
}

const migrateAdvice = 'Run `node dist/src/main.js migrate` with a DATABASE_URL that owns the tables.';

/**
 * Refuses to work as a role that row-level security would not bind: the second lock between teams would be open without
 * anybody noticing. Looks at the role that connections have taken on, not at the login before. Throws `DatabaseNotUsable`.
 */
export async function refuseTooManyRights(client: Prisma.TransactionClient): Promise<void> {
  const rights = await readRights(client);
  const reasons = [
    rights.superuser && 'it is a superuser',
    rights.bypassesRowSecurity && 'it has BYPASSRLS',
    rights.ownedTables.length > 0 && `it owns tables (${rights.ownedTables.join(', ')})`,
  ].filter((reason) => reason !== false);
  if (reasons.length > 0) {
    throw new DatabaseNotUsable(
      `The product would work in Postgres as role "${rights.role}", and ${reasons.join(' and ')}. ` +
        'Row-level security does not bind such a role, so teams would be separated by one lock only. ' +
        'Take these rights from the role, or let the migration create stallscope_app anew.',
    );
  }
  if (!rights.migrated)
    throw new DatabaseNotUsable(`The database has no tables of Stallscope. ${migrateAdvice}`);
}

async function readRights(client: Prisma.TransactionClient): Promise<Rights> {
  try {
    const [rights] = await client.$queryRaw<Rights[]>`
      SELECT r.rolname::text AS role, r.rolsuper AS superuser, r.rolbypassrls AS "bypassesRowSecurity",
        ARRAY(
          SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND pg_has_role(r.oid, c.relowner, 'USAGE')
          ORDER BY 1 LIMIT 20
        ) AS "ownedTables",
        to_regclass('public.idempotency_records') IS NOT NULL AS migrated
      FROM pg_roles r WHERE r.rolname = current_user`;
    return rights;
  } catch (error) {
    throw new DatabaseNotUsable(explain(error), { cause: error });
  }
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
  switch (sqlState(error)) {
    case '22023':
      return `The role stallscope_app does not exist. ${migrateAdvice}`;
    case '42501':
      return `The role in DATABASE_URL may not become stallscope_app. Run as owner: GRANT stallscope_app TO <that role>.`;
    default:
      return isConnectionLoss(error)
        ? `Postgres cannot be reached with DATABASE_URL: ${message}`
        : `Postgres does not answer as expected: ${message}`;
  }
}
