import { ProblemError } from '../../../platform/errors';

const retryAfterS = 10;
const outageCodes = ['OAUTH_TIMEOUT', 'OAUTH_ABORT'];
const plainErrorName = /^[a-z_]{1,64}$/;

/** What errors of the OpenID library may have. */
interface LibraryError extends Error {
  code?: string;
  /** Of an answer of the provider: `access_denied` and the like. */
  error?: string;
  status?: number;
}

/**
 * What went wrong with the provider, as a problem: it is away (`oidc-unavailable`), it refused (`oidc-refused`), or what it
 * says must not be believed (`oidc-answer-invalid`).
 */
export function toOidcProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const { name, code, error: refusal } = error as LibraryError;
  // The errors of the library hold claims and answers, which do not belong in a log.
  const cause = new Error(summaryOf(error as LibraryError));
  if (isOutage(error as LibraryError)) {
    const detail = 'The OpenID provider did not answer, or not in time.';
    return new ProblemError('oidc-unavailable', detail, { cause, retryAfterS });
  }
  if (name === 'AuthorizationResponseError') {
    const what = plainErrorName.test(refusal ?? '') ? `: ${refusal}` : '';
    return new ProblemError('oidc-refused', `The OpenID provider sent you back with an error${what}.`, {
      cause,
    });
  }
  const detail = `What the OpenID provider sent could not be used${code ? ` (${code})` : ''}.`;
  return new ProblemError('oidc-answer-invalid', detail, { cause });
}

function isOutage({ name, code, status, cause }: LibraryError): boolean {
  // fetch says TypeError when there is no connection; a provider in trouble answers 5xx.
  if (name === 'TypeError' || outageCodes.includes(code ?? '')) return true;
  const answered = status ?? (cause instanceof Response ? cause.status : 0);
  return answered >= 500 || answered === 429;
}

function summaryOf({ name, code, message, error, cause }: LibraryError): string {
  const below =
    cause instanceof Error ? cause.message : cause instanceof Response ? `status ${cause.status}` : '';
  return [name, code, message, error, below].filter(Boolean).join(': ');
}
