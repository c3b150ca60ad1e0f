import { ProblemError } from '../../platform/errors';
import { type Precondition } from './gate-policies.repository';

/** The ETag of a revision. */
export function tagOf(revision: number): string {
  return `"r${revision}"`;
}

/**
 * What the headers of a request expect: If-Match names revisions (`"r3"`), If-None-Match: * that there is no such policy.
 * Throws `malformed-request` for others, which would otherwise overwrite what they meant to protect.
 */
export function preconditionOf(ifMatch: string | undefined, ifNoneMatch: string | undefined): Precondition {
  if (ifMatch !== undefined && ifNoneMatch !== undefined)
    throw new ProblemError('malformed-request', 'If-Match and If-None-Match exclude each other.');
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() === '*') return { kind: 'absent' };
    throw new ProblemError('malformed-request', 'If-None-Match can only be * here.');
  }
  if (ifMatch === undefined) return { kind: 'none' };
  const revisions = ifMatch.split(',').map((tag) => /^"r([1-9]\d{0,9})"$/.exec(tag.trim())?.[1]);
  if (revisions.includes(undefined))
    throw new ProblemError('malformed-request', 'If-Match must be the ETag of the policy, such as "r3".');
  return { kind: 'revisions', revisions: revisions.map(Number) };
}
