import { Injectable } from '@nestjs/common';
import { type AuditAction } from '../../platform/audit';
import { Database } from '../../platform/database';

export interface AuditFilter {
  action?: AuditAction;
  actorId?: string;
  /** From this time on. */
  from?: Date;
  /** Before this time. */
  to?: Date;
}

/** The audit log of a team, to be read; `recordAudit` writes it. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** The newest first; `before` is the id of the last entry of the page before. */
  async list(teamId: string, { action, actorId, from, to }: AuditFilter, limit: number, before?: string) {
    return this.database.forTeam(teamId, ({ auditEntry }) =>
      // Ids are UUIDs of version 7: their order is that of time.
      auditEntry.findMany({
        where: { teamId, action, actorId, at: { gte: from, lt: to }, id: { lt: before } },
        orderBy: { id: 'desc' },
        take: limit,
        omit: { teamId: true },
      }),
    );
  }
}
