import { ProblemError } from '../../../platform/errors';
import { type Principal } from '../principal';
import { type StoredApiToken } from './api-tokens.repository';

/** Throws `scope-missing` or `token-limited` unless this may rotate tokens: any token itself, others with the scope admin. */
export function refuseToRotate(principal: Principal, id: string): void {
  if (principal.kind === 'token' && principal.id === id) return;
  if (!principal.scopes.includes('admin')) {
    throw new ProblemError('scope-missing', 'Rotating a token other than itself needs the scope admin.');
  }
  if (principal.runLimits) {
    throw new ProblemError('token-limited', 'A limited token can rotate none but itself.');
  }
}

/** Throws `scope-missing` when the token may do what whoever asks may not: its successor would be a way to more rights. */
export function refuseMoreRights(scopes: readonly string[], principal: Principal): void {
  const missing = scopes.filter((scope) => !(principal.scopes as readonly string[]).includes(scope));
  if (missing.length === 0) return;
  throw new ProblemError(
    'scope-missing',
    `You cannot give a token the scope ${missing.join(', ')}: you lack it.`,
  );
}

/** Throws `token-ended` when the token works no longer. */
export function refuseEndedToken({ revokedAt, expiresAt }: StoredApiToken, now: Date): void {
  if (revokedAt) throw new ProblemError('token-ended', `It was revoked at ${revokedAt.toISOString()}.`);
  if (expiresAt && expiresAt <= now)
    throw new ProblemError('token-ended', `It expired at ${expiresAt.toISOString()}.`);
}

/**
 * When the successor of a token ends. A person gives it the whole lifetime of the old one anew; a token only changes the
 * secret and ends when the old one did, or when itself does: nothing that was stolen can prolong its own life.
 */
export function successorExpiry(old: StoredApiToken, principal: Principal, now: Date): Date | null {
  if (principal.kind === 'user') {
    const { createdAt, expiresAt } = old;
    return expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());
  }
  return earlier(old.expiresAt, principal.expiresAt ?? null);
}

/** When the old token ends: after the grace, or when it would have ended anyway. */
export function graceEnd({ expiresAt }: StoredApiToken, graceS: number, now: Date): Date {
  const end = new Date(now.getTime() + graceS * 1000);
  return expiresAt && expiresAt < end ? expiresAt : end;
}

/** The earlier of two ends; null is never. */
export function earlier(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}
