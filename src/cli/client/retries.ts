import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './api-error';

const MAX_ATTEMPTS = 6;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 10_000;
/** A server that asks for more says that waiting is of no use now, as with a quota of the day. */
const LONGEST_ASKED_MS = 60_000;

/** Statuses that may heal: time-outs, "still in progress", rate limits, and a server that is away for a moment. */
const RETRYABLE_STATUS = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Tries again, with growing pauses or as long as the server asks, what may heal; throws the last error. Problems of the code
 * `given` are the caller's to deal with.
 */
export async function withRetries<T>(attempt: () => Promise<T>, given?: string): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      if (n === MAX_ATTEMPTS || !mayHeal(error)) throw error;
      if (given !== undefined && error instanceof ApiError && error.code === given) throw error;
      const askedMs =
        error instanceof ApiError && error.retryAfterS !== null ? error.retryAfterS * 1000 : null;
      if (askedMs !== null && askedMs > LONGEST_ASKED_MS) throw error;
      // Ranks fail together; the jitter keeps them from coming back together.
      const grownMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (n - 1)) * (0.7 + 0.6 * Math.random());
      await sleep(askedMs === null ? grownMs : askedMs + 1_000 * Math.random());
    }
  }
}

function mayHeal(error: unknown): boolean {
  if (error instanceof ApiError)
    return RETRYABLE_STATUS.has(error.status) || (error.status === 409 && error.retryAfterS !== null);
  return isConnectionFailure(error);
}

/** The server was not reached, or did not answer in time: fetch throws a TypeError with a cause, or a TimeoutError. */
export function isConnectionFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    ((error.name === 'TypeError' && error.cause !== undefined) || error.name === 'TimeoutError')
  );
}
