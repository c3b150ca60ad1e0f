/** Codes of refusals; stable, part of the API. */
export type RefusalCode =
  | 'empty-file'
  | 'unknown-format'
  | 'not-a-gpu-trace'
  | 'unreadable'
  | 'too-large'
  | 'no-trace'
  | 'nothing-to-read';

/** The input as a whole cannot be analysed. `message` is one line for a person: what, why, what to do. */
export class InputRefused extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
  ) {
    // Messages quote the input, and stay one line whatever stands in it.
    // eslint-disable-next-line no-control-regex
    super(message.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' '));
    this.name = 'InputRefused';
  }
}

/**
 * Errors that a byte source may throw while it is read, recognised by their `code`, so that adapters outside the core
 * can throw them without importing it.
 */
export const ByteSourceErrorCode = {
  /** The source ended early (cut gzip stream, dropped connection): what came before it is still good. */
  truncated: 'INPUT_TRUNCATED',
  /** A bound on decompressed bytes or on the compression ratio was met. */
  tooLarge: 'INPUT_TOO_LARGE',
  /** The compressed stream is damaged in its middle. */
  corrupt: 'INPUT_CORRUPT',
} as const;

/** The `code` of an error, when it has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
