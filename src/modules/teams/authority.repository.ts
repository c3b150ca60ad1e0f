import { type TeamScope } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { type Authority } from './authority';
import { type Principal, scopesOfRole } from './principal';

/**
 * Holds every other change of who is in the team back until this transaction ends; the team's own work goes on. Throws
 * `not-found` when the team is being deleted.
 */
export async function lockTeam({ teamId, $queryRaw }: TeamScope): Promise<void> {
  // NO KEY: rows that refer to the team, such as new runs, are not held up.
  const rows = await $queryRaw<{ id: string }[]>`
    SELECT id FROM teams WHERE id = ${teamId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
  if (rows.length === 0) throw new ProblemError('not-found', 'The team does not exist any more.');
}

/**
 * Locks the team and reads what who asks may do now: the request may have waited for one that took it away. Throws
 * `membership-ended`, `token-revoked` or `not-found`.
 */
export async function lockTeamFor(scope: TeamScope, principal: Principal): Promise<Authority> {
  await lockTeam(scope);
  const { teamId } = scope;
  if (principal.kind === 'token') {
    await refuseRevokedToken(scope, principal.id);
    return principal;
  }
  const membership = await scope.membership.findUnique({
    where: { teamId_userId: { teamId, userId: principal.id }, teamId },
  });
  if (!membership) throw new ProblemError('membership-ended', 'You were removed from the team just now.');
  return { role: membership.role, scopes: scopesOfRole[membership.role] };
}

async function refuseRevokedToken({ teamId, apiToken }: TeamScope, id: string): Promise<void> {
  const token = await apiToken.findFirst({
    where: { teamId, id },
    select: { revokedAt: true, serviceAccount: { select: { disabledAt: true } } },
  });
  if (token && !token.revokedAt && !token.serviceAccount?.disabledAt) return;
  throw new ProblemError('token-revoked', 'The token was revoked just now.');
}
