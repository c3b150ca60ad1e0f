import { HttpException } from '@nestjs/common';
import { ZodSerializationException, ZodValidationException } from 'nestjs-zod';
import { ZodError } from 'zod';
import {
  isForeignKeyViolation,
  isMissingRow,
  isRowSecurityViolation,
  isUniqueViolation,
  isWriteConflict,
} from '../database';
import { type ProblemCode, ProblemError } from '../errors';
import { ObjectStoreUnavailable } from '../object-store';
import { QueueUnavailableError } from '../queue';
import { validationProblem } from './validation-problem';

/**
 * Every error as a problem for the client. What a client cannot cause or mend becomes `internal-error`, which says
 * nothing about the inside; the error itself stays in `cause` for the log.
 */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  // A broken answer is our fault, and its ZodError must not be mistaken for one about the request.
  if (error instanceof ZodSerializationException) return internalError(error.getZodError());
  if (error instanceof ZodValidationException) {
    const cause = error.getZodError();
    return cause instanceof ZodError ? validationProblem(cause) : internalError(error);
  }
  if (error instanceof HttpException) return fromHttpException(error);
  return fromDatabase(error) ?? fromOtherServices(error) ?? internalError(error);
}

function fromDatabase(error: unknown): ProblemError | undefined {
  if (isUniqueViolation(error)) {
    return new ProblemError('conflict', 'Something with the same unique name or key exists.', {
      cause: error,
    });
  }
  if (isWriteConflict(error)) {
    return new ProblemError('conflict', 'Another request changed the same thing at the same time.', {
      cause: error,
      retryAfterS: 1,
      action: 'Send the same request again.',
    });
  }
  // A row of another team must look like a row that does not exist.
  if (isRowSecurityViolation(error) || isForeignKeyViolation(error) || isMissingRow(error)) {
    return new ProblemError('not-found', 'What the request refers to does not exist.', { cause: error });
  }
  return undefined;
}

/** The database throws DatabaseUnavailable itself, which is a problem already. */
function fromOtherServices(error: unknown): ProblemError | undefined {
  const options = { cause: error, retryAfterS: 5 };
  if (error instanceof ObjectStoreUnavailable) {
    return new ProblemError('object-store-unavailable', 'The object store did not answer.', options);
  }
  if (error instanceof QueueUnavailableError) {
    return new ProblemError('queue-unavailable', 'The job queue did not answer.', options);
  }
  return undefined;
}

const codeOfStatus: Record<number, ProblemCode> = {
  400: 'malformed-request',
  401: 'unauthenticated',
  404: 'route-not-found',
  408: 'request-timeout',
  409: 'conflict',
  413: 'payload-too-large',
  415: 'unsupported-media-type',
  429: 'rate-limited',
  503: 'not-ready',
};

/** Exceptions of the framework; our own code throws ProblemError. */
function fromHttpException(error: HttpException): ProblemError {
  const code = codeOfStatus[error.getStatus()];
  return code === undefined
    ? internalError(error)
    : new ProblemError(code, `${error.message}.`, { cause: error });
}

function internalError(cause: unknown): ProblemError {
  return new ProblemError('internal-error', 'The request failed for a reason that is not its fault.', {
    cause,
  });
}
