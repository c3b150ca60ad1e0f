import {
  ObjectNotFound,
  ObjectStoreError,
  ObjectStoreRefused,
  ObjectStoreUnavailable,
  PartsRefused,
  UploadNotFound,
} from './object-store-error';

const TRANSIENT_NAMES = new Set(
  'RequestTimeout RequestTimeoutException SlowDown ServiceUnavailable Throttling ThrottlingException TooManyRequestsException InternalError'.split(
    ' ',
  ),
);
// Failures before anything is sent, which the store has no part in.
const LOCAL_NAMES = new Set(['CredentialsProviderError', 'TypeError', 'RangeError']);
const PART_NAMES = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall']);

interface Facts {
  name: string;
  message: string;
  status: number | undefined;
}

function factsOf(error: unknown): Facts {
  const fields = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const metadata = fields.$metadata as { httpStatusCode?: number } | undefined;
  // Connecting to a name with several addresses fails with an AggregateError that has no message of its own.
  const inner = Array.isArray(fields.errors) ? (fields.errors[0] as { message?: string }) : undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    name: text(fields.name),
    message: (text(fields.message) || inner?.message || text(fields.code) || 'no reason given').replace(
      /\s+/g,
      ' ',
    ),
    status: metadata?.httpStatusCode,
  };
}

/** True for HeadObject and GetObject answers that mean that the key does not exist. */
export function isNotFound(error: unknown): boolean {
  const { name } = factsOf(error);
  return name === 'NoSuchKey' || name === 'NotFound';
}

export function hasStatus(error: unknown, status: number): boolean {
  return factsOf(error).status === status;
}

/**
 * True for failures of the connection or the store, as opposed to answers that a second try would get again. What has
 * no status never was an answer: refused and broken connections, time-outs, names that do not resolve.
 */
export function isTransient(error: unknown): boolean {
  const { name, status } = factsOf(error);
  if (TRANSIENT_NAMES.has(name)) return true;
  if (status === undefined) return !LOCAL_NAMES.has(name) && !(error instanceof ObjectStoreError);
  return status === 429 || (status >= 500 && status !== 501);
}

/** The error of this module for whatever the SDK threw while `doing` (such as `reading "a/b"`) the object `key`. */
export function translateError(error: unknown, doing: string, key = ''): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  const { name, message, status } = factsOf(error);
  if (isTransient(error)) return new ObjectStoreUnavailable(doing, message, error);
  if (name === 'NoSuchUpload') return new UploadNotFound(key, error);
  if (PART_NAMES.has(name)) return new PartsRefused(message.replace(/\.$/, ''), error);
  if (isNotFound(error) && key !== '') return new ObjectNotFound(key, error);
  // HEAD answers carry no text, only a status.
  const reason = message === 'UnknownError' || message === name ? `status ${status ?? 'unknown'}` : message;
  return new ObjectStoreRefused(doing, `${name}: ${reason}`.replace(/\.$/, ''), error);
}

/** Runs a call and translates what it throws; an abort of the caller's own stays as it is. */
export async function translated<T>(doing: string, key: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw translateError(error, doing, key);
  }
}
