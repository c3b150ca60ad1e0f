import { type TeamScope } from '../database';
import { type Actor } from './actor';
import { type AuditAction } from './audit-actions';

export interface AuditedAct {
  action: AuditAction;
  /** What it was done to: a kind such as `token`, and its id. */
  target?: { kind: string; id: string };
  /** What else is worth knowing; never a secret. */
  details?: Record<string, string | number | boolean | null | readonly string[]>;
}

/**
 * Adds an entry to the team's audit log, in the transaction of the act itself: an act without its entry, or an entry
 * without its act, cannot be.
 */
export async function recordAudit(
  scope: TeamScope,
  actor: Actor,
  { action, target, details = {} }: AuditedAct,
): Promise<void> {
  await scope.auditEntry.create({
    data: {
      teamId: scope.teamId,
      action,
      actorKind: actor.kind,
      actorId: actor.id,
      actorName: actor.name,
      targetKind: target?.kind ?? null,
      targetId: target?.id ?? null,
      details: details as Record<string, string>,
      requestId: actor.requestId,
      address: actor.address,
    },
  });
}
