import { sqlState, type TeamScope } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { type Answer, answersKeptSince, IDEMPOTENT_ROUTES, type IdempotentRequest } from './idempotency';

/** How long a request waits for another one with its key, ms. */
const LOCK_TIMEOUT_MS = 3_000;

/**
 * Runs `create`, which answers with a run, and keeps its answer under the key while there is that run, or gives the answer that was kept. Both are in the transaction of
 * `scope`, so a crash in between leaves neither, and a key can never stay locked.
 *
 * Throws `idempotency-key-reused` for another request, `idempotency-key-in-progress` when the first one takes long.
 */
export async function answerOnce<T extends { id: string }>(
  scope: TeamScope,
  request: IdempotentRequest | undefined,
  create: () => Promise<T>,
): Promise<Answer<T>> {
  if (!request) return { body: await create(), replayed: false };
  const { teamId } = scope;
  const { route, key, requestHash } = request;
  // Waits here while another transaction holds the key.
  const claimed = await claim(scope, request);
  if (!claimed) {
    const kept = await scope.idempotencyRecord.findUniqueOrThrow({
      where: { teamId_route_key: { teamId, route, key } },
    });
    if (kept.requestHash !== requestHash) {
      throw new ProblemError(
        'idempotency-key-reused',
        'The first request with this key asked for something else.',
      );
    }
    return { body: kept.response as T, replayed: true };
  }
  const body = await create();
  await scope.idempotencyRecord.update({
    where: { teamId_route_key: { teamId, route, key } },
    data: { statusCode: IDEMPOTENT_ROUTES[route], response: body, runId: body.id },
  });
  return { body, replayed: false };
}

/** False when another request has the key; an answer that is kept no longer gives it up. */
async function claim(scope: TeamScope, { route, key, requestHash }: IdempotentRequest): Promise<boolean> {
  try {
    await scope.$executeRaw`SELECT set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`;
    const inserted = await scope.$executeRaw`
      INSERT INTO idempotency_records (team_id, route, key, request_hash)
      VALUES (${scope.teamId}::uuid, ${route}, ${key}, ${requestHash})
      ON CONFLICT (team_id, route, key) DO UPDATE
      SET request_hash = excluded.request_hash, created_at = excluded.created_at, status_code = NULL, response = NULL,
        run_id = NULL
      WHERE idempotency_records.created_at < ${answersKeptSince()}`;
    // Other locks are waited for as ever: those who hold them are not this request's first sending.
    await scope.$executeRaw`SELECT set_config('lock_timeout', '0', true)`;
    return inserted > 0;
  } catch (error) {
    // lock_not_available
    if (sqlState(error) !== '55P03') throw error;
    throw new ProblemError(
      'idempotency-key-in-progress',
      'The first request with this key has not been answered yet.',
      {
        retryAfterS: 2,
        cause: error,
      },
    );
  }
}
