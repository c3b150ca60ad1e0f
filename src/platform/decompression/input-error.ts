/**
 * Codes of what can be wrong with an artifact's bytes; stable. Readers recognise the error by its `code`, so that they
 * need not import this module.
 */
export type InputErrorCode = 'INPUT_TRUNCATED' | 'INPUT_TOO_LARGE' | 'INPUT_CORRUPT';

/** The bytes of an artifact cannot be read any further. `message` is one line: what, why, what to do. */
export class InputError extends Error {
  constructor(
    readonly code: InputErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'InputError';
  }
}

/** The compressed file stops in its middle. */
export function truncated(format: string): InputError {
  return new InputError(
    'INPUT_TRUNCATED',
    `The ${format} file ends early: the upload was cut, or the profiler was still writing it. Upload the finished file again.`,
  );
}

/** The compressed file is damaged; `reason` says where or how. */
export function corrupt(format: string, reason: string, cause?: unknown): InputError {
  return new InputError(
    'INPUT_CORRUPT',
    `The ${format} file is damaged: ${reason}. Check the file where it was recorded (gzip -t, zstd -t) and upload it again.`,
    { cause },
  );
}
