import { problemCatalogue, type ProblemCode } from './catalogue';

/** One field of a request, or one part of the service, that is not right. */
export interface ProblemItem {
  /** Where: a field path such as `scopes.0`, or the name of a part. */
  field: string;
  message: string;
}

export interface ProblemOptions {
  /** What to do, when this occurrence knows better than the catalogue. */
  action?: string;
  errors?: readonly ProblemItem[];
  /** When to try again, seconds; becomes the Retry-After header. */
  retryAfterS?: number;
  cause?: unknown;
}

/**
 * A problem that its reader can understand and act on. `detail` says what happened and why, in a sentence or two, and
 * holds nothing secret: it is shown to clients. Status, title and default advice come from the catalogue.
 */
export class ProblemError extends Error {
  readonly status: number;
  readonly title: string;
  readonly action: string;
  readonly errors: readonly ProblemItem[] | undefined;
  readonly retryAfterS: number | undefined;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    options: ProblemOptions = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = 'ProblemError';
    const definition = problemCatalogue[code];
    this.status = definition.status;
    this.title = definition.title;
    this.action = options.action ?? definition.action;
    this.errors = options.errors;
    this.retryAfterS = options.retryAfterS;
  }
}

/** Whether the error is the problem with this code. */
export function isProblem(error: unknown, code: ProblemCode): error is ProblemError {
  return error instanceof ProblemError && error.code === code;
}
