import { ProblemError } from '../../../platform/errors';
import { type Principal } from '../principal';

/** Throws `person-required` for a token. */
export function refuseTokens({ kind }: Principal): void {
  if (kind === 'user') return;
  throw new ProblemError('person-required', 'An API token has no account, no sessions and no password.');
}
