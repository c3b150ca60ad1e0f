import { Injectable } from '@nestjs/common';
import { type Actor, recordAudit } from '../../../platform/audit';
import { Database } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';
import { refuseToGrant, refuseToManage } from '../authority';
import { lockTeamFor } from '../authority.repository';
import { type Principal, type Role, tokenOf } from '../principal';

export interface NewInvitation {
  /** Lower case. */
  email: string;
  role: Role;
  tokenHash: Uint8Array<ArrayBuffer>;
  expiresAt: Date;
}

export interface StoredInvitation {
  id: string;
  email: string;
  role: Role;
  invitedBy: string | null;
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
}

const withoutHash = { teamId: true, tokenHash: true } as const;

/** Invitations as those who invite see them. */
@Injectable()
export class InvitationsRepository {
  constructor(private readonly database: Database) {}

  /** Throws `role-too-high`. */
  async create(principal: Principal, actor: Actor, invitation: NewInvitation): Promise<StoredInvitation> {
    const { teamId } = principal;
    return this.database.forTeam(teamId, async (scope) => {
      refuseToGrant(await lockTeamFor(scope, principal), invitation.role);
      const invitedBy = principal.kind === 'user' ? principal.id : null;
      const stored = await scope.invitation.create({
        data: { teamId, invitedBy, madeByToken: tokenOf(principal), ...invitation },
        omit: withoutHash,
      });
      await recordAudit(scope, actor, {
        action: 'invitation.created',
        target: { kind: 'invitation', id: stored.id },
        details: { email: stored.email, role: stored.role, expiresAt: stored.expiresAt.toISOString() },
      });
      return stored;
    });
  }

  /** The newest first; `before` is the id of the last row of the page before. */
  async list(teamId: string, limit: number, before?: string): Promise<StoredInvitation[]> {
    return this.database.forTeam(teamId, ({ invitation }) =>
      invitation.findMany({
        where: { teamId, ...(before === undefined ? {} : { id: { lt: before } }) },
        orderBy: { id: 'desc' },
        take: limit,
        omit: withoutHash,
      }),
    );
  }

  /** Throws `invitation-not-found`, `invitation-accepted` or `role-too-high`. Revoking twice changes nothing. */
  async revoke(principal: Principal, actor: Actor, id: string): Promise<void> {
    const { teamId } = principal;
    await this.database.forTeam(teamId, async (scope) => {
      const authority = await lockTeamFor(scope, principal);
      const found = await scope.invitation.findFirst({ where: { teamId, id } });
      if (!found) {
        throw new ProblemError('invitation-not-found', 'Your team has no invitation with this id.');
      }
      refuseToManage(authority, found.role);
      if (found.acceptedAt) throw accepted(`at ${found.acceptedAt.toISOString()}`);
      if (found.revokedAt) return;
      const { count } = await scope.invitation.updateMany({
        where: { teamId, id, acceptedAt: null },
        data: { revokedAt: new Date() },
      });
      if (count === 0) throw accepted('just now');
      await recordAudit(scope, actor, {
        action: 'invitation.revoked',
        target: { kind: 'invitation', id },
        details: { email: found.email, role: found.role },
      });
    });
  }
}

function accepted(when: string): ProblemError {
  return new ProblemError('invitation-accepted', `It was accepted ${when}.`);
}
