import { type TeamScope } from '../../../platform/database';

/** Of a hostile token there may be thousands, and the audit log is to stay readable. */
const mostIdsInAudit = 100;

/** What a revocation ended. */
export interface Revoked {
  tokens: string[];
  invitations: string[];
}

/**
 * Revokes tokens, all that they made and what that made in turn: tokens and open invitations. A token that rotated itself is
 * one with its successor, whoever holds them. Spares the tokens of one service account, but not what they made, if told so.
 * The team must be locked: whatever makes tokens or invitations waits for that too, and then finds its own token revoked.
 */
export async function revokeWithOffspring(
  scope: TeamScope,
  ids: readonly string[],
  sparedAccountId: string | null = null,
): Promise<Revoked> {
  const { teamId, $queryRaw } = scope;
  const ended = await findWithOffspring(scope, ids);
  // Arrays are one parameter each, however long; Prisma's lists have one for each item and an end.
  const tokens = await $queryRaw<Row[]>`
    UPDATE api_tokens SET revoked_at = now()
    WHERE team_id = ${teamId}::uuid AND id = ANY(${ended}::uuid[]) AND revoked_at IS NULL
      AND (${sparedAccountId}::uuid IS NULL OR service_account_id IS DISTINCT FROM ${sparedAccountId}::uuid)
    RETURNING id`;
  const invitations = await $queryRaw<Row[]>`
    UPDATE invitations SET revoked_at = now()
    WHERE team_id = ${teamId}::uuid AND made_by_token = ANY(${ended}::uuid[])
      AND accepted_at IS NULL AND revoked_at IS NULL
    RETURNING id`;
  return { tokens: tokens.map(idOf), invitations: invitations.map(idOf) };
}

/** For the audit log: how many, and the ids of the first ones. */
export function describeRevoked({ tokens, invitations }: Revoked) {
  return {
    revokedTokenCount: tokens.length,
    revokedTokens: tokens.slice(0, mostIdsInAudit),
    revokedInvitationCount: invitations.length,
    revokedInvitations: invitations.slice(0, mostIdsInAudit),
  };
}

interface Row {
  id: string;
}
const idOf = ({ id }: Row) => id;

async function findWithOffspring({ teamId, $queryRaw }: TeamScope, ids: readonly string[]) {
  const rows = await $queryRaw<Row[]>`
    WITH RECURSIVE ended AS (
      SELECT id, made_by_token, rotated_from FROM api_tokens
      WHERE team_id = ${teamId}::uuid AND id = ANY(${ids}::uuid[])
      UNION
      SELECT next.* FROM ended e CROSS JOIN LATERAL (
        SELECT id, made_by_token, rotated_from FROM api_tokens
        WHERE team_id = ${teamId}::uuid AND made_by_token = e.id
        UNION ALL
        SELECT id, made_by_token, rotated_from FROM api_tokens
        WHERE team_id = ${teamId}::uuid AND id = e.rotated_from AND e.made_by_token = e.rotated_from
      ) next
    ) SELECT id FROM ended`;
  return rows.map(idOf);
}
