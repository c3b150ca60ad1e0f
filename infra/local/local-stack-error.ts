/** Why the local stack cannot start: a stable code, what happened, and what the person at the keyboard can do. */
export class LocalStackError extends Error {
  override readonly name = 'LocalStackError';

  constructor(
    readonly code: string,
    what: string,
    readonly advice: string,
    options?: ErrorOptions,
  ) {
    super(`${what} ${advice}`, options);
  }
}

/** Receives one line of text, without a line end. */
export type Log = (line: string) => void;

/** The `code` of a Node.js system error ("ENOENT"), or undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
