import { createHash } from 'node:crypto';
import { ProblemError } from '../../platform/errors';

/** Routes that take an Idempotency-Key, and the status that they answer with. */
export const IDEMPOTENT_ROUTES = {
  'POST /v1/runs': 201,
  'POST /v1/runs/{id}/analyses': 202,
  'PUT /v1/ingest': 202,
} as const;

/** A request that may be sent again: the answer belongs to team, route and key. */
export interface IdempotentRequest {
  route: keyof typeof IDEMPOTENT_ROUTES;
  key: string;
  /** SHA-256 over all that the request asks for, hex. */
  requestHash: string;
}

/** An answer, and whether it was given before. */
export interface Answer<T> {
  body: T;
  replayed: boolean;
}

/** The request as the idempotency store knows it; undefined without a key. Throws `idempotency-key-invalid`. */
export function idempotentRequest(
  route: IdempotentRequest['route'],
  key: string | undefined,
  content: unknown,
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) {
    throw new ProblemError(
      'idempotency-key-invalid',
      key.length > 255 ? 'The key has more than 255 characters.' : 'The key is empty or not printable ASCII.',
    );
  }
  return { route, key, requestHash: createHash('sha256').update(JSON.stringify(content)).digest('hex') };
}

const KEPT_FOR_MS = 24 * 3_600_000;

/** Answers from before then are not given again. */
export function answersKeptSince(): Date {
  return new Date(Date.now() - KEPT_FOR_MS);
}
