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
  // No instanceof: errors of Node's own modules come from another realm when this runs inside Jest.
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(error);
}
