import { ProblemError } from '../errors';
import { Prisma } from './generated/client';

const retryAfterS = 5;

// SQLSTATE: 08 connection, 28 credential refused, 3D database missing, 53300 too many connections, 57P01–57P05 shut down,
// starting up, database dropped, idle for too long.
const lostConnectionState = /^(08|28|3D000|53300|57P0[1-5])/;
// With these Postgres ends the session, whatever the reason.
const endOfSession = new Set(['FATAL', 'PANIC']);
const lostConnectionKinds = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
]);
const lostConnectionPrismaCodes = new Set(['P1000', 'P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);
const lostSocketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
// pg and Prisma give these no code.
const lostConnectionText =
  /Connection terminated|timeout exceeded when trying to connect|Unable to start a transaction in the given time|Client has encountered a connection error|Connection ended unexpectedly/;

interface DriverCause {
  kind?: string;
  originalCode?: string;
  severity?: string;
  constraint?: { index?: string; fields?: string[] };
}

/**
 * Postgres cannot be reached, or dropped the connection. When it did so at the end of a transaction, nobody knows whether
 * that was committed. Trying again later may help.
 */
export class DatabaseUnavailable extends ProblemError {
  constructor(cause: unknown) {
    super(
      'database-unavailable',
      'The database did not answer; whether a change that was asked for was made is not known.',
      {
        retryAfterS,
        cause,
      },
    );
    this.name = 'DatabaseUnavailable';
  }
}

/** Whether a unique constraint was violated, of this name (as in the migration) when one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false;
  return constraint === undefined || driverCause(error)?.constraint?.index === constraint;
}

/** Whether a row that is referred to is not there, or a row still referred to was to be deleted. */
export function isForeignKeyViolation(error: unknown): boolean {
  return sqlState(error) === '23503';
}

/** Whether row-level security, or a missing privilege, refused a write. */
export function isRowSecurityViolation(error: unknown): boolean {
  return sqlState(error) === '42501';
}

/**
 * Whether Postgres refused what was to be written: a value out of range or of no valid form (class 22), a violated
 * constraint (23), a value beyond its limits (54). Writing the same again would fail again.
 */
export function isRefusedData(error: unknown): boolean {
  return /^(22|23|54)/.test(sqlState(error) ?? '');
}

/** Whether the transaction lost against another one (deadlock, serialization); it can be run again. */
export function isWriteConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '');
}

/** Whether an update or delete found no row. */
export function isMissingRow(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025';
}

/** Whether the connection to Postgres failed, rather than what was asked of it. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const cause = driverCause(error);
  if (lostConnectionState.test(cause?.originalCode ?? '') || endOfSession.has(cause?.severity ?? ''))
    return true;
  if (cause?.kind !== undefined && lostConnectionKinds.has(cause.kind)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (lostConnectionPrismaCodes.has(code) || lostSocketCodes.has(code)) return true;
  return error instanceof Prisma.PrismaClientInitializationError || lostConnectionText.test(error.message);
}

/** The SQLSTATE that Postgres gave, when the error comes from Postgres. */
export function sqlState(error: unknown): string | undefined {
  return driverCause(error)?.originalCode;
}

function driverCause(error: unknown): DriverCause | undefined {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    return (error.meta?.driverAdapterError as { cause?: DriverCause } | undefined)?.cause;
  }
  // A driver error that Prisma passed on as it was.
  if (error instanceof Error && error.name === 'DriverAdapterError')
    return error.cause as DriverCause | undefined;
  return undefined;
}
